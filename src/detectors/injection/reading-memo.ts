import type { FamilyHit } from './families.ts';
import type { PieceScore } from './score-piece.ts';
import type { Segment } from './segments.ts';

/** What a line has of marks: none of them goes on over the end of a line. */
export interface LineMarks {
  fakeRoles: readonly { start: number; end: number }[];
  roleComments: readonly { start: number; end: number }[];
  isForeign: boolean;
  /** Whether it has characters that a reader does not see. */
  isHiding: boolean;
}

/**
 * What was read of lines, pieces and windows, by their words: a run gives its model the same messages again and again,
 * each time with a little more behind them. One for each run, and for one model alone.
 */
export class ReadingMemo {
  /** Log-odds of attack of windows that no rule hits. */
  readonly windows = new Map<string, number>();
  readonly pieces = new Map<string, PieceScore>();
  readonly #lines = new Map<string, ReadLine>();
  #cut: { text: string; lines: readonly PlacedLine[] } = { text: '', lines: [] };

  /** The lines of a text, each with its line feed; rules and pieces end with their line. */
  linesOf(text: string): readonly PlacedLine[] {
    if (this.#cut.text !== text) this.#cut = { text, lines: this.#cutLines(text) };
    return this.#cut.lines;
  }

  #cutLines(text: string): PlacedLine[] {
    const lines: PlacedLine[] = [];
    for (let start = 0; start < text.length; ) {
      const feed = text.indexOf('\n', start);
      const end = feed === -1 ? text.length : feed + 1;
      lines.push({ start, read: this.#lineOf(text.slice(start, end)) });
      start = end;
    }
    return lines;
  }

  #lineOf(text: string): ReadLine {
    return remembered(this.#lines, text, () => ({ text, hits: null, marks: null, pieces: null, tokens: null }));
  }
}

/** A line with what was read of it so far; places are counted from its beginning. */
export interface ReadLine {
  text: string;
  hits: readonly FamilyHit[] | null;
  marks: LineMarks | null;
  pieces: readonly Segment[] | null;
  tokens: Int32Array | null;
}

export interface PlacedLine {
  /** Where it begins in its text. */
  start: number;
  read: ReadLine;
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
