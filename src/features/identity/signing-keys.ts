import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import { isWithin } from '../../core/elapsed.ts';
import { newId, type Random } from '../../core/id.ts';
import type { Database, SigningKeyTable } from '../../store/schema.ts';
import {
  deleteSigningKeysRetiredBefore,
  insertSigningKey,
  listSigningKeys,
  retireSigningKeys,
  writeSigningSecret,
} from '../../store/signing-key.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { Cipher } from '../integrations/cipher.ts';
import { isSealed, openText, sealText } from '../sealing/sealed-text.ts';
import type { SigningKey } from './access-token.ts';
import type { HasStoreChanged } from './store-changes.ts';

/** The local list of keys that tokens may name; a change by another process is noticed without a restart. */
export interface SigningKeys {
  /** The newest key; creates the first one. */
  current(): Promise<SigningKey>;
  /** Null for an unknown key, or one that was retired longer ago than the lifetime of a token. */
  findSecret(kid: string): Promise<Uint8Array | null>;
  rotate(): Promise<{ kid: string; createdAt: number }>;
}

const REREAD_MS = 60_000;
/** Minimum interval between two database reads for an unknown key id. */
const REREAD_UNKNOWN_MS = 1_000;

export function createSigningKeys(
  options: { db: Kysely<Database>; clock: Clock; random: Random; hasStoreChanged(): HasStoreChanged; cipher: Cipher },
  tokenLifetimeMs: number,
): SigningKeys {
  const { db, clock, random, cipher } = options;
  const hasStoreChanged = options.hasStoreChanged();
  let rows: SigningKeyTable[] = [];
  let readAt = -Infinity;

  async function rowsNotOlderThan(ms: number): Promise<SigningKeyTable[]> {
    if (hasStoreChanged() || !isWithin(readAt, clock.now(), ms)) {
      readAt = clock.now();
      rows = await listSigningKeys(db);
    }
    return rows;
  }

  // A process may sign with a key that another one retired, until it reads the list again.
  const usableSince = () => clock.now() - tokenLifetimeMs - REREAD_MS;

  async function rotate(): Promise<SigningKeyTable> {
    const kid = newId('sig', clock, random);
    const row: SigningKeyTable = {
      kid,
      secret: sealText(cipher, Buffer.from(random(32)).toString('base64url'), ownerOf(kid)),
      created_at: clock.now(),
      retired_at: null,
    };
    await inTransaction(db, async (transaction) => {
      await retireSigningKeys(transaction, clock.now());
      await deleteSigningKeysRetiredBefore(transaction, usableSince());
      await insertSigningKey(transaction, row);
    });
    readAt = -Infinity;
    return row;
  }

  return {
    async current() {
      const known = (await rowsNotOlderThan(REREAD_MS)).find((row) => row.retired_at === null);
      // A key that was encrypted with another secret key is replaced.
      return (known && toKey(known, cipher)) ?? toKey(await rotate(), cipher) ?? throwUnreadableKey();
    },
    async findSecret(kid) {
      const hasKid = (row: SigningKeyTable) => row.kid === kid;
      const row =
        (await rowsNotOlderThan(REREAD_MS)).find(hasKid) ?? (await rowsNotOlderThan(REREAD_UNKNOWN_MS)).find(hasKid);
      return row && (row.retired_at === null || row.retired_at > usableSince())
        ? (toKey(row, cipher)?.secret ?? null)
        : null;
    },
    async rotate() {
      const row = await rotate();
      return { kid: row.kid, createdAt: row.created_at };
    },
  };
}

/** Null if it was encrypted with another secret key. */
function toKey({ kid, secret }: SigningKeyTable, cipher: Cipher): SigningKey | null {
  const text = openText(cipher, secret, ownerOf(kid));
  return text === null ? null : { kid, secret: Buffer.from(text, 'base64url') };
}

function ownerOf(kid: string): string {
  return `signing-key/${kid}`;
}

function throwUnreadableKey(): never {
  throw new Error('a new signing key cannot be opened');
}

/** Encrypts the signing keys that are stored as plain text. */
export async function sealSigningKeys(db: Kysely<Database>, cipher: Cipher): Promise<void> {
  await inTransaction(db, async (transaction) => {
    for (const { kid, secret } of await listSigningKeys(transaction)) {
      if (!isSealed(secret)) await writeSigningSecret(transaction, kid, sealText(cipher, secret, ownerOf(kid)));
    }
  });
}
