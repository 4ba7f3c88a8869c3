import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
import type { Database, SigningKeyTable } from '../../store/schema.ts';
import {
  deleteSigningKeysRetiredBefore,
  insertSigningKey,
  listSigningKeys,
  retireSigningKeys,
} from '../../store/signing-key.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { SigningKey } from './access-token.ts';
import type { HasStoreChanged } from './store-changes.ts';

/** The local list of keys that tokens may name; a change by another process is seen without a restart. */
export interface SigningKeys {
  /** The newest key; makes the first one. */
  current(): Promise<SigningKey>;
  /** Null for a key that is not on the list, or was retired longer ago than a token lives. */
  findSecret(kid: string): Promise<Uint8Array | null>;
  rotate(): Promise<{ kid: string; createdAt: number }>;
}

const REREAD_MS = 60_000;
/** How often at most an unknown key id sends us to the database. */
const REREAD_UNKNOWN_MS = 1_000;

export function createSigningKeys(
  options: { db: Kysely<Database>; clock: Clock; random: Random; hasStoreChanged(): HasStoreChanged },
  tokenLifetimeMs: number,
): SigningKeys {
  const { db, clock, random } = options;
  const hasStoreChanged = options.hasStoreChanged();
  let rows: SigningKeyTable[] = [];
  let readAt = -Infinity;

  async function rowsNotOlderThan(ms: number): Promise<SigningKeyTable[]> {
    if (hasStoreChanged() || clock.now() - readAt >= ms) {
      readAt = clock.now();
      rows = await listSigningKeys(db);
    }
    return rows;
  }

  // A process may sign with a key that another one retired, until it reads the list again.
  const usableSince = () => clock.now() - tokenLifetimeMs - REREAD_MS;

  async function rotate(): Promise<SigningKeyTable> {
    const row: SigningKeyTable = {
      kid: newId('sig', clock, random),
      secret: Buffer.from(random(32)).toString('base64url'),
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
      const known = await rowsNotOlderThan(REREAD_MS);
      return toKey(known.find((row) => row.retired_at === null) ?? (await rotate()));
    },
    async findSecret(kid) {
      const isMeant = (row: SigningKeyTable) => row.kid === kid;
      const row =
        (await rowsNotOlderThan(REREAD_MS)).find(isMeant) ?? (await rowsNotOlderThan(REREAD_UNKNOWN_MS)).find(isMeant);
      return row && (row.retired_at === null || row.retired_at > usableSince()) ? toKey(row).secret : null;
    },
    async rotate() {
      const row = await rotate();
      return { kid: row.kid, createdAt: row.created_at };
    },
  };
}

function toKey(row: SigningKeyTable): SigningKey {
  return { kid: row.kid, secret: Buffer.from(row.secret, 'base64url') };
}
