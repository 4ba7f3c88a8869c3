import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';
import type { StoreSpaceControl } from './store-space.ts';
import type { StoreState } from './store-state.ts';

/** The handle every store function takes first: the root or, inside `inTransaction`, the transaction. */
export type Db = Kysely<Database> | Transaction<Database>;

export interface StoreConnection {
  db: Kysely<Database>;
  /** Whether the database is known to be damaged. */
  state: StoreState;
  /** Another text than before where something was written since, by this process or another. Costs next to nothing. */
  changeMark(): string;
  /** The same for commits of other connections only, of this process or another. */
  othersMark(): string;
  space: StoreSpaceControl;
  /** Closes after the last statement; safe to call twice. */
  close(): Promise<void>;
}
