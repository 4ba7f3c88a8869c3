import { ACT_ROLES } from './act-role.ts';
import type { StepView } from './step-view.ts';
import { WORDING_NAMES } from './wording.ts';

/** One numeric feature of a step. */
export interface StepColumn {
  name: string;
  of(view: StepView): number;
  /** Whether the standard score within the run is also a feature. */
  isRelative: boolean;
}

const fact = (name: string, of: (view: StepView) => boolean): StepColumn => ({
  name,
  of: (view) => (of(view) ? 1 : 0),
  isRelative: false,
});
const plain = (name: string, of: (view: StepView) => number): StepColumn => ({ name, of, isRelative: false });
const relative = (name: string, of: (view: StepView) => number): StepColumn => ({ name, of, isRelative: true });

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
const log = (count: number): number => Math.log1p(count);

const POSITION_COLUMNS: readonly StepColumn[] = [
  plain('position', (v) => v.index),
  plain('remaining', (v) => v.run.acts.length - 1 - v.index),
  plain('place', (v) => share(v.index, v.run.acts.length - 1)),
  plain('runLength', (v) => log(v.run.acts.length)),
  plain('modelPosition', (v) => v.llmIndex),
  plain('modelRemaining', (v) => v.run.llmTotal - v.llmIndex),
  plain('modelPlace', (v) => share(v.llmIndex, v.run.llmTotal)),
  plain('agentPosition', (v) => v.agentIndex),
  plain('depth', (v) => v.act.depth),
];

const ACTOR_COLUMNS: readonly StepColumn[] = [
  fact('isModel', (v) => v.act.kind === 'llm'),
  fact('isTool', (v) => v.act.kind === 'tool'),
  fact('isUser', (v) => v.act.kind === 'user'),
  fact('isSystem', (v) => v.act.kind === 'system'),
  ...ACT_ROLES.map((role) => fact(`role.${role}`, (v) => v.act.role === role)),
  fact('isAddressed', (v) => v.act.isAddressed),
  fact('isPlanning', (v) => v.act.role === 'planner' && !v.act.isAddressed),
  plain('callCount', (v) => v.act.callCount),
  fact('afterTool', (v) => v.previous?.kind === 'tool'),
  fact('afterUser', (v) => v.previous?.kind === 'user'),
  fact('afterPlanner', (v) => v.previous?.role === 'planner'),
  fact('afterAddressed', (v) => v.previous?.isAddressed === true),
  fact('afterSelf', (v) => v.previous?.agent === v.act.agent),
  fact('beforeTool', (v) => v.next?.kind === 'tool'),
  fact('beforeUser', (v) => v.next?.kind === 'user'),
  fact('beforePlanner', (v) => v.next?.role === 'planner'),
  fact('beforeVerifier', (v) => v.next?.role === 'verifier'),
  fact('beforeSelf', (v) => v.next?.agent === v.act.agent),
  plain('agentShare', (v) => share(v.run.agentTotals.get(v.act.agent) ?? 0, v.run.acts.length)),
  plain('agentCount', (v) => v.run.agentTotals.size),
  plain('toolShare', (v) => share(v.run.toolTotal, v.run.acts.length)),
];

const ERROR_COLUMNS: readonly StepColumn[] = [
  fact('isError', (v) => v.act.isError),
  fact('beforeError', (v) => v.next?.isError === true),
  fact('afterError', (v) => v.previous?.isError === true),
  fact('causesFirstError', (v) => v.run.firstError >= 0 && v.run.firstError === v.index + 1),
  plain('toFirstError', (v) => (v.run.firstError < 0 ? -20 : Math.max(-20, Math.min(20, v.index - v.run.firstError)))),
  plain('errorsBefore', (v) => v.errorsBefore),
  plain('errorsAfter', (v) => v.run.errorTotal - v.errorsBefore),
  fact('toolSaysNothing', (v) => v.nextTool !== null && v.run.flow.words[v.index + 1]!.length < 8),
];

const TEXT_COLUMNS: readonly StepColumn[] = [
  relative('length', (v) => log(v.act.outputLength)),
  relative('lines', (v) => log(v.facts.lines)),
  relative('digits', (v) => v.facts.digits),
  relative('capitals', (v) => v.facts.capitals),
  relative('symbols', (v) => v.facts.symbols),
  relative('questions', (v) => log(v.facts.questions)),
  relative('variety', (v) => share(v.words.distinct, v.words.running)),
  relative('given', (v) => log(v.act.given.length)),
  relative('prompt', (v) => log(v.act.promptLength)),
  plain('previousLength', (v) => log(v.previous?.outputLength ?? 0)),
  plain('nextLength', (v) => log(v.next?.outputLength ?? 0)),
];

const NEW_WORD_COLUMNS: readonly StepColumn[] = [
  relative('fresh', (v) => log(v.words.fresh)),
  relative('freshShare', (v) => share(v.words.fresh, v.words.distinct)),
  relative('numbers', (v) => log(v.words.numbers)),
  relative('freshNumbers', (v) => log(v.words.freshNumbers)),
  relative('freshNumberShare', (v) => share(v.words.freshNumbers, v.words.numbers)),
  relative('usedLater', (v) => log(v.words.freshUsedLater)),
  relative('usedLaterShare', (v) => share(v.words.freshUsedLater, v.words.fresh)),
  relative('numbersUsedLater', (v) => log(v.words.freshNumbersUsedLater)),
  relative('taskCovered', (v) => share(v.words.fromTask, v.run.flow.taskSize)),
  relative('taskShare', (v) => share(v.words.fromTask, v.words.distinct)),
  relative('freshInFinal', (v) => v.words.freshInFinal),
  relative('sharedWithFinal', (v) => v.words.sharedWithFinal),
  relative('freshNumbersInFinal', (v) => v.words.freshNumbersInFinal),
  relative('likePrevious', (v) => v.like.previous),
  relative('likeNext', (v) => v.like.next),
  relative('likeOwnLast', (v) => v.like.ownLast),
  relative('likePast', (v) => v.like.past),
  relative('likeLater', (v) => v.like.later),
];

const WORDING: readonly StepColumn[] = WORDING_NAMES.map((name, nth) =>
  fact(`says.${name}`, (v) => ((v.wordings >> nth) & 1) === 1),
);

export const STEP_COLUMNS: readonly StepColumn[] = [
  ...POSITION_COLUMNS,
  ...ACTOR_COLUMNS,
  ...ERROR_COLUMNS,
  ...TEXT_COLUMNS,
  ...NEW_WORD_COLUMNS,
  ...WORDING,
];
