import type { RawBuilder } from 'kysely';

/** Column types that the dialects spell differently; the dialect file names its own. */
export interface ColumnTypes {
  /** Integer that counts itself up, for a primary key. */
  serial: RawBuilder<unknown>;
  /** 64-bit integer. */
  bigint: RawBuilder<unknown>;
  double: RawBuilder<unknown>;
  bytes: RawBuilder<unknown>;
  /** Ends a table of small rows that are found by their primary key alone: the key needs no second copy. */
  keyed: RawBuilder<unknown>;
}
