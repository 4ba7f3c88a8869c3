import type { Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import type { DetectionDraft, DetectorOptions } from '../_kit/define.ts';
import { withoutVolatile } from '../_kit/normalise.ts';
import { counted, cut, oneLine, stepsText, wordOverlap, words } from '../_kit/text.ts';
import { wasteOf } from '../_readings/calls/waste.ts';
import { conversation } from '../_readings/conduct/conversation.ts';
import { chatParticipants } from '../_readings/conduct/participants.ts';
import { isUserTurn, turnsOf } from '../_readings/repeats/actors.ts';

import { loopGuard, rememberInPrompt } from './fixes.ts';

/** One version of a work product, and the answer of its reviewer. */
interface Exchange {
  author: string;
  checker: string;
  /** Step of the answer. */
  step: number;
  work: string;
  answer: string;
}

/** Minimum share of words that a version shares with the previous version. */
const MIN_OVERLAP = 0.4;
/** A shorter answer ("ok", "next", "please go on") is not a verdict on the work. */
const MIN_WORDS = 4;
/** Field names, which are not words of the answer. */
const FIELD = /"[^"\\]{1,80}"\s{0,4}:/g;
const MAX_WORDS_COMPARED = 2_000;

/**
 * Versions of one text that an agent revised for another agent, who gave exactly the same answer each time. Equal versions
 * are reported as a repetition; results of code are reported as a stalled check.
 */
export function findSameVerdicts(trace: Trace, minVersions: number): Exchange[][] {
  const pairs = Map.groupBy(reviews(trace), ({ author, checker }) => `${author}\n${checker}`);
  return [...pairs.values()]
    .filter((exchanges) => exchanges.length >= minVersions)
    .map((exchanges) => lastOfSameVerdict(exchanges))
    .filter((tail) => tail.length >= minVersions && words(tail[0]!.answer.replace(FIELD, ' ')).length >= MIN_WORDS)
    .filter((tail) => new Set(tail.map(({ work }) => work)).size > 1 && areSameWork(tail));
}

/** Alternating messages of two agents. User messages and code output are not reviews. */
function reviews(trace: Trace): Exchange[] {
  const participants = chatParticipants(trace);
  const printed = new Set(conversation(trace).flatMap(({ by, step }) => (by === 'executor' ? [step] : [])));
  const turns = turnsOf(trace).filter(
    ({ actor, step, output }) =>
      output !== '' && !printed.has(step) && (participants.has(actor) || !isUserTurn(trace.steps[step]!)),
  );
  return turns.slice(1).flatMap(({ actor, step, output }, at) => {
    const before = turns[at]!;
    if (before.actor === actor) return [];
    return [{ author: before.actor, checker: actor, step, work: before.output, answer: output }];
  });
}

function lastOfSameVerdict(exchanges: readonly Exchange[]): Exchange[] {
  const verdict = withoutVolatile(exchanges.at(-1)!.answer);
  const other = exchanges.findLastIndex(({ answer }) => withoutVolatile(answer) !== verdict);
  return exchanges.slice(other + 1);
}

function areSameWork(exchanges: readonly Exchange[]): boolean {
  const sets = exchanges.map(({ work }) => new Set(words(work).slice(0, MAX_WORDS_COMPARED)));
  return sets.slice(1).every((set, at) => wordOverlap(sets[at]!, set) >= MIN_OVERLAP);
}

/** The answer may approve each version, or each of several similar work products: info. */
const SCORE = 0.5;

export function sameVerdictDetection(
  trace: Trace,
  exchanges: readonly Exchange[],
  { models }: DetectorOptions,
): DetectionDraft<'same_verdict'> {
  const [first, second] = exchanges as [Exchange, Exchange];
  const { author, checker } = first;
  const steps = exchanges.map(({ step }) => step);
  const verdictText = cut(oneLine(first.answer), 140);
  const repeated = { trace, agent: author, what: `work for ${checker}`, times: exchanges.length };
  return {
    subtype: 'same_verdict',
    score: SCORE,
    step: second.step,
    steps,
    agent: author,
    explanation: `${author} handed ${counted(exchanges.length, 'version')} of one piece of work to ${checker} (${stepsText(steps)}), and the answer was the same each time: "${verdictText}".${isWhole(trace) ? ` ${checker} gave no other answer before the run ended.` : ''}`,
    suggestedAction: `Have ${checker} say which part of the work of ${author} its answer is about ("${cut(verdictText, 80)}" came back for ${exchanges.length} versions), and stop after the second equal answer.`,
    evidence: exchanges.slice(0, 4).map(({ step, answer }) => ({
      kind: 'message',
      spanId: trace.steps[step]!.spanId,
      path: 'output',
      quote: cut(answer, 280),
      value: null,
    })),
    ...wasteOf(trace, steps.slice(1), models),
    fixes: [loopGuard(repeated), rememberInPrompt(repeated, verdictText)],
    key: `${author} ${checker} verdict`,
  };
}
