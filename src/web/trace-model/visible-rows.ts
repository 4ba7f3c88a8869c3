import type { TraceColumns } from './columns.ts';
import { foldRepeats, type SiblingRun } from './fold-repeats.ts';
import { IntList } from './int-list.ts';

/** Expanded and collapsed rows, by step. */
export interface RowState {
  /** Steps with hidden children. */
  collapsed: ReadonlySet<number>;
  /** First steps of folds that show their members. */
  unfolded: ReadonlySet<number>;
}

/**
 * The rows of the tree from top to bottom. A row is a step, or a fold of repeated siblings: then `step` is the first
 * sibling and `times` is greater than 1.
 */
export interface VisibleRows {
  length: number;
  step: Int32Array;
  /** Indentation: 1 for a root. Members of an open fold are one level below it. */
  level: Int32Array;
  /** Repetitions; 1 for a step. */
  times: Int32Array;
  /** Siblings in one repetition of a fold; 1 for a step. */
  period: Int32Array;
  /** Position among the rows with the same parent row, from 1, and their number. */
  position: Int32Array;
  setSize: Int32Array;
}

/** @param shown steps that the filter keeps, with all their ancestors; null for no filter */
export function visibleRows(columns: TraceColumns, state: RowState, shown: Uint8Array | null = null): VisibleRows {
  return new TreeWalk(columns, state, shown).rows();
}

/** The siblings of one level during the traversal. */
interface Frame {
  siblings: Int32Array;
  /** Null for the members of an open fold, which have a row each. */
  runs: readonly SiblingRun[] | null;
  /** Index of the next row. */
  next: number;
  level: number;
}

/** Depth-first traversal with an explicit stack, so that a trace of depth 4,000 does not overflow the call stack. */
class TreeWalk {
  readonly #columns: TraceColumns;
  readonly #state: RowState;
  readonly #shown: Uint8Array | null;
  readonly #rows: RowList;
  readonly #stack: Frame[] = [];

  constructor(columns: TraceColumns, state: RowState, shown: Uint8Array | null) {
    this.#columns = columns;
    this.#state = state;
    this.#shown = shown;
    // A fold adds one row for at least three steps.
    this.#rows = new RowList(columns.total + Math.ceil(columns.total / 3));
  }

  rows(): VisibleRows {
    this.#enterSiblings(this.#columns.firstRoot, 1);
    while (this.#stack.length > 0) this.#advance(this.#stack.at(-1)!);
    return this.#rows.toRows();
  }

  #advance(frame: Frame): void {
    const { siblings, runs, level } = frame;
    const setSize = runs?.length ?? siblings.length;
    if (frame.next === setSize) {
      this.#stack.pop();
      return;
    }
    const run = runs?.[frame.next];
    const step = siblings[run?.from ?? frame.next]!;
    const [times, period] = [run?.times ?? 1, run?.period ?? 1];
    frame.next++;
    this.#rows.push(step, level, times, period, frame.next, setSize);
    if (times > 1) this.#enterFold(step, times * period, level + 1);
    else if (!this.#state.collapsed.has(step)) this.#enterSiblings(this.#columns.firstChild[step]!, level + 1);
  }

  #enterSiblings(first: number, level: number): void {
    if (first < 0) return;
    const siblings = this.#siblingsFrom(first);
    const runs = foldRepeats(siblings, this.#columns.repeat);
    this.#stack.push({ siblings, runs, next: 0, level });
  }

  #enterFold(first: number, members: number, level: number): void {
    if (!this.#state.unfolded.has(first)) return;
    this.#stack.push({ siblings: this.#siblingsFrom(first, members), runs: null, next: 0, level });
  }

  #siblingsFrom(first: number, limit = Number.POSITIVE_INFINITY): Int32Array {
    const siblings = new IntList();
    for (let step = first; step >= 0 && siblings.length < limit; step = this.#columns.nextSibling[step]!)
      if (this.#shown === null || this.#shown[step] === 1) siblings.push(step);
    return siblings.toArray();
  }
}

export interface Row {
  step: number;
  level: number;
  times: number;
  period: number;
  position: number;
  setSize: number;
}

/** Typed arrays instead of objects, because a trace of 250,000 steps has as many rows. */
class RowList {
  #length = 0;
  readonly #step: Int32Array;
  readonly #level: Int32Array;
  readonly #times: Int32Array;
  readonly #period: Int32Array;
  readonly #position: Int32Array;
  readonly #setSize: Int32Array;

  constructor(capacity: number) {
    const column = () => new Int32Array(capacity);
    this.#step = column();
    this.#level = column();
    this.#times = column();
    this.#period = column();
    this.#position = column();
    this.#setSize = column();
  }

  push(step: number, level: number, times: number, period: number, position: number, setSize: number): void {
    const index = this.#length++;
    this.#step[index] = step;
    this.#level[index] = level;
    this.#times[index] = times;
    this.#period[index] = period;
    this.#position[index] = position;
    this.#setSize[index] = setSize;
  }

  toRows(): VisibleRows {
    const trim = (column: Int32Array) => column.slice(0, this.#length);
    return {
      length: this.#length,
      step: trim(this.#step),
      level: trim(this.#level),
      times: trim(this.#times),
      period: trim(this.#period),
      position: trim(this.#position),
      setSize: trim(this.#setSize),
    };
  }
}

/** @throws RangeError if there is no such row */
export function rowAt(rows: VisibleRows, row: number): Row {
  if (!(row >= 0 && row < rows.length)) throw new RangeError(`no row ${row}`);
  return {
    step: rows.step[row]!,
    level: rows.level[row]!,
    times: rows.times[row]!,
    period: rows.period[row]!,
    position: rows.position[row]!,
    setSize: rows.setSize[row]!,
  };
}

/** The row of a step, or of the fold that starts with it; -1 if neither is visible. */
export function rowOfStep(rows: VisibleRows, step: number): number {
  // An open fold and its first member have the same step; the member is the later row.
  return rows.step.lastIndexOf(step);
}

/** -1 for a row of the first level. */
export function parentRow(rows: VisibleRows, row: number): number {
  const level = rows.level[row] ?? 0;
  for (let candidate = row - 1; candidate >= 0; candidate--) if (rows.level[candidate]! < level) return candidate;
  return -1;
}
