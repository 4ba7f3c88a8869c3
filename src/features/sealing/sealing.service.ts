import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import { readInstanceValue, writeInstanceValue } from '../../store/instance.store.ts';
import type { Database } from '../../store/schema.ts';
import { tenantsWithSetting } from '../../store/setting.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import { PREFERENCES, type PreferenceStore } from '../alerts/preference-store.ts';
import { sealSigningKeys } from '../identity/signing-keys.ts';
import type { Cipher } from '../integrations/cipher.ts';
import { listLostSecrets } from './lost-secrets.ts';
import { openText, sealText } from './sealed-text.ts';

export interface SealingService {
  /**
   * Encrypts secrets that earlier versions stored as plain text, and removes the copies and log pages that still hold
   * them. Running it again changes nothing; an interrupted run is completed by the next one.
   * @returns descriptions of secrets that were encrypted with another key and must be entered again
   */
  run(): Promise<{ lost: string[] }>;
}

export interface SealingOptions {
  db: Kysely<Database>;
  clock: Clock;
  cipher: Cipher;
  preferences: PreferenceStore;
  /** Removes earlier copies of the database. */
  removeMigrationCopies(): Promise<unknown>;
  /** Removes old pages from the store's log. @returns false if a reader still needs them */
  truncateLog(): boolean;
}

const SEALED_AT = 'secrets_sealed';
const KEY_CHECK = 'secret_key_check';
const TENANTS_PER_SLICE = 100;

export function createSealingService(options: SealingOptions): SealingService {
  const { db, clock, cipher, preferences } = options;

  async function sealPreferences(): Promise<void> {
    for (let after = 0; ; ) {
      const tenants = await tenantsWithSetting(db, PREFERENCES, { after, limit: TENANTS_PER_SLICE });
      await inTransaction(db, async (transaction) => {
        for (const tenantNo of tenants) await preferences.sealStored(transaction, tenantNo, clock.now());
      });
      const last = tenants.at(-1);
      if (last === undefined || tenants.length < TENANTS_PER_SLICE) return;
      after = last;
      await nextTurn();
    }
  }

  async function sealAll(): Promise<void> {
    await sealSigningKeys(db, cipher);
    await sealPreferences();
    await options.removeMigrationCopies();
    if (options.truncateLog()) await writeInstanceValue(db, SEALED_AT, String(clock.now()));
  }

  /** Written with the current key, unless secrets remain that only another key can decrypt. */
  async function checkKey(): Promise<string[]> {
    const check = await readInstanceValue(db, KEY_CHECK);
    if (check !== null && openText(cipher, check, KEY_CHECK) !== null) return [];
    const lost = await listLostSecrets(db, cipher, preferences);
    if (lost.length === 0) await writeInstanceValue(db, KEY_CHECK, sealText(cipher, KEY_CHECK, KEY_CHECK));
    return lost;
  }

  return {
    async run() {
      if ((await readInstanceValue(db, SEALED_AT)) === null) await sealAll();
      return { lost: await checkKey() };
    },
  };
}
