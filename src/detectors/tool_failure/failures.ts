import type { Step, StepError, Trace } from '../../core/trace.ts';
import { isInterruption } from '../_coding/interrupts.ts';
import { isPoll } from '../_coding/polling.ts';
import { refusalOf } from '../_coding/refusals.ts';
import { type ToolUse, toolUses } from '../_kit/calls.ts';
import type { FailureText } from '../_kit/failure-text.ts';
import { isContextOverflow, isControlFlow, isRefusedWrite, isStepLimit } from '../_kit/run-errors.ts';
import { classifyFailure, type FailureClass } from './classify.ts';
import { toolsThatNeverWorked } from './never-worked.ts';

/** One failed call of a tool, a model or a graph node. */
export interface Failure {
  step: number;
  agent: string | null;
  /** Tool, model or node. */
  name: string;
  what: 'tool' | 'model' | 'step';
  class: FailureClass;
  text: FailureText;
}

/** Failures of one thing for one reason. */
export interface FailureGroup {
  failures: [Failure, ...Failure[]];
  /** Calls of the tool in the run, where every one failed. */
  neverWorked?: number;
}

/** A run that fails in more ways than this is told by its end, where what stopped it stands. */
const MOST_GROUPS = 20;

/** @param told failed calls that another finding tells: one fault is one finding */
export function groupFailures(trace: Trace, told: ReadonlySet<ToolUse> = new Set()): FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  const all = findFailures(trace, told);
  const broken = toolsThatNeverWorked(trace, all);
  for (const failure of all) {
    const calls = failure.what === 'tool' ? broken.get(failure.name) : undefined;
    const key =
      calls !== undefined ? failure.name : [failure.what, failure.agent, failure.name, failure.class].join('\n');
    const group = groups.get(key);
    if (group === undefined)
      groups.set(key, { failures: [failure], ...(calls === undefined ? {} : { neverWorked: calls }) });
    else group.failures.push(failure);
  }
  return [...groups.values()].slice(-MOST_GROUPS);
}

function findFailures(trace: Trace, told: ReadonlySet<ToolUse>): Failure[] {
  const failures: Failure[] = [];
  const toolSteps = new Set<number>();
  for (const use of toolUses(trace)) {
    toolSteps.add(use.step);
    if (use.failure === null || use.command !== null || told.has(use) || refusalOf(use) !== null || isPoll(use))
      continue;
    if (isControlFlow({ type: use.failure.code, message: use.failure.message })) continue;
    const step = trace.steps[use.step]!;
    const what = step.kind !== 'llm' && step.tool === null && step.model !== null ? 'model' : 'tool';
    const failure = failureAt(use.step, use.agent, use.name, what, use.failure);
    failures.push(isAnswer(step, failure) ? { ...failure, class: 'declined' } : failure);
  }
  const hasFailedChild = new Set(
    trace.steps.flatMap((step) => (step.error !== null && step.parent !== null ? [step.parent] : [])),
  );
  for (const step of trace.steps) {
    if (step.error === null || toolSteps.has(step.index) || isToldElsewhere(step.error) || isInterruption(step))
      continue;
    if (isEnclosing(step) && (hasFailedChild.has(step.index) || repeatsFailure(failures, step))) continue;
    const what = isModelCall(step) ? 'model' : 'step';
    failures.push(failureAt(step.index, step.agent, step.model ?? step.node ?? step.name, what, errorText(step)));
  }
  return failures.sort((a, b) => a.step - b.step);
}

/** A framework may give the span of a model call no kind; the model's name says what it is. */
function isModelCall({ kind, model }: Step): boolean {
  return kind === 'llm' || kind === 'embedding' || (model !== null && (kind === 'other' || kind === 'chain'));
}

/** How frameworks report an exception of a tool as its result. */
const WRAPPED = /^\W{0,3}error (?:executing|calling|invoking|running|while|when|in)\b|^traceback\b/i;

/** The tool itself ran and answered that it did not do it, such as a rule of the business that forbids it. */
function isAnswer(step: Step, { class: of, text: { code, message } }: Failure): boolean {
  if (of !== 'other' || code !== '' || step.error !== null || step.status === 'error') return false;
  return step.toolOutcome === undefined && !WRAPPED.test(message);
}

function failureAt(
  step: number,
  agent: string | null,
  name: string,
  what: Failure['what'],
  text: FailureText,
): Failure {
  return { step, agent, name, what, class: classifyFailure(text), text };
}

function errorText(step: Step): FailureText {
  const { type, message } = step.error!;
  return { code: type, message: message || type };
}

/** One fault is one finding: these errors belong to other detectors, whatever step carries them, or are none. */
function isToldElsewhere(error: StepError): boolean {
  return isControlFlow(error) || isStepLimit(error) || isContextOverflow(error) || isRefusedWrite(error);
}

function isEnclosing(step: Step): boolean {
  return step.kind === 'agent' || step.kind === 'chain' || step.kind === 'other';
}

/** Spans around a failure report it again, sometimes with more words around it. */
function repeatsFailure(failures: readonly Failure[], step: Step): boolean {
  return failures.some(({ text }) => step.error!.message.includes(text.message.slice(0, 80)));
}
