import type { Trace } from '../../core/trace.ts';
import { counted } from '../_kit/text.ts';
import { answerLine } from '../_readings/conduct/answer-line.ts';
import { type Attempt, workAttempts } from '../_readings/conduct/attempts.ts';
import { adviceAt } from '../_readings/conduct/call-advice.ts';
import { conversation } from '../_readings/conduct/conversation.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { needsAnswer } from './abandoned-run.ts';
import { failureEvidence } from './failed-attempts.ts';
import type { Verdict } from './verdict.ts';

const MIN_FAILURES = 3;

/**
 * All last calls since the last user message failed, in more than one way, and the run ended. Equal failures are a loop and
 * are reported as one.
 */
export function endedOnFailures(trace: Trace): Verdict | null {
  if (!trace.isSettled || !needsAnswer(trace)) return null;
  const failures = lastFailures(trace);
  const rounds = failures.filter(
    ({ messageId }, at) => messageId === null || failures[at - 1]?.messageId !== messageId,
  );
  if (rounds.length < MIN_FAILURES || new Set(failures.map(({ answer }) => answer)).size < 2) return null;
  const [first, last] = [failures[0]!, failures.at(-1)!];
  const [firstLine, lastLine] = [answerLine(first.result), answerLine(last.result)];
  const advice = adviceAt(trace, last.step);
  const isPlain = advice === null || advice.obstacle.kind === 'result';
  const tools = [...new Set(failures.map(({ by }) => by))].slice(0, 3).join(', ');
  const isAnswered = trace.steps.some(
    ({ index, kind, output }) => index > last.step && kind === 'llm' && output !== '',
  );
  return {
    subtype: 'ended_on_failures',
    // An answer after the failures may report them, for example if the user asked whether something fails or exists.
    score: isAnswered ? 0.5 : Math.min(0.85, 0.68 + 0.03 * (rounds.length - MIN_FAILURES)),
    step: first.requestedAt,
    steps: failures.map(({ step }) => step),
    agent: last.agent,
    explanation: `The last ${counted(failures.length, 'call')} of the run (${tools}, steps ${first.step} to ${last.step}) all failed, ${firstLine === lastLine ? 'the first and the last one with' : `the first one with "${firstLine}" and the last one with`} "${lastLine}". No call after that worked, and the run ended${isAnswered ? ' with an answer' : ' there'}.`,
    suggestedAction: `${isPlain ? `Have ${last.agent ?? 'the agent'} correct what ${last.by} returned at step ${last.step}: "${lastLine}".` : advice.action} End the run as failed if that is the last result.`,
    evidence: failureEvidence(trace, [first, ...failures.slice(-2)]),
    fix: checkFix('workflow_change', {
      title: 'Do not end as a success after a series of failures',
      target: `end of the run of ${last.agent ?? 'the agent'}`,
      description:
        'When the last three calls failed, end the run with the status of a failure, or hand it to a person with the last error.',
      after: 'on stop: if the last three calls failed, report the run as failed with the last error',
      why: 'The caller cannot distinguish this run from one that worked.',
    }),
    key: last.by,
  };
}

function lastFailures(trace: Trace): Attempt[] {
  const turn = conversation(trace).findLast(({ by }) => by === 'user')?.step ?? -1;
  const own = workAttempts(trace).filter(({ step }) => step > turn);
  const worked = own.findLastIndex(({ hasFailed }) => hasFailed !== true);
  return own.slice(worked + 1);
}
