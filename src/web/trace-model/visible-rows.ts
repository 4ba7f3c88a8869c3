import type { TraceColumns } from './columns.ts';
import { foldRepeats } from './fold-repeats.ts';
import { IntList } from './int-list.ts';

/** What a reader opened and closed, by step. */
export interface RowState {
  /** Steps whose children are hidden. */
  collapsed: ReadonlySet<number>;
  /** First steps of folds that show their members. */
  unfolded: ReadonlySet<number>;
}

/**
 * The rows of the tree from top to bottom. A row is a step, or a fold that stands for repeated siblings: then `step` is
 * the first of them and `times` is above 1.
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
  /** Place among the rows with the same parent row, from 1, and their number. */
  position: Int32Array;
  setSize: Int32Array;
}

/** @param shown steps that the filter keeps, with all their ancestors; null for no filter */
export function visibleRows(columns: TraceColumns, state: RowState, shown: Uint8Array | null = null): VisibleRows {
  return new Walk(columns, state, shown).rows();
}

/** Depth first, with a stack of its own: a trace of depth 4,000 does not fill the call stack. */
class Walk {
  readonly #columns: TraceColumns;
  readonly #state: RowState;
  readonly #shown: Uint8Array | null;
  readonly #out = new RowLists();
  readonly #stack = new RowLists();

  constructor(columns: TraceColumns, state: RowState, shown: Uint8Array | null) {
    this.#columns = columns;
    this.#state = state;
    this.#shown = shown;
  }

  rows(): VisibleRows {
    this.#pushSiblings(this.#columns.firstRoot, 1);
    while (this.#stack.length > 0) {
      const row = this.#stack.pop();
      this.#out.push(row);
      if (row.times > 1) this.#openFold(row);
      else if (!this.#state.collapsed.has(row.step))
        this.#pushSiblings(this.#columns.firstChild[row.step]!, row.level + 1);
    }
    return this.#out.toRows();
  }

  #pushSiblings(first: number, level: number): void {
    const siblings = this.#siblingsFrom(first);
    const runs = foldRepeats(siblings, this.#columns.repeat);
    for (let place = runs.length - 1; place >= 0; place--) {
      const { from, period, times } = runs[place]!;
      this.#stack.push({ step: siblings[from]!, level, times, period, position: place + 1, setSize: runs.length });
    }
  }

  #openFold({ step, level, times, period }: Row): void {
    if (!this.#state.unfolded.has(step)) return;
    const setSize = times * period;
    const members = this.#siblingsFrom(step, setSize);
    for (let place = setSize - 1; place >= 0; place--)
      this.#stack.push({ step: members[place]!, level: level + 1, times: 1, period: 1, position: place + 1, setSize });
  }

  #siblingsFrom(first: number, most = Number.POSITIVE_INFINITY): Int32Array {
    const found = new IntList();
    for (let step = first; step >= 0 && found.length < most; step = this.#columns.nextSibling[step]!)
      if (this.#shown === null || this.#shown[step] === 1) found.push(step);
    return found.toArray();
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

class RowLists {
  readonly #step = new IntList();
  readonly #level = new IntList();
  readonly #times = new IntList();
  readonly #period = new IntList();
  readonly #position = new IntList();
  readonly #setSize = new IntList();

  get length(): number {
    return this.#step.length;
  }

  push(row: Row): void {
    this.#step.push(row.step);
    this.#level.push(row.level);
    this.#times.push(row.times);
    this.#period.push(row.period);
    this.#position.push(row.position);
    this.#setSize.push(row.setSize);
  }

  pop(): Row {
    return {
      step: this.#step.pop(),
      level: this.#level.pop(),
      times: this.#times.pop(),
      period: this.#period.pop(),
      position: this.#position.pop(),
      setSize: this.#setSize.pop(),
    };
  }

  toRows(): VisibleRows {
    return {
      length: this.length,
      step: this.#step.toArray(),
      level: this.#level.toArray(),
      times: this.#times.toArray(),
      period: this.#period.toArray(),
      position: this.#position.toArray(),
      setSize: this.#setSize.toArray(),
    };
  }
}

/** @throws RangeError where there is no such row */
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

/** The row of a step, or of the fold that it is the first of; -1 where neither is visible. */
export function rowOfStep(rows: VisibleRows, step: number): number {
  // An open fold and its first member have the same step: the member comes later.
  return rows.step.lastIndexOf(step);
}

/** -1 for a row of the first level. */
export function parentRow(rows: VisibleRows, row: number): number {
  const level = rows.level[row] ?? 0;
  for (let above = row - 1; above >= 0; above--) if (rows.level[above]! < level) return above;
  return -1;
}
