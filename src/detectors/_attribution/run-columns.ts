import { onceEach } from '../_kit/once.ts';
import type { AnswerNumber } from './answer-number.ts';
import { countDoubts, type Doubt } from './doubt-words.ts';
import type { RunCalls } from './run-calls.ts';
import type { StepView } from './step-view.ts';
import { WORDING_NAMES } from './wording.ts';

/** Everything the numbers of a run are read from. The task is not part of it: senders may know more than the agent did. */
export interface RunReading {
  views: readonly StepView[];
  calls: RunCalls;
  answer: AnswerNumber;
}

export interface RunColumn {
  name: string;
  of(run: RunReading): number;
}

const column = (name: string, of: (run: RunReading) => number): RunColumn => ({ name, of });
const fact = (name: string, of: (run: RunReading) => boolean): RunColumn => column(name, (run) => (of(run) ? 1 : 0));
const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
const log = Math.log1p;

type Kind = StepView['act']['kind'];

/** Sorted once a run: nearly every column asks for them. */
const kindsOf = onceEach(
  ({ views }: RunReading): Partial<Record<Kind, readonly StepView[]>> => Object.groupBy(views, ({ act }) => act.kind),
);

function ofKind(run: RunReading, kind: Kind): readonly StepView[] {
  return kindsOf(run)[kind] ?? [];
}

const meanLength = (views: readonly StepView[]) =>
  share(
    views.reduce((sum, { act }) => sum + log(act.saidLength), 0),
    views.length,
  );
const last = (views: readonly StepView[]) => views[views.length - 1];

const SIZE: readonly RunColumn[] = [
  column('acts', ({ views }) => log(views.length)),
  column('modelTurns', (run) => log(ofKind(run, 'llm').length)),
  column('userTurns', (run) => log(ofKind(run, 'user').length)),
  column('toolTurns', (run) => log(ofKind(run, 'tool').length)),
  column('agents', ({ views }) => views[0]?.run.agentTotals.size ?? 0),
  column('modelLength', (run) => meanLength(ofKind(run, 'llm'))),
  column('userLength', (run) => meanLength(ofKind(run, 'user'))),
  column('firstUserLength', (run) => log(ofKind(run, 'user')[0]?.act.saidLength ?? 0)),
  column('lastModelLength', (run) => log(last(ofKind(run, 'llm'))?.act.saidLength ?? 0)),
  column('lastUserLength', (run) => log(last(ofKind(run, 'user'))?.act.saidLength ?? 0)),
  column('resultLength', ({ calls }) => log(calls.resultLength)),
  fact('endsWithModel', ({ views }) => last(views)?.act.kind === 'llm'),
  fact('endsWithTool', ({ views }) => last(views)?.act.kind === 'tool'),
  fact('endsWithUser', ({ views }) => last(views)?.act.kind === 'user'),
  column('questions', (run) =>
    share(ofKind(run, 'llm').filter(({ facts }) => facts.questions > 0).length, ofKind(run, 'llm').length),
  ),
  column('talkShare', (run) =>
    share(ofKind(run, 'llm').filter(({ act }) => act.callCount === 0).length, ofKind(run, 'llm').length),
  ),
  column('likeOwnLast', (run) => Math.max(0, ...ofKind(run, 'llm').map(({ like }) => like.ownLast))),
  column('meanLikeOwnLast', (run) =>
    share(
      ofKind(run, 'llm').reduce((sum, { like }) => sum + like.ownLast, 0),
      ofKind(run, 'llm').length,
    ),
  ),
  column('errorShare', ({ views }) => share(views.filter(({ act }) => act.isError).length, views.length)),
];

const COUNTS = [
  'calls',
  'tools',
  'lookups',
  'writes',
  'errors',
  'writeErrors',
  'correctedWrites',
  'repeats',
  'furtherWrites',
  'lookupsBeforeWrite',
  'handovers',
  'handoversAfterWrite',
  'commands',
  'edits',
  'testRuns',
  'suiteRuns',
  'reverts',
  'testsAfterEdit',
  'commandErrors',
  'newFiles',
  'pagedReads',
  'namedFiles',
  'patchLines',
] as const;

const CALLS: readonly RunColumn[] = [
  ...COUNTS.map((name) => column(name, ({ calls }) => log(calls[name]))),
  fact('endsInError', ({ calls }) => calls.endsInError),
  fact('endsInHandover', ({ calls }) => calls.endsInHandover),
  fact('lastTestFailed', ({ calls }) => calls.lastTestFailed),
  fact('untested', ({ calls }) => calls.edits > 0 && calls.suiteRuns === 0),
  column('writeShare', ({ calls }) => share(calls.writes, calls.calls)),
  column('callErrorShare', ({ calls }) => share(calls.errors, calls.calls)),
  column('repeatShare', ({ calls }) => share(calls.repeats, calls.calls)),
];

/** How often the model's turns say such words. */
const doubts = onceEach(
  (run: RunReading): Readonly<Record<Doubt, number>> => countDoubts(ofKind(run, 'llm').map(({ act }) => act.said)),
);

const DOUBT: readonly RunColumn[] = [
  column('hedges', (run) => log(doubts(run).hedge)),
  column('hedgesPerTurn', (run) => share(doubts(run).hedge, ofKind(run, 'llm').length)),
  column('conditions', (run) => log(doubts(run).condition)),
  column('guesses', (run) => log(doubts(run).guess)),
  column('negations', (run) => log(doubts(run).negation)),
];

const ANSWER: readonly RunColumn[] = [
  fact('hasNumber', ({ answer }) => answer.hasNumber),
  fact('isBoxed', ({ answer }) => answer.isBoxed),
  fact('isShown', ({ answer }) => answer.isShown),
  fact('isLastShown', ({ answer }) => answer.isLastShown),
  column('candidates', ({ answer }) => log(answer.candidates)),
];

const says = (view: StepView | undefined, nth: number) => (((view?.wordings ?? 0) >> nth) & 1) === 1;
const saying = (views: readonly StepView[], nth: number) =>
  views.reduce((sum, view) => sum + (says(view, nth) ? 1 : 0), 0);

/** The opening message says what is wanted, not how it goes. */
const laterUser = (run: RunReading, nth: number) => {
  const views = ofKind(run, 'user');
  return saying(views, nth) - (says(views[0], nth) ? 1 : 0);
};
const lastLaterUser = (run: RunReading) => (ofKind(run, 'user').length > 1 ? last(ofKind(run, 'user')) : undefined);

const WORDING: readonly RunColumn[] = WORDING_NAMES.flatMap((name, nth) => [
  column(`model.${name}`, (run) => share(saying(ofKind(run, 'llm'), nth), ofKind(run, 'llm').length)),
  column(`user.${name}`, (run) => share(laterUser(run, nth), ofKind(run, 'user').length)),
  fact(`lastModel.${name}`, (run) => says(last(ofKind(run, 'llm')), nth)),
  fact(`lastUser.${name}`, (run) => says(lastLaterUser(run), nth)),
]);

export const RUN_COLUMNS: readonly RunColumn[] = [...SIZE, ...CALLS, ...DOUBT, ...ANSWER, ...WORDING];
