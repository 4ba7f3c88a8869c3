import type { FamilyHit } from './families.ts';
import type { PieceScore } from './score-piece.ts';
import type { Segment } from './segments.ts';

/** Marks of a line; none of them extends over the end of a line. */
export interface LineMarks {
  fakeRoles: readonly { start: number; end: number }[];
  roleComments: readonly { start: number; end: number }[];
  hasOtherScript: boolean;
  /** Whether it contains invisible characters. */
  hasHiddenText: boolean;
}

/**
 * Cache of the results for lines, pieces and windows, by text: a run sends its model the same messages repeatedly, each
 * time with additional ones. One cache per run and model.
 */
export class ReadingMemo {
  /** Log-odds of an attack for windows without a rule match. */
  readonly windows = new Map<string, number>();
  readonly pieces = new Map<string, PieceScore>();
  readonly #lines = new Map<string, ReadLine>();
  #cut: { text: string; lines: readonly PlacedLine[] } = { text: '', lines: [] };

  /** The lines of a text, each with its line feed. Rules and pieces do not cross lines. */
  linesOf(text: string): readonly PlacedLine[] {
    if (this.#cut.text !== text) this.#cut = { text, lines: this.#cutLines(text) };
    return this.#cut.lines;
  }

  #cutLines(text: string): PlacedLine[] {
    // A message history begins with the history before it, whose last line may be longer now.
    const isContinued = this.#cut.lines.length > 0 && text.startsWith(this.#cut.text);
    const lines = isContinued ? this.#cut.lines.slice(0, -1) : [];
    for (let start = isContinued ? this.#cut.lines.at(-1)!.start : 0; start < text.length; ) {
      const feed = text.indexOf('\n', start);
      const end = feed === -1 ? text.length : feed + 1;
      lines.push({ start, read: this.#lineOf(text.slice(start, end)) });
      start = end;
    }
    return lines;
  }

  #lineOf(text: string): ReadLine {
    return remembered(this.#lines, text, () => ({
      text,
      hits: null,
      marks: null,
      pieces: null,
      tokens: null,
      isAboutAttacks: null,
    }));
  }
}

/** A line with its results so far; positions are relative to its start. */
export interface ReadLine {
  text: string;
  hits: readonly FamilyHit[] | null;
  marks: LineMarks | null;
  pieces: readonly Segment[] | null;
  tokens: Int32Array | null;
  isAboutAttacks: boolean | null;
}

export interface PlacedLine {
  /** Start of the line in its text. */
  start: number;
  read: ReadLine;
}

/** The value of the key; computed and stored if missing. */
export function remembered<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}
