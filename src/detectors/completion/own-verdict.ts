import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import { cut, oneLine } from '../_kit/text.ts';
import { onlyText, pathArgument } from '../_readings/calls/argument-roles.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { plainName } from '../_readings/calls/tool-names.ts';
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

/** Names of calls that pass the answer of the run: `finish`, `return_answer`, `done`, `submit_result`. */
export const PASSES_ANSWER =
  /^(?:\w{1,12}[._])?(?:finish(?:ed)?|done|complete|final|answer|submit|return|report|respond|reply|stop|terminate)(?![a-z])/i;
/** Texts in the place of an answer. `none` and `0` may be the answer. */
const NO_ANSWER =
  /^\W{0,3}(?:n\/a|null|undefined|unknown|no answer|not (?:found|available)|(?:nicht |un)bekannt|keine angabe|inconnue?|desconocid[oa]|desconhecid[oa]|sconosciut[oa]|onbekend|不明|未知|无法确定)\W{0,3}$/iu;

/** `give_up`, `giveUp`, `exit_forfeit`, `abandon_task`, `aufgeben`. */
const GIVES_UP =
  /^(?:\w{1,20}[._])?(?:give_?up|forfeit|surrender|abandon(?:_?(?:task|run|challenge|goal))?|(?:aufgabe_)?aufgeben|rendirse|abandonar(?:_tarea|_tarefa)?|abandonner(?:_tache)?|desistir|arrendersi|放弃|諦める)$/i;

/** The run ended with a call in which the agent itself marks the task as not done, gives it up, or passes no answer. */
export function ownVerdict(trace: Trace): Verdict | null {
  const use = toolUses(trace).at(-1);
  if (use === undefined || !hasKnownEnd(trace)) return null;
  if (GIVES_UP.test(plainName(use.name))) return closingCall(trace) === use ? givenUpVerdict(trace, use) : null;
  if (PASSES_ANSWER.test(plainName(use.name)) && !use.isError && NO_ANSWER.test(onlyText(use.arguments) ?? ''))
    return noAnswerVerdict(trace, use, onlyText(use.arguments)!.trim());
  if (!isJsonObject(use.arguments)) return null;
  if (!ENDS_RUN.test(plainName(use.name)) && !isAnswer(trace, use)) return null;
  const mark = negativeMark(use.arguments);
  return mark === null ? null : markedVerdict(trace, use, mark);
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

/** The verdict on a call with which the agent itself marks the task as not done. */
function markedVerdict(trace: Trace, use: ToolUse, mark: string): Verdict {
  return verdictOf(trace, use, {
    how: (who) =>
      `${who} ended the run at step ${use.step} with ${use.name} and ${mark}: by its own mark the task is not done.`,
    branch: `branch on ${mark.split(':')[0]}`,
    condition: mark,
  });
}

function givenUpVerdict(trace: Trace, use: ToolUse): Verdict {
  return verdictOf(trace, use, {
    how: (who) => `At step ${use.step} ${who} called ${use.name}, and nothing follows: the agent gave the task up.`,
    branch: null,
    condition: `the run ends with ${use.name}`,
    isNameOnly: true,
  });
}

/** The verdict on a call that passes a text such as `N/A` in the place of an answer. */
function noAnswerVerdict(trace: Trace, use: ToolUse, answer: string): Verdict {
  const isFirst = !toolUses(trace).some(({ step }) => step < use.step);
  const verdict = verdictOf(trace, use, {
    how: (who) =>
      `At step ${use.step} ${who} ended the run with "${answer}" in place of an answer${isFirst ? ', and no call precedes it' : ''}.`,
    branch: `branch on the answer "${answer}"`,
    condition: `the answer is "${answer}"`,
  });
  const who = use.agent ?? trace.steps[use.step]!.name;
  return isFirst
    ? {
        ...verdict,
        suggestedAction: `Have ${who} search before it passes no answer: step ${use.step} is its first call.`,
      }
    : verdict;
}

interface Mark {
  /** A sentence about the agent, which is named as `who`. */
  how: (who: string) => string;
  /** What a program can branch on; null if the name of the call is the mark. */
  branch: string | null;
  condition: string;
  /** Whether nothing but the name of the call shows the verdict. */
  isNameOnly?: true;
}

function verdictOf(trace: Trace, use: ToolUse, { how, branch, condition, isNameOnly }: Mark): Verdict {
  const who = use.agent ?? trace.steps[use.step]!.name;
  return {
    subtype: 'ended_as_failed',
    // At most `info` (`severity-rule.ts`): what a tool is named decides no warning.
    score: isNameOnly === true ? 0.5 : 0.7,
    step: use.step,
    steps: [use.step],
    agent: use.agent,
    explanation: `${how(who)}${lastResultText(trace, use)}`,
    suggestedAction: `Read what ${who} gives as the reason at step ${use.step}, and remove it or pass the task on.`,
    evidence: [{ kind: 'call', step: use.step, path: 'tool.arguments', quote: `${use.name} ${use.argumentsText}` }],
    fix: checkFix('workflow_change', {
      title: 'Handle runs that the agent marks as not done',
      target: `what follows ${use.name}`,
      description: `After ${use.name}${branch === null ? '' : `, ${branch}`}: hand a task that is not done to another attempt or to a person, with the reason that ${who} gave.`,
      after: `if ${condition}: start another attempt with the reason in its instructions, or notify a person`,
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
