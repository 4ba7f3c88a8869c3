import type { RawBuilder } from 'kysely';

/** Column types that the dialects spell differently; the dialect file names its own. */
export interface ColumnTypes {
  /** Integer that counts itself up, for a primary key. */
  serial: RawBuilder<unknown>;
  /** 64-bit integer. */
  bigint: RawBuilder<unknown>;
  double: RawBuilder<unknown>;
  bytes: RawBuilder<unknown>;
}
