import type { Json } from '../../core/json.ts';
import type { TrackedSnapshot } from './snapshot-series.ts';

export type StateSubtype =
  | 'type_change'
  | 'field_vanished'
  | 'field_nulled'
  | 'counter_regression'
  | 'bounds'
  | 'list_shrunk';

/** A field that was corrupted between two snapshots of one series. */
export interface Fault {
  subtype: StateSubtype;
  /** Dotted path inside the state: `cart.total`. */
  path: string;
  before: Json;
  after: Json;
  from: TrackedSnapshot;
  to: TrackedSnapshot;
  /** 0–1. */
  score: number;
  /** The rest of a sentence that begins with the field: `turned from a number into a string`. */
  what: string;
}
