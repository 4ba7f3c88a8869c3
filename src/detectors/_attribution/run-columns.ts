import type { Trace } from '../../core/trace.ts';
import { memoizeByRef } from '../_kit/memoize.ts';
import { countDoubts, type Doubt } from './doubt-words.ts';
import { type RunCalls, runCalls } from './run-calls.ts';
import { stepFeatures } from './step-features.ts';
import type { StepView } from './step-view.ts';
import { WORDING_NAMES } from './wording.ts';

/** The inputs of a run's columns. The task is not included: a sender's task may contain more than the agent knew. */
interface RunReading {
  views: readonly StepView[];
  modelViews: readonly StepView[];
  calls: RunCalls;
}

/** Parsed once per trace. */
const readRun = memoizeByRef((trace: Trace): RunReading => {
  const { views } = stepFeatures(trace);
  return { views, modelViews: views.filter(({ act }) => act.kind === 'llm'), calls: runCalls(trace) };
});

interface RunColumn {
  name: string;
  of(run: RunReading): number;
}

const column = (name: string, of: (run: RunReading) => number): RunColumn => ({ name, of });
const fact = (name: string, of: (run: RunReading) => boolean): RunColumn => column(name, (run) => (of(run) ? 1 : 0));
const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
const log = Math.log1p;

const doubts = memoizeByRef(
  ({ modelViews }: RunReading): Readonly<Record<Doubt, number>> => countDoubts(modelViews.map(({ act }) => act.output)),
);

/** Share of the model turns that use such words. */
function wording(name: string): RunColumn {
  const nth = WORDING_NAMES.indexOf(name);
  const usesWording = ({ wordings }: StepView) => ((wordings >> nth) & 1) === 1;
  return column(`model.${name}`, ({ modelViews }) => share(modelViews.filter(usesWording).length, modelViews.length));
}

/** The kind of a run: runs are compared with runs that are similar in these columns. */
const KIND_COLUMNS: readonly RunColumn[] = [
  column('agents', ({ views }) => views[0]?.run.agentTotals.size ?? 0),
  column('calls', ({ calls }) => log(calls.calls)),
];

/**
 * Signs of trouble in any kind of run; chosen, not fitted. Each kind of trouble counts about once: with the number of errors in addition to
 * their share, errors would count twice.
 */
const TROUBLE: readonly RunColumn[] = [
  column('callErrorShare', ({ calls }) => share(calls.errors, calls.calls)),
  column('correctedWrites', ({ calls }) => log(calls.correctedWrites)),
  fact('endsInError', ({ calls }) => calls.endsInError),
  fact('lastTestFailed', ({ calls }) => calls.lastTestFailed),
  column('furtherWrites', ({ calls }) => log(calls.furtherWrites)),
  column('repeats', ({ calls }) => log(calls.repeats)),
  column('edits', ({ calls }) => log(calls.edits)),
  column('newFiles', ({ calls }) => log(calls.newFiles)),
  column('namedFiles', ({ calls }) => log(calls.namedFiles)),
  fact('untested', ({ calls }) => calls.edits > 0 && calls.suiteRuns === 0),
  column('conditions', (run) => log(doubts(run).condition)),
  column('guesses', (run) => log(doubts(run).guess)),
  column('negations', (run) => log(doubts(run).negation)),
  wording('searching'),
  wording('assumption'),
  column('modelLength', ({ modelViews }) =>
    share(
      modelViews.reduce((sum, { act }) => sum + log(act.outputLength), 0),
      modelViews.length,
    ),
  ),
];

export const TROUBLE_COLUMNS: readonly string[] = TROUBLE.map(({ name }) => name);

const COLUMNS = [...KIND_COLUMNS, ...TROUBLE];

/** Number of columns. Runs stored by a version with other columns have another number of them. */
export const RISK_COLUMN_COUNT = COLUMNS.length;

/** The numbers of a run that `rankedRisk` compares; few, so that a sample of the traffic can be stored. */
export function riskColumns(trace: Trace): Float64Array {
  const run = readRun(trace);
  return Float64Array.from(COLUMNS, ({ of }) => of(run));
}
