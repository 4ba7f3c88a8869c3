import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import { cut, oneLine } from '../_kit/text.ts';
import { onlyText, pathArgument } from '../_readings/calls/argument-roles.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { closingCall } from '../_readings/conduct/submissions.ts';
import type { Verdict } from './verdict.ts';

/** Names of calls that end a run in browser and task agents. The arguments of `final_answer` are the answer itself. */
const ENDS_RUN =
  /^(?:task_?)?(?:finish(?:ed)?|done|complete(?:d|_?task)?|terminate|stop|end(?:_?(?:task|run|session|conversation))?|exit|attempt_?completion|submit)(?:_?task)?$/i;
const FLAG =
  /^(?:is_?|has_?|task_?|was_?)?(?:success(?:ful(?:ly)?)?|succeeded|complete[d]?|done|solved|achieved|goal_?(?:reached|achieved|met))$/i;
const OUTCOME = /^(?:status|outcome|verdict|task_?status|return_?type)$/i;
const NEGATIVE =
  /^(?:fail(?:ed|ure)?|infeasible|impossible|incomplete|unsuccessful|g[ai]ve_?up(?:_and_restart)?|aborted|not_?(?:done|completed?|solved))$/i;

/** `give_up`, `giveUp`, `exit_forfeit`, `abandon_task`. */
const GIVES_UP = /^(?:\w{1,20}[._])?(?:give_?up|forfeit|surrender|abandon(?:_?(?:task|run|challenge|goal))?)$/i;

/** The run ended with a call in which the agent itself marks the task as not done, or gives it up. */
export function ownVerdict(trace: Trace): Verdict | null {
  const use = toolUses(trace).at(-1);
  if (use === undefined || !hasKnownEnd(trace)) return null;
  if (GIVES_UP.test(use.name)) return closingCall(trace) === use ? verdictOf(trace, use, null) : null;
  if (!isJsonObject(use.arguments)) return null;
  if (!ENDS_RUN.test(use.name) && !isAnswer(trace, use)) return null;
  const mark = negativeMark(use.arguments);
  return mark === null ? null : verdictOf(trace, use, mark);
}

/** Whether this is the last call of the run, with a text next to the mark and no message after it. */
function isAnswer(trace: Trace, use: ToolUse): boolean {
  const message = onlyText(use.arguments);
  const isText = message !== null && !NEGATIVE.test(message.trim());
  return isText && closingCall(trace) === use && pathArgument(use.arguments) === null;
}

/** The argument that marks the task as not done, unmodified. */
function negativeMark(args: JsonObject): string | null {
  for (const [name, value] of Object.entries(args)) {
    if (value === false && FLAG.test(name)) return `${name}: false`;
    if (typeof value === 'string' && OUTCOME.test(name) && NEGATIVE.test(value.trim()))
      return `${name}: ${value.trim()}`;
  }
  return null;
}

/** The verdict on the last call with its mark; null if the name of the call is the mark. */
function verdictOf(trace: Trace, use: ToolUse, mark: string | null): Verdict {
  const who = use.agent ?? trace.steps[use.step]!.name;
  const how =
    mark === null
      ? `At step ${use.step} ${who} called ${use.name}, and nothing follows: the agent gave the task up.`
      : `${who} ended the run at step ${use.step} with ${use.name} and ${mark}: by its own mark the task is not done.`;
  return {
    subtype: 'ended_as_failed',
    score: 0.7,
    step: use.step,
    steps: [use.step],
    agent: use.agent,
    explanation: `${how}${lastResultText(trace, use)}`,
    suggestedAction: `Read what ${who} gives as the reason at step ${use.step}, and remove it or pass the task on.`,
    evidence: [{ kind: 'call', step: use.step, path: 'tool.arguments', quote: `${use.name} ${use.argumentsText}` }],
    fix: checkFix('workflow_change', {
      title: 'Handle runs that the agent marks as not done',
      target: `what follows ${use.name}`,
      description: `After ${use.name}${mark === null ? '' : `, branch on ${mark.split(':')[0]}`}: hand a task that is not done to another attempt or to a person, with the reason that ${who} gave.`,
      after: `if ${mark ?? `the run ends with ${use.name}`}: start another attempt with the reason in its instructions, or notify a person`,
      why: 'The agent says that it did not reach the goal, and the run counts as finished.',
    }),
    key: use.name,
  };
}

/** The result before the last call, as a sentence with a leading space. Empty if the last call is the first one. */
function lastResultText(trace: Trace, use: ToolUse): string {
  const before = toolUses(trace).findLast(({ step }) => step < use.step);
  const result = before === undefined ? '' : oneLine(before.failure?.message ?? before.resultText);
  return result === ''
    ? ''
    : ` The last result before it, of ${before!.name} at step ${before!.step}, is "${cut(result, 120)}".`;
}
