import type { Step, StepError, Trace } from '../../core/trace.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { failureCause } from '../_readings/calls/failure-class.ts';
import type { FailureText } from '../_readings/calls/failure-text.ts';
import { joinedCalls } from '../_readings/calls/joined-calls.ts';
import {
  isContextOverflow,
  isControlFlow,
  isOutputMismatch,
  isRefusedWrite,
  isStepLimit,
} from '../_readings/calls/run-errors.ts';
import { isInterruption } from '../_readings/coding/interrupts.ts';
import { refusalOf } from '../_readings/coding/refusals.ts';
import { actOf } from '../_readings/conduct/call-acts.ts';
import { joinedCallsBefore } from './after-joined-calls.ts';
import { isConfirmedFailure } from './confirmed-failure.ts';
import type { Failure } from './failure.ts';
import { toolsThatNeverWorked } from './never-worked.ts';
import { isOwnAnswer } from './own-answer.ts';

/** Failures of one tool, model or node for one reason. */
export interface FailureGroup {
  failures: [Failure, ...Failure[]];
  /** Distinguishes the group from others of the same agent and class. */
  key: string;
  /** Calls of the tool in the run, if all of them failed. */
  neverWorked?: number;
}

/** Limit for groups. A run with more kinds of failures is explained by its end. */
const MAX_GROUPS = 20;

/** @param reported failed calls that another detection reports: one fault is one detection */
export function groupFailures(trace: Trace, reported: ReadonlySet<ToolUse> = new Set()): FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  const all = findFailures(trace, reported);
  const broken = toolsThatNeverWorked(trace, all);
  for (const failure of all) {
    const calls = failure.what === 'tool' ? broken.get(failure.name) : undefined;
    if (failure.isReported && calls === undefined) continue;
    const key =
      calls !== undefined
        ? failure.name
        : joinedCallsBefore({ trace, failure }) !== null
          ? ['joined', failure.agent].join('\n')
          : `${kindOf(failure)}\n${failure.reason}`;
    const group = groups.get(key);
    if (group !== undefined) {
      group.failures.push(failure);
      continue;
    }
    const isFurther = [...groups.values()].some(({ failures: [first] }) => kindOf(first) === kindOf(failure));
    groups.set(key, {
      failures: [failure],
      key: isFurther ? `${failure.name} ${failure.reason ?? failure.class}` : failure.name,
      ...(calls === undefined ? {} : { neverWorked: calls }),
    });
  }
  return [...groups.values()].slice(-MAX_GROUPS);
}

function kindOf({ what, agent, name, class: failureClass }: Failure): string {
  return [what, agent, name, failureClass].join('\n');
}

function findFailures(trace: Trace, reported: ReadonlySet<ToolUse>): Failure[] {
  const failures: Failure[] = [];
  const toolSteps = new Set<number>();
  // `tool_provision` reports them.
  const joined = new Set(joinedCalls(trace).map(({ use }) => use));
  for (const use of toolUses(trace)) {
    toolSteps.add(use.step);
    if (
      joined.has(use) ||
      use.failure === null ||
      use.command !== null ||
      refusalOf(use) !== null ||
      actOf(trace, use) === 'wait'
    )
      continue;
    if (isConfirmedFailure(trace, use)) continue;
    if (isControlFlow({ type: use.failure.code, message: use.failure.message })) continue;
    const step = trace.steps[use.step]!;
    const what = step.kind !== 'llm' && step.tool === null && step.model !== null ? 'model' : 'tool';
    const failure = failureAt(use.step, use.agent, use.name, what, use.failure);
    const cause = isOwnAnswer(use) ? ({ class: 'declined', reason: null } as const) : {};
    failures.push({ ...failure, ...cause, isReported: reported.has(use) });
  }
  const hasFailedChild = new Set(
    trace.steps.flatMap((step) => (step.error !== null && step.parent !== null ? [step.parent] : [])),
  );
  for (const step of trace.steps) {
    if (step.error === null || toolSteps.has(step.index) || isReportedElsewhere(step.error) || isInterruption(step))
      continue;
    if (isEnclosing(step) && (hasFailedChild.has(step.index) || repeatsFailure(trace, failures, step))) continue;
    const what = isModelCall(step) ? 'model' : 'step';
    failures.push(failureAt(step.index, step.agent, step.model ?? step.node ?? step.name, what, errorText(step)));
  }
  return failures.sort((a, b) => a.step - b.step);
}

/** Names of model call spans in the GenAI conventions: operation and model. */
const MODEL_OPERATION = /^(?:chat|text_completion|generate_content|embeddings) [\w./:-]{1,80}$/;

/** Whether a step is a model call. If a framework sets no kind, the model name identifies it. */
function isModelCall({ kind, model, name }: Step): boolean {
  const isNamed = model !== null || MODEL_OPERATION.test(name);
  return kind === 'llm' || kind === 'embedding' || (isNamed && (kind === 'other' || kind === 'chain'));
}

function failureAt(
  step: number,
  agent: string | null,
  name: string,
  what: Failure['what'],
  text: FailureText,
): Failure {
  return { step, agent, name, what, ...failureCause(text), text, isReported: false };
}

function errorText(step: Step): FailureText {
  const { type, message } = step.error!;
  return { code: type, message: message || type };
}

/** Whether another detector reports the error, whatever step it is on, or the error is not a failure. */
function isReportedElsewhere(error: StepError): boolean {
  return (
    isControlFlow(error) ||
    isStepLimit(error) ||
    isContextOverflow(error) ||
    isRefusedWrite(error) ||
    isOutputMismatch(error)
  );
}

function isEnclosing(step: Step): boolean {
  return step.kind === 'agent' || step.kind === 'chain' || step.kind === 'other';
}

/**
 * Whether a span repeats the failure of a step inside it, sometimes with additional text. A later span of the same name and
 * parent is a call of its own.
 */
function repeatsFailure({ steps }: Trace, failures: readonly Failure[], step: Step): boolean {
  return failures.some(
    ({ text, isReported: hasReport, step: at }) =>
      !hasReport &&
      step.error!.message.includes(text.message.slice(0, 80)) &&
      !(steps[at]!.name === step.name && steps[at]!.parent === step.parent && step.kind === 'other'),
  );
}
