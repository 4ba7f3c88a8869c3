import type { Trace } from '../../core/trace.ts';
import { onceEach } from '../_kit/once.ts';
import { answerNumber } from './answer-number.ts';
import { runCalls } from './run-calls.ts';
import { RUN_COLUMNS, type RunReading } from './run-columns.ts';
import { stepFeatures } from './step-features.ts';

export const RUN_FEATURE_NAMES: readonly string[] = RUN_COLUMNS.map(({ name }) => name);

/** Read once a trace. */
export const readRun = onceEach((trace: Trace): RunReading => {
  const { views } = stepFeatures(trace);
  const acts = views.map(({ act }) => act);
  return { views, calls: runCalls(trace), answer: answerNumber(acts, views[0]?.run.finalAct ?? -1) };
});

/** One row of numbers for the whole run, in the order of the names. */
export function runRow(run: RunReading): Float64Array {
  return Float64Array.from(RUN_COLUMNS, (column) => column.of(run));
}
