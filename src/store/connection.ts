import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';
import type { StoreSpaceControl } from './store-space.ts';
import type { StoreState } from './store-state.ts';

/** The first argument of every store function: the root handle or, inside `inTransaction`, the transaction. */
export type Db = Kysely<Database> | Transaction<Database>;

export interface StoreConnection {
  db: Kysely<Database>;
  /** Whether the database is known to be damaged. */
  state: StoreState;
  /** A value that changes with every write, by this process or another. Very cheap. */
  changeMark(): string;
  /** The same for commits of other connections only, of this process or another. */
  othersChangeMark(): string;
  space: StoreSpaceControl;
  /** Closes after the last statement; idempotent. */
  close(): Promise<void>;
}
