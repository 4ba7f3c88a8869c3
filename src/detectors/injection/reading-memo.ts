import type { ClosePiece } from './close-piece.ts';

/**
 * What was read of pieces and windows, by their words: a run gives its model the same messages again and again, each
 * time with a little more behind them. One for each run, and for one model alone.
 */
export class ReadingMemo {
  /** Log-odds of the first, cheap look. */
  readonly skims = new Map<string, number>();
  /** Log-odds of attack of windows that no rule hits. */
  readonly windows = new Map<string, number>();
  readonly pieces = new Map<string, ClosePiece>();
}

/** The value under the key; made, and kept, where there is none. */
export function remembered<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}
