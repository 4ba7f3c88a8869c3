import type { Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import { counted, cut, stepsText } from '../_kit/text.ts';
import { answerLine } from '../_readings/conduct/answer-line.ts';
import { endsChat } from '../_readings/conduct/chat-end.ts';
import { agentTurns } from '../_readings/conduct/conversation.ts';
import { codeRuns } from '../_readings/conduct/executions.ts';
import { hasRunFailed } from '../_readings/conduct/failed-version.ts';
import { hasFailureForm } from '../_readings/conduct/failure-form.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { statedFailure, statedVerdict } from '../_readings/conduct/run-outcome.ts';
import {
  bodyAdvice,
  missingBodyText,
  returnedText,
  type UnwrittenFunction,
  unwrittenFunctions,
} from '../_readings/conduct/unwritten-functions.ts';
import type { Verdict } from './verdict.ts';

/** A function that the user requested has no body in any version of the code, or in those that the run ended on. */
export function stubLeft(trace: Trace): Verdict | null {
  if (!isWhole(trace)) return null;
  const [unwritten] = unwrittenFunctions(trace);
  return unwritten === undefined ? null : verdictOf(trace, unwritten);
}

function verdictOf(trace: Trace, unwritten: UnwrittenFunction): Verdict {
  const { name, agent, writtenAt } = unwritten;
  const steps = [...unwritten.steps];
  const first = steps[0]!;
  const who = agent ?? trace.steps[first]!.name;
  const result = resultText(trace, steps);
  const shown = writtenAt === null ? unwritten : { ...unwritten, ...unwritten.last };
  const isCutOff = hasEndedChat(trace, steps.at(-1)!);
  return {
    subtype: 'stub_left',
    score: 0.9,
    step: first,
    steps,
    agent,
    explanation:
      writtenAt === null
        ? `The user asked for \`${name}\`, and no code of the run implements it: the version of ${who} at step ${first} contains ${contentText(unwritten)}${unwritten.unassigned === '' ? '' : ','} in place of the body.${laterText(steps.slice(1))}${result}`
        : `The user asked for \`${name}\`, and the code that the run ended on leaves it empty.${missingBodyText(unwritten)}${repeatedText(steps)}${result}`,
    suggestedAction: `${bodyAdvice(who, shown, writtenAt === null ? first : steps.at(-1)!)}.${unwritten.failedAt === null ? unprovenAdvice(trace, writtenAt) : ''} Reject code in which \`${name}\` is empty before anything runs it${isCutOff ? `, and have ${who} write TERMINATE only after it has seen a result` : ''}.`,
    evidence: [{ kind: 'text', step: first, path: 'output', quote: quoteOf(trace, unwritten) }],
    fix: checkFix('workflow_change', {
      title: `Reject code with an empty \`${name}\``,
      target: `the step that receives the code of ${who}`,
      description: `Before the code is run or accepted, parse it and look at the functions that the task names. If the body of one contains only comments, a docstring, \`pass\` or \`...\`, return that to ${who} instead of running it, and end the run as failed after three such versions.`,
      after: `on code: if a requested function has no statement, answer "write the body of ${name}"; after 3 versions, end as failed`,
      why: 'Code with an empty function cannot do the task, whatever the tests report.',
    }),
    key: name,
  };
}

function contentText({ placeholder, unassigned }: UnwrittenFunction): string {
  return placeholder === '' ? 'nothing' : `only "${cut(placeholder, 80)}"${returnedText(unassigned)}`;
}

function laterText(later: readonly number[]): string {
  if (later.length === 0) return '';
  const isOne = later.length === 1;
  return ` ${counted(later.length, 'later version')} (${stepsText(later)}) ${isOne ? 'adds' : 'add'} no statement to it.`;
}

/** How often the code was sent without the body, as a sentence with a leading space. */
function repeatedText(steps: readonly number[]): string {
  return steps.length < 2 ? '' : ` The code of ${stepsText(steps)} leaves it out.`;
}

/** One sentence with a leading space unless a run of the earlier body worked. */
function unprovenAdvice(trace: Trace, writtenAt: number | null): string {
  if (writtenAt === null) return '';
  const runs = codeRuns(trace).filter(({ requestedAt }) => requestedAt === writtenAt);
  return runs.some((run) => !hasRunFailed(run))
    ? ''
    : ` Run it before it is accepted: no run shows that the body of step ${writtenAt} works.`;
}

function hasEndedChat(trace: Trace, step: number): boolean {
  return agentTurns(trace).some((turn) => turn.step === step && endsChat(turn.text));
}

/** What the run did with the code. */
function resultText(trace: Trace, steps: readonly number[]): string {
  const first = steps[0]!;
  const runs = codeRuns(trace).filter(({ step }) => step > first);
  const failed = runs.findLast((run) => statedVerdict(run.resultText, run.command ?? '') === false);
  if (failed !== undefined)
    return ` The tests of it at step ${failed.step} state "${cut(statedFailure(failed.resultText, failed.command ?? ''), 120)}", and the run ended.`;
  const last = runs.at(-1);
  if (last !== undefined && (last.failure !== null || hasFailureForm(last.resultText)))
    return ` The run of it at step ${last.step} failed ("${cut(answerLine(last.resultText || last.failure!.message), 140)}"), and no other run follows.`;
  if (runs.length > 0) return ' The run ended with it.';
  return hasEndedChat(trace, steps.at(-1)!)
    ? ' The same message ends the chat with TERMINATE, so nothing ran the code.'
    : ' Nothing ran the code, and the run ended.';
}

/** The text from the line on that defines the function. */
function quoteOf(trace: Trace, { name, steps }: UnwrittenFunction): string {
  const text = agentTurns(trace).find(({ step }) => step === steps[0])?.text ?? trace.steps[steps[0]!]!.output;
  const lines = text.split('\n');
  const head = lines.findIndex((line) => HEAD.test(line) && line.includes(`${name}(`));
  return cut(lines.slice(Math.max(0, head)).join('\n').trim(), 280);
}

const HEAD = /\b(?:def|function|func|fn|fun) /;
