import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
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
const OUTCOME = /^(?:status|outcome|verdict|task_?status)$/i;
const NEGATIVE =
  /^(?:fail(?:ed|ure)?|infeasible|impossible|incomplete|unsuccessful|gave_?up|aborted|not_?(?:done|completed?|solved))$/i;

/** The run ended with a call in which the agent itself marks the task as not done. */
export function ownVerdict(trace: Trace): Verdict | null {
  const use = toolUses(trace).at(-1);
  if (use === undefined || !hasKnownEnd(trace) || !isJsonObject(use.arguments)) return null;
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

function verdictOf(trace: Trace, use: ToolUse, mark: string): Verdict {
  const who = use.agent ?? trace.steps[use.step]!.name;
  return {
    subtype: 'ended_as_failed',
    score: 0.7,
    step: use.step,
    steps: [use.step],
    agent: use.agent,
    explanation: `${who} ended the run at step ${use.step} with ${use.name} and ${mark}: by its own mark the task is not done.`,
    suggestedAction: `Read what ${who} gives as the reason at step ${use.step}, and remove it or pass the task on.`,
    evidence: [{ kind: 'call', step: use.step, path: 'tool.arguments', quote: `${use.name} ${use.argumentsText}` }],
    fix: checkFix('workflow_change', {
      title: 'Handle runs that the agent marks as not done',
      target: `what follows ${use.name}`,
      description: `After ${use.name}, branch on ${mark.split(':')[0]}: hand a task that is not done to another attempt or to a person, with the reason that ${who} gave.`,
      after: `if ${mark}: start another attempt with the reason in its instructions, or notify a person`,
      why: 'The agent says that it did not reach the goal, and the run counts as finished.',
    }),
    key: use.name,
  };
}
