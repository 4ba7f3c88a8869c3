import type { Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import { counted, stepsText } from '../_kit/text.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { answerLine } from '../_readings/conduct/answer-line.ts';
import { type Attempt, workAttempts } from '../_readings/conduct/attempts.ts';
import { adviceAt } from '../_readings/conduct/call-advice.ts';
import { codeRuns } from '../_readings/conduct/executions.ts';
import { failureLine } from '../_readings/conduct/failure-form.ts';
import { droppedAdvice, droppedCall, droppedText } from '../_readings/conduct/given-calls.ts';
import { inventedOutputs, inventedText } from '../_readings/conduct/invented-output.ts';
import {
  type RedefinedImport,
  type ReplacedFile,
  redefinedAdvice,
  redefinedImport,
  redefinedText,
  replacedModule,
} from '../_readings/conduct/redefined-imports.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { runEndAfter } from '../_readings/conduct/run-end.ts';
import { statedFailure } from '../_readings/conduct/run-outcome.ts';
import { unknownBlockLine } from '../_readings/conduct/stray-block.ts';
import { needsAnswer } from './abandoned-run.ts';
import { causeShareText, failureEvidence } from './failed-attempts.ts';
import type { Verdict } from './verdict.ts';

const MIN_ATTEMPTS = 6;
const MIN_SHARE = 2 / 3;
const MIN_MESSAGES = 3;

/** Most calls of a run failed, including the last one, and the run ended, with or without an answer. */
export function mostlyFailed(trace: Trace): Verdict | null {
  if (!isWhole(trace) || !needsAnswer(trace)) return null;
  const own = workAttempts(trace);
  const last = own.at(-1);
  if (own.length < MIN_ATTEMPTS || last?.hasFailed !== true) return null;
  const failed = own.filter(({ hasFailed }) => hasFailed === true);
  // A failure that repeats with the same text is reported by the rules on repetition and failing checks.
  const ways = new Set(failed.map(({ result }) => failureLine(result))).size;
  return ways >= MIN_MESSAGES && failed.length >= MIN_SHARE * own.length ? verdictOf(trace, failed, own, ways) : null;
}

/** Smallest share of the failures that makes a message the cause to correct first. */
const MIN_FREQUENT_SHARE = 1 / 3;
const MIN_LATER_VERSIONS = 2;

/**
 * The failed calls with the most frequent message; the last failed call if no message is frequent, or if it is that of code that
 * at least two later versions replaced.
 */
function mostFrequent(trace: Trace, failed: readonly Attempt[], all: readonly Attempt[]): readonly Attempt[] {
  const groups = Map.groupBy(failed, ({ result }) => answerLine(result).replace(/\d{1,20}/g, '0'));
  const largest = [...groups.values()].reduce((one, group) => (group.length >= one.length ? group : one));
  const later = all.filter(({ step }) => step > largest.at(-1)!.step);
  const runs = new Set(codeRuns(trace).map(({ step }) => step));
  const isReplaced = later.length >= MIN_LATER_VERSIONS && [...largest, ...later].every(({ step }) => runs.has(step));
  return largest.length >= MIN_FREQUENT_SHARE * failed.length && !isReplaced ? largest : failed.slice(-1);
}

function adviceOf(
  trace: Trace,
  { step, by, agent, result }: Attempt,
  redefined: RedefinedImport | null,
  replaced: ReplacedFile | null,
  untested: readonly Attempt[],
  all: readonly Attempt[],
): string {
  const who = agent ?? 'the agent';
  const stop = stopAdvice(all);
  if (replaced !== null) {
    const [first] = untested;
    const correct =
      first === undefined ? '' : `, then correct the code for "${failedTests(first)}" at step ${first.step}`;
    return `Restore the given ${replaced.file}, reject code of ${who} that writes this file${correct}. ${stop}`;
  }
  const first =
    redefined === null
      ? (adviceAt(trace, step)?.remedy ??
        `Have ${who} correct what ${by} returned at step ${step}: "${answerLine(result)}".`)
      : redefinedAdvice(who, redefined);
  return `${first} ${stop}`;
}

/** A rule that would have ended this run earlier, or one for its end. */
function stopAdvice(all: readonly Attempt[]): string {
  const isSeries = (at: number) => all.slice(at, at + MIN_MESSAGES).every(({ hasFailed }) => hasFailed === true);
  const at = all.findIndex((_, start) => start + MIN_MESSAGES < all.length && isSeries(start));
  return at === -1
    ? `End the run as failed if its last call failed.`
    : `Stop the run after ${MIN_MESSAGES} failed calls in a row, with their messages.`;
}

function failedTests({ result, command, request }: Attempt): string {
  return statedFailure(result, command ?? request);
}

function countText(failed: readonly Attempt[], all: readonly Attempt[]): string {
  if (failed.length === all.length) return `All ${all.length} calls of the run failed`;
  return `${failed.length} of the ${all.length} calls of the run failed`;
}

/** One sentence with a leading space if the tests of all other calls failed; else empty. */
function noneWorkedText(untested: readonly Attempt[]): string {
  if (untested.length === 0) return '';
  const steps = stepsText(untested.map(({ step }) => step));
  return ` No call worked: in the other ${untested.length === 1 ? 'one' : untested.length} (${steps}), the tests failed ("${failedTests(untested[0]!)}").`;
}

/** One sentence with a leading space about calls that count as worked although their tests failed; empty without them. */
function failedTestsText(others: readonly Attempt[]): string {
  const failing = others.filter((one) => failedTests(one) !== '');
  const [first] = failing;
  return first === undefined
    ? ''
    : ` The tests also failed in ${stepsText(failing.map(({ step }) => step))}, without an error of the call ("${failedTests(first)}").`;
}

/** One sentence with a leading space about failures that only reject a block of the message; empty without them. */
function strayText(strays: readonly Attempt[]): string {
  return strays.length === 0
    ? ''
    : ` ${strays.length} of the failures (${stepsText(strays.map(({ step }) => step))}) ${strays.length === 1 ? 'is' : 'are'} only the rejection of a code block that is no code ("${unknownBlockLine(strays[0]!.result)}").`;
}

/** Title and impact if no call of the run worked. */
const NONE_WORKED = {
  title: 'No call of the run worked',
  businessImpact: 'No call worked, so the result of the run rests on nothing.',
};

/** Impact if nothing that worked follows the last failure. */
const UNSOLVED = {
  businessImpact:
    'Most calls failed, the last one among them, and nothing after it was seen to work: the task is not done.',
};

/** One sentence with a trailing space; empty for null. */
function replacedText(replaced: ReplacedFile | null): string {
  return replaced === null
    ? ''
    : `Step ${replaced.step} replaced the user's file ${replaced.file}, which the user's code imports, so the given version is lost. `;
}

function verdictOf(trace: Trace, failed: readonly Attempt[], all: readonly Attempt[], ways: number): Verdict {
  const [first, last] = [failed[0]!, failed.at(-1)!];
  const strays = failed.filter(({ result }) => unknownBlockLine(result) !== null);
  const others = all.filter((one) => !failed.includes(one));
  const genuine = strays.length === failed.length ? failed : failed.filter((one) => !strays.includes(one));
  const frequent = mostFrequent(trace, genuine, all);
  const shown = frequent.at(-1)!;
  const refused = toolUses(trace).filter(({ refusal }) => refusal !== null).length;
  const refusedText = refused === 0 ? '' : ` (${counted(refused, 'refused call')} not counted)`;
  const hasNoneWorked = others.every((one) => failedTests(one) !== '');
  const untested = hasNoneWorked ? others : [];
  const replaced = replacedModule(trace);
  const redefined = redefinedImport(trace);
  const advice = replaced === null && redefined === null ? adviceAt(trace, shown.step) : null;
  const invented = inventedOutputs(trace);
  const dropped = droppedCall(trace);
  const hasStatus = trace.status === 'error';
  const end = runEndAfter(trace, last.step);
  // A status of failure tells the caller what happened.
  const isUnsolved = !hasStatus && end.isUnsolved;
  const quotes = [
    `the first one, ${first.by} at step ${first.step}, with "${answerLine(first.result)}"`,
    ...(frequent.length > 1 && shown !== last
      ? [
          `${frequent.length} of them (${stepsText(frequent.map(({ step }) => step))}) with "${answerLine(shown.result)}"`,
        ]
      : []),
    `the last one, ${last.by} at step ${last.step}, with "${answerLine(last.result)}"`,
  ];
  return {
    subtype: 'mostly_failed',
    // Results that the run invented, or tests that it replaced, hide that nothing worked.
    score: isUnsolved || (hasNoneWorked && (invented.length > 0 || replaced !== null)) ? 0.9 : 0.7,
    // Without the given tests, no later result says whether the task is done.
    step: replaced === null ? first.requestedAt : (all.find(({ step }) => step === replaced.step) ?? first).requestedAt,
    steps: failed.map(({ step }) => step),
    agent: first.agent,
    explanation: `${replacedText(replaced)}${countText(failed, all)}${refusedText}, with ${ways} different messages: ${quotes.slice(0, -1).join(', ')}, and ${quotes.at(-1)!}.${causeShareText(trace, failed, shown, advice)}${strayText(strays)}${hasNoneWorked ? noneWorkedText(untested) : failedTestsText(others)}${droppedText(dropped)}${replaced === null ? redefinedText(redefined) : ''}${inventedText(invented)}${hasStatus ? ' No later call worked, and the run ended as failed.' : end.text}`,
    ...(hasNoneWorked ? NONE_WORKED : isUnsolved ? UNSOLVED : {}),
    suggestedAction: `${adviceOf(trace, shown, redefined, replaced, untested, all)}${strays.length === 0 ? '' : ` Have ${shown.agent ?? 'the agent'} put nothing but code into code blocks: ${last.by} runs each of them.`}${droppedAdvice(shown.agent ?? 'the agent', dropped)}`,
    evidence: failureEvidence(trace, [...new Set([first, shown, last])]),
    ...(advice === null ? {} : { causeFix: advice.fix }),
    fix: checkFix('workflow_change', {
      title: 'Stop a run whose calls keep failing',
      target: `run of ${first.agent ?? 'the agent'}`,
      description: `Count the failed calls of a run. After ${MIN_MESSAGES} in a row, end it as failed, or hand the task with their messages to another attempt or to a person.`,
      after: `if the last ${MIN_MESSAGES} calls failed: end the run as failed, with their messages`,
      why: hasStatus
        ? 'The run continued after most of its calls had failed.'
        : 'The caller cannot distinguish this run from one that worked.',
    }),
    key: last.by,
  };
}
