import type { Trace } from '../../core/trace.ts';
import { memoizeByRef } from '../_kit/memoize.ts';
import { STEP_COLUMNS } from './step-columns.ts';
import { type StepView, stepViews } from './step-view.ts';

/** One row of features for each act of a run. */
export interface StepFeatures {
  /** Names of the features in a row; the same for every trace. */
  names: readonly string[];
  views: readonly StepView[];
  /** Index into `Trace.steps` of each row. */
  steps: readonly number[];
  rows: readonly Float64Array[];
}

const RELATIVE = STEP_COLUMNS.flatMap((column, at) => (column.isRelative ? [{ name: `${column.name}.z`, at }] : []));

/** Raw features first, then the standard scores of the relative ones. */
export const STEP_FEATURE_NAMES: readonly string[] = [
  ...STEP_COLUMNS.map((column) => column.name),
  ...RELATIVE.map(({ name }) => name),
];

/** Computed once per trace; time is proportional to the length of its texts. */
export const stepFeatures = memoizeByRef((trace: Trace): StepFeatures => {
  const views = stepViews(trace);
  let rows: Float64Array[] | null = null;
  return {
    names: STEP_FEATURE_NAMES,
    views,
    steps: views.map(({ act }) => act.step),
    // A reader of run-level features needs none of the steps.
    get rows() {
      rows ??= rowsOf(views);
      return rows;
    },
  };
});

function rowsOf(views: readonly StepView[]): Float64Array[] {
  const rows = views.map((view) => {
    const row = new Float64Array(STEP_FEATURE_NAMES.length);
    STEP_COLUMNS.forEach((column, at) => {
      row[at] = column.of(view);
    });
    return row;
  });
  RELATIVE.forEach(({ at }, nth) => {
    standardise(rows, at, STEP_COLUMNS.length + nth);
  });
  return rows;
}

/** Standard scores within the run, limited to ±5; all 0 if the values do not vary. */
function standardise(rows: readonly Float64Array[], from: number, to: number): void {
  const mean = rows.reduce((sum, row) => sum + row[from]!, 0) / Math.max(1, rows.length);
  const variance = rows.reduce((sum, row) => sum + (row[from]! - mean) ** 2, 0) / Math.max(1, rows.length);
  const deviation = Math.sqrt(variance);
  if (deviation < 1e-9) return;
  for (const row of rows) row[to] = Math.max(-5, Math.min(5, (row[from]! - mean) / deviation));
}
