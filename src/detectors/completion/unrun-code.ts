import type { Fix } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import { cut, oneLine, stepsText } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { codeIn } from '../_readings/calls/fenced-code.ts';
import { answerSummary, isBare } from '../_readings/conduct/answer-line.ts';
import { endsChat } from '../_readings/conduct/chat-end.ts';
import { type ConversationTurn, conversation } from '../_readings/conduct/conversation.ts';
import { codeOf, codeRuns } from '../_readings/conduct/executions.ts';
import { failedVersion, sameRun } from '../_readings/conduct/failed-version.ts';
import { functionBodies } from '../_readings/conduct/function-bodies.ts';
import { givenCalls } from '../_readings/conduct/given-calls.ts';
import { inventedOutputs } from '../_readings/conduct/invented-output.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { statedVerdict } from '../_readings/conduct/run-outcome.ts';
import { exampleAdvice } from '../_readings/conduct/task-examples.ts';
import { claimOfTesting } from '../_readings/conduct/work-statement.ts';
import { needsAnswer } from './abandoned-run.ts';
import type { Verdict } from './verdict.ts';

/**
 * A message with code ends the chat, so that no runner receives the code. The code contains a call of the script that the
 * user gave: it is meant to be run, and the answer rests on its result.
 */
export function unrunCode(trace: Trace): Verdict | null {
  if (!isWhole(trace) || trace.status === 'error' || !needsAnswer(trace)) return null;
  const turns = conversation(trace);
  const last = turns.at(-1);
  if (last?.by !== 'agent' || last.calls.length > 0 || !endsChat(last.text)) return null;
  const call = givenCall(trace, last);
  return call === null ? null : verdictOf(trace, last, call);
}

/** A call of the user's script that the code of the message contains. */
function givenCall(trace: Trace, last: ConversationTurn): string | null {
  const written = new Set(codeIn(last.text).split('\n'));
  return givenCalls(trace).find((line) => written.has(line)) ?? null;
}

function verdictOf(trace: Trace, message: ConversationTurn, call: string): Verdict {
  const { step, agent, text } = message;
  const who = agent ?? trace.steps[step]!.name;
  const claim = claimOfTesting(text);
  const earlier = earlierRuns(trace, message, call);
  const invented = inventedOutputs(trace).find((output) => output.step === step);
  return {
    subtype: 'code_not_run',
    // An answer that invents the result misleads its reader; after a failed run, the last known state is a failure.
    score: claim === null && earlier.failed === null ? 0.7 : 0.88,
    step,
    steps: [step],
    agent,
    explanation: `The last message of the run, by ${who} at step ${step}, contains code with \`${cut(call, 80)}\` from the user's script and ends the chat with TERMINATE. ${earlier.text}${invented === undefined ? '' : ` The output that the message shows ("${invented.line}") was not produced by a tool.`}${claim === null ? '' : ` The message says "${cut(oneLine(claim), 120)}".`.replace('.".', '."')}`,
    ...(earlier.equal === null ? {} : { businessImpact: 'The answer contains code that is known to fail.' }),
    suggestedAction: `${earlier.advice(who)}Have ${who} write TERMINATE only after it has seen the result of \`${cut(call, 80)}\`${earlier.equal === null ? `, and run the code of step ${step}` : ''}.${exampleAdvice(trace, who)}`,
    evidence: [{ kind: 'text', step, path: 'output', quote: cut(text.slice(text.indexOf('```')).trim(), 280) }],
    fix: fixOf(who, earlier),
    key: 'code',
  };
}

