import type { Trace } from '../../core/trace.ts';
import { type Attempt, attemptsIn } from '../_conduct/attempts.ts';
import { failureLine } from '../_conduct/failure-form.ts';
import { isHandInName } from '../_conduct/hand-ins.ts';
import { checkFix } from '../_conduct/remedy.ts';
import { cut } from '../_kit/text.ts';
import { owesAnswer } from './last-words.ts';
import type { Verdict } from './verdict.ts';

const FEWEST_ATTEMPTS = 6;
const LEAST_SHARE = 2 / 3;
const FEWEST_WAYS = 3;

/** Most calls of a run failed, the last one among them, and the run ended, with or without an answer. */
export function mostlyFailed(trace: Trace): Verdict | null {
  if (!trace.isSettled || !owesAnswer(trace)) return null;
  const own = attemptsIn(trace).filter(({ by, asked }) => !isHandInName(trace, by) && !isHandInName(trace, asked));
  const last = own.at(-1);
  if (own.length < FEWEST_ATTEMPTS || last?.hasFailed !== true) return null;
  const failed = own.filter(({ hasFailed }) => hasFailed === true);
  // One failure that returns with the same text is reported by the rules on repetition and failing checks.
  if (new Set(failed.map(({ result }) => failureLine(result))).size < FEWEST_WAYS) return null;
  return failed.length >= LEAST_SHARE * own.length ? verdictOf(failed, own.length, last) : null;
}

function verdictOf(failed: readonly Attempt[], all: number, last: Attempt): Verdict {
  const said = cut(failureLine(last.result), 140);
  const ways = new Set(failed.map(({ answer }) => answer)).size;
  return {
    subtype: 'mostly_failed',
    score: 0.7,
    step: last.step,
    steps: [last.step, ...failed.slice(0, -1).map(({ step }) => step)],
    agent: last.agent,
    explanation: `${failed.length} of the ${all} calls of the run failed, in ${ways === 1 ? 'one way' : `${ways} ways`}, and so did the last one, ${last.by} at step ${last.step}: "${said}". The run ended after it.`,
    suggestedAction: `Look at the first failure, at step ${failed[0]!.step}, and at what the later calls have in common with it.`,
    evidence: [failed[0]!, last].map(({ step, result }) => ({
      kind: 'error',
      step,
      path: null,
      quote: failureLine(result),
    })),
    fix: checkFix('workflow_change', {
      title: 'Stop a run whose calls keep failing',
      target: `run of ${last.agent ?? 'the agent'}`,
      description: `Count the failed calls of a run. When ${Math.ceil(FEWEST_ATTEMPTS * LEAST_SHARE)} of the last ${FEWEST_ATTEMPTS} failed, hand the task with their messages to another attempt or to a person.`,
      after: `if ${Math.ceil(FEWEST_ATTEMPTS * LEAST_SHARE)} of the last ${FEWEST_ATTEMPTS} calls failed: end the run as failed, with their messages`,
      why: 'The caller cannot distinguish this run from one that worked.',
    }),
    key: last.by,
  };
}
