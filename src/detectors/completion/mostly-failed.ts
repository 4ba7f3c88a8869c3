import type { Trace } from '../../core/trace.ts';
import { counted } from '../_kit/text.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { answerLine } from '../_readings/conduct/answer-line.ts';
import { type Attempt, workAttempts } from '../_readings/conduct/attempts.ts';
import { adviceAt } from '../_readings/conduct/call-advice.ts';
import { failureLine } from '../_readings/conduct/failure-form.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { owesAnswer } from './abandoned-run.ts';
import { failureEvidence } from './failed-attempts.ts';
import type { Verdict } from './verdict.ts';

const MIN_ATTEMPTS = 6;
const MIN_SHARE = 2 / 3;
const MIN_WAYS = 3;

/** Most calls of a run failed, including the last one, and the run ended, with or without an answer. */
export function mostlyFailed(trace: Trace): Verdict | null {
  if (!trace.isSettled || !owesAnswer(trace)) return null;
  const own = workAttempts(trace);
  const last = own.at(-1);
  if (own.length < MIN_ATTEMPTS || last?.hasFailed !== true) return null;
  const failed = own.filter(({ hasFailed }) => hasFailed === true);
  // A failure that repeats with the same text is reported by the rules on repetition and failing checks.
  const ways = new Set(failed.map(({ result }) => failureLine(result))).size;
  return ways >= MIN_WAYS && failed.length >= MIN_SHARE * own.length
    ? verdictOf(trace, failed, own.length, ways)
    : null;
}

/** The advice on the first and the last failed call, without duplicates. */
function adviceOf(trace: Trace, failed: readonly Attempt[]): string {
  const actions = [failed[0]!, failed.at(-1)!].map(
    ({ step, by, agent, result }) =>
      adviceAt(trace, step)?.action ??
      `Have ${agent ?? 'the agent'} correct what ${by} answers at step ${step}: "${answerLine(result)}".`,
  );
  const isSame = new Set(actions.map((action) => action.replace(/\bstep \d{1,6}\b/g, ''))).size === 1;
  return `${(isSame ? actions.slice(0, 1) : actions).join(' ')} Stop the run after ${MIN_WAYS} failed calls in a row, with their messages.`;
}

function verdictOf(trace: Trace, failed: readonly Attempt[], all: number, ways: number): Verdict {
  const [first, last] = [failed[0]!, failed.at(-1)!];
  const refused = toolUses(trace).filter(({ refusal }) => refusal !== null).length;
  const beside = refused === 0 ? '' : ` (${counted(refused, 'refused call')} not counted)`;
  const hasStatus = trace.status === 'error';
  return {
    subtype: 'mostly_failed',
    score: 0.7,
    step: first.requestedAt,
    steps: failed.map(({ step }) => step),
    agent: first.agent,
    explanation: `${failed.length} of the ${all} calls of the run failed${beside}, with ${ways} different messages: the first one, ${first.by} at step ${first.step}, with "${answerLine(first.result)}", and the last one, ${last.by} at step ${last.step}, with "${answerLine(last.result)}". No later call worked, and the run ended${hasStatus ? ' as failed' : ''}.`,
    suggestedAction: adviceOf(trace, failed),
    evidence: failureEvidence(trace, [first, last]),
    fix: checkFix('workflow_change', {
      title: 'Stop a run whose calls keep failing',
      target: `run of ${first.agent ?? 'the agent'}`,
      description: `Count the failed calls of a run. When ${Math.ceil(MIN_ATTEMPTS * MIN_SHARE)} of the last ${MIN_ATTEMPTS} failed, hand the task with their messages to another attempt or to a person.`,
      after: `if ${Math.ceil(MIN_ATTEMPTS * MIN_SHARE)} of the last ${MIN_ATTEMPTS} calls failed: end the run as failed, with their messages`,
      why: hasStatus
        ? 'The run went on after most of its calls had failed.'
        : 'The caller cannot distinguish this run from one that worked.',
    }),
    key: last.by,
  };
}