/** A fix for code that is known to fail; otherwise one that has the code run. */
function fixOf(who: string, { equal }: EarlierRuns): Fix {
  return equal === null
    ? checkFix('workflow_change', {
        title: 'Run the code of a message before the chat ends',
        target: `termination condition of the chat with ${who}`,
        description: `Let the termination condition ignore messages of ${who} that contain a code block, so that the code runner runs the code first.`,
        after: 'end the chat if the message contains TERMINATE and no code block; else run the code first',
        why: 'The termination word ended the chat before the code was run.',
      })
    : checkFix('workflow_change', {
        title: 'Reject code that has already failed',
        target: `termination condition of the chat with ${who}`,
        description: `Compare the code of a message of ${who} with the code of earlier runs. If an equal version failed, return its result to ${who} and continue the chat.`,
        after: 'if the code equals a failed version: return the result of that run, do not end the chat',
        why: `The code equals the version that failed at step ${equal.step}.`,
      });
}

interface EarlierRuns {
  /** The last earlier run with the same call, if it failed. */
  failed: ToolUse | null;
  /** An earlier run of exactly the same code, if it failed. */
  equal: ToolUse | null;
  /** What is known about the result of the code. */
  text: string;
  /** One sentence with a trailing space; empty if there was no earlier failure. */
  advice(who: string): string;
}

const UNKNOWN_RESULT = 'No run of that code is recorded, so its result is not known.';

/** Earlier versions with the same call that the chat ran, and what they showed. */
function earlierRuns(trace: Trace, message: ConversationTurn, call: string): EarlierRuns {
  const { step } = message;
  const before = codeRuns(trace).filter((run) => run.step < step);
  const runs = before.filter((run) => codeOf(run).includes(call));
  const failing = runs.filter((run) => run.failure !== null || statedVerdict(run.resultText, codeOf(run)) === false);
  const last = runs.at(-1);
  if (last === undefined || failing.at(-1) !== last) {
    const isFirst = before.length === 0 && toolUses(trace).length === 0;
    const same = sameRun(trace, message);
    const known = same === null ? UNKNOWN_RESULT : sameRunText(same);
    const text = `${known}${isFirst ? ' The run executed no code at all.' : ''}`;
    return { failed: null, equal: null, text, advice: () => '' };
  }
  const equal = failedVersion(trace, message);
  const shown = `"${cut(answerSummary(last.resultText), 140)}"`;
  const versions =
    failing.length === 1
      ? `The version before it failed at step ${last.step}`
      : `${failing.length} earlier runs with that call failed (${stepsText(failing.map(({ step }) => step))})${haveSameFunctions(failing) ? ', all with the same functions' : ''}, the last one`;
  const same = equal === null ? sameRun(trace, message) : null;
  const known = same !== null ? sameRunText(same) : equal === null ? UNKNOWN_RESULT : `${failedAgainText(equal)}.`;
  return {
    failed: last,
    equal,
    text: `${
      equal === last && failing.length === 1
        ? `${failedAgainText(equal)} (${shown}).`
        : `${known} ${versions} (${shown}).`
    }${withoutCallText(before.at(-1)!, last, call)}`,
    advice: (who) =>
      equal === null
        ? `Compare the code of step ${step} with the failure of step ${last.step} (${shown}). `
        : isBare(last.resultText)
          ? `Have the tests print the failing case, because ${who} received only ${shown}, and tell ${who} that its code is that of step ${equal.step}. `
          : `Have ${who} change the code for what step ${equal.step} shows (${shown}): it is the version that failed there. `,
  };
}

function haveSameFunctions(runs: readonly ToolUse[]): boolean {
  const [first, ...others] = runs.map((run) =>
    functionBodies(codeOf(run) ?? '')
      .map(({ statements }) => statements)
      .join('\n'),
  );
  return first !== '' && others.every((functions) => functions === first);
}

function sameRunText({ step, resultText }: ToolUse): string {
  return `Step ${step} had run the same code ("${cut(answerSummary(resultText), 140)}").`;
}

function failedAgainText({ step }: ToolUse): string {
  return `The run ended with the code that had failed at step ${step}, unchanged`;
}

/** One sentence with a leading space if the last run of code did not make the call; else empty. */
function withoutCallText(last: ToolUse, lastWithCall: ToolUse, call: string): string {
  return last === lastWithCall
    ? ''
    : ` Step ${last.step} ran code without \`${cut(call, 80)}\`, so its result says nothing about it.`;
}
