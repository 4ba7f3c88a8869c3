import type { Trace } from '../../core/trace.ts';
import { counted } from '../_kit/text.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { answerLine } from '../_readings/conduct/answer-line.ts';
import { type Attempt, workAttempts } from '../_readings/conduct/attempts.ts';
import { adviceAt } from '../_readings/conduct/call-advice.ts';
import { failureLine } from '../_readings/conduct/failure-form.ts';
import {
  type RedefinedImport,
  redefinedAdvice,
  redefinedImport,
  redefinedText,
} from '../_readings/conduct/redefined-imports.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { runEndAfter } from '../_readings/conduct/run-end.ts';
import { needsAnswer } from './abandoned-run.ts';
import { failureEvidence } from './failed-attempts.ts';
import type { Verdict } from './verdict.ts';

const MIN_ATTEMPTS = 6;
const MIN_SHARE = 2 / 3;
const MIN_MESSAGES = 3;

/** Most calls of a run failed, including the last one, and the run ended, with or without an answer. */
export function mostlyFailed(trace: Trace): Verdict | null {
  if (!trace.isSettled || !needsAnswer(trace)) return null;
  const own = workAttempts(trace);
  const last = own.at(-1);
  if (own.length < MIN_ATTEMPTS || last?.hasFailed !== true) return null;
  const failed = own.filter(({ hasFailed }) => hasFailed === true);
  // A failure that repeats with the same text is reported by the rules on repetition and failing checks.
  const ways = new Set(failed.map(({ result }) => failureLine(result))).size;
  return ways >= MIN_MESSAGES && failed.length >= MIN_SHARE * own.length
    ? verdictOf(trace, failed, own.length, ways)
    : null;
}

/** Smallest share of the failures that makes a message the cause to correct first. */
const MIN_FREQUENT_SHARE = 1 / 3;

/** The failed calls with the most frequent message; the last failed call if no message is frequent. */
function mostFrequent(failed: readonly Attempt[]): readonly Attempt[] {
  const groups = Map.groupBy(failed, ({ result }) => answerLine(result).replace(/\d{1,20}/g, '0'));
  const largest = [...groups.values()].reduce((one, group) => (group.length >= one.length ? group : one));
  return largest.length >= MIN_FREQUENT_SHARE * failed.length ? largest : failed.slice(-1);
}

function adviceOf(trace: Trace, { step, by, agent, result }: Attempt, redefined: RedefinedImport | null): string {
  const who = agent ?? 'the agent';
  const first =
    redefined === null
      ? (adviceAt(trace, step)?.action ??
        `Have ${who} correct what ${by} returned at step ${step}: "${answerLine(result)}".`)
      : redefinedAdvice(who, redefined);
  return `${first} Stop the run after ${MIN_MESSAGES} failed calls in a row, with their messages.`;
}

function verdictOf(trace: Trace, failed: readonly Attempt[], all: number, ways: number): Verdict {
  const [first, last] = [failed[0]!, failed.at(-1)!];
  const frequent = mostFrequent(failed);
  const shown = frequent.at(-1)!;
  const refused = toolUses(trace).filter(({ refusal }) => refusal !== null).length;
  const refusedText = refused === 0 ? '' : ` (${counted(refused, 'refused call')} not counted)`;
  const hasStatus = trace.status === 'error';
  const redefined = redefinedImport(trace);
  const quotes = [
    `the first one, ${first.by} at step ${first.step}, with "${answerLine(first.result)}"`,
    ...(frequent.length > 1 && shown !== last
      ? [
          `${frequent.length} of them (steps ${frequent.map(({ step }) => step).join(', ')}) with "${answerLine(shown.result)}"`,
        ]
      : []),
    `the last one, ${last.by} at step ${last.step}, with "${answerLine(last.result)}"`,
  ];
  return {
    subtype: 'mostly_failed',
    score: 0.7,
    step: first.requestedAt,
    steps: failed.map(({ step }) => step),
    agent: first.agent,
    explanation: `${failed.length} of the ${all} calls of the run failed${refusedText}, with ${ways} different messages: ${quotes.slice(0, -1).join(', ')}, and ${quotes.at(-1)!}.${redefinedText(redefined)}${hasStatus ? ' No later call worked, and the run ended as failed.' : runEndAfter(trace, last.step).text}`,
    suggestedAction: adviceOf(trace, shown, redefined),
    evidence: failureEvidence(trace, [...new Set([first, shown, last])]),
    fix: checkFix('workflow_change', {
      title: 'Stop a run whose calls keep failing',
      target: `run of ${first.agent ?? 'the agent'}`,
      description: `Count the failed calls of a run. When ${Math.ceil(MIN_ATTEMPTS * MIN_SHARE)} of the last ${MIN_ATTEMPTS} failed, hand the task with their messages to another attempt or to a person.`,
      after: `if ${Math.ceil(MIN_ATTEMPTS * MIN_SHARE)} of the last ${MIN_ATTEMPTS} calls failed: end the run as failed, with their messages`,
      why: hasStatus
        ? 'The run continued after most of its calls had failed.'
        : 'The caller cannot distinguish this run from one that worked.',
    }),
    key: last.by,
  };
}
