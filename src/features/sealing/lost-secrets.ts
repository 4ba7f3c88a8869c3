import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import { listSealedRegistrations } from '../../store/registration.store.ts';
import type { Database } from '../../store/schema.ts';
import { tenantsWithSetting } from '../../store/setting.store.ts';
import { tenantIdOf } from '../../store/tenant.store.ts';
import { PREFERENCES, type PreferenceStore } from '../alerts/preference-store.ts';
import type { Cipher } from '../integrations/cipher.ts';
import { createSealedSecrets } from '../integrations/sealed-secrets.ts';

const ROWS_PER_SLICE = 100;

/** Lists secrets that were encrypted with another key: alert channels and registrations, each with its tenant. */
export async function listLostSecrets(
  db: Kysely<Database>,
  cipher: Cipher,
  preferences: PreferenceStore,
): Promise<string[]> {
  return [...(await lostChannels(db, preferences)), ...(await lostRegistrations(db, cipher))];
}

async function lostChannels(db: Kysely<Database>, preferences: PreferenceStore): Promise<string[]> {
  const lost: string[] = [];
  for (let after = 0; ; ) {
    const tenants = await tenantsWithSetting(db, PREFERENCES, { after, limit: ROWS_PER_SLICE });
    for (const tenantNo of tenants) {
      const channels = await preferences.lostChannels(db, tenantNo);
      if (channels.length > 0) lost.push(`alert channels ${channels.join(', ')} of ${await tenantIdOf(db, tenantNo)}`);
    }
    const last = tenants.at(-1);
    if (last === undefined || tenants.length < ROWS_PER_SLICE) return lost;
    after = last;
    await nextTurn();
  }
}

async function lostRegistrations(db: Kysely<Database>, cipher: Cipher): Promise<string[]> {
  const secrets = createSealedSecrets(cipher);
  const lost: string[] = [];
  for (let after = ''; ; ) {
    const rows = await listSealedRegistrations(db, { after, limit: ROWS_PER_SLICE });
    for (const row of rows) {
      try {
        secrets.open(row);
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'conflict')) throw error;
        lost.push(`registration ${row.registration_id} of ${await tenantIdOf(db, row.tenant_no)}`);
      }
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_PER_SLICE) return lost;
    after = last.registration_id;
    await nextTurn();
  }
}
