import type { Evidence } from '../../core/detection.ts';
import type { Thresholds } from '../../core/thresholds.ts';
import type { Trace } from '../../core/trace.ts';
import { type DetectionDraft, defineDetector } from '../_kit/define.ts';
import { cut } from '../_kit/text.ts';
import { compactionDetection } from './compaction-detection.ts';
import { compactsItself, contextFixes, outputLimitFix } from './context-fix.ts';
import { type ContextLoad, contextLoads } from './context-load.ts';
import { hasHistory, isContinued } from './conversation.ts';
import { sharedLoads } from './growth.ts';
import { growthDetection } from './growth-detection.ts';
import { loadEvidence, nameOf, percent, tokensText } from './load-text.ts';
import { contextOverflowManifest } from './manifest.ts';
import { OVER_RATIO, overWindowDetection } from './over-window.ts';
import { findOverflows, type Overflow } from './overflow-error.ts';
import { findTruncations, type Truncation } from './truncation.ts';

type ContextSubtype = 'compacted' | 'near_limit' | 'at_limit' | 'exceeded' | 'truncated' | 'growth';
type ContextDetection = DetectionDraft<ContextSubtype>;

/** Estimated tokens prove less than reported ones. */
const ESTIMATE_WEIGHT = 0.7;
const EVIDENCE_LIMIT = 6;

export const contextOverflow = defineDetector({
  ...contextOverflowManifest,
  detect(trace, { models, thresholds }, report) {
    const loads = contextLoads(trace, models);
    const overflows = [...findOverflows(trace), ...fullWindowStops(loads, thresholds)];
    for (const group of byAgent(overflows)) report(exceededDetection(group, loads, trace));
    const exceeded = new Set(overflows.map(({ step }) => step.agent));
    const filled = byAgent(loads)
      .filter(([first]) => !exceeded.has(first!.step.agent))
      .flatMap((group) => loadDetection(group, thresholds, trace) ?? []);
    const across = filled.length === 0 && overflows.length === 0 ? growthDetection(sharedLoads(loads), trace) : null;
    for (const draft of across === null ? filled : [across]) report(draft);
    const compacted = compactionDetection(trace, models);
    if (compacted !== null) report(compacted);
    const stopped = new Set(overflows.map(({ step }) => step.index));
    for (const group of byAgent(findTruncations(trace).filter(({ step }) => !stopped.has(step.index)))) {
      report(truncatedDetection(group, loads));
    }
  },
});

function byAgent<T extends { step: Trace['steps'][number] }>(items: readonly T[]): T[][] {
  return [...Map.groupBy(items, ({ step }) => step.agent).values()];
}

/** `length` stops in a full window: the window caused them, not the output limit. */
function fullWindowStops(loads: readonly ContextLoad[], { contextCriticalRatio }: Thresholds): Overflow[] {
  return loads
    .filter(({ step, ratio, isEstimated }) => {
      const isCut = step.finishReasons.some((reason) => /^(?:length|max_?tokens)$/i.test(reason));
      return isCut && !isEstimated && ratio !== null && ratio >= Math.max(0.97, contextCriticalRatio);
    })
    .map(({ step }) => ({
      step,
      errorText: step.finishReasons.join(', '),
      isError: false,
      requested: null,
      allowed: null,
    }));
}

function exceededDetection(
  overflows: readonly Overflow[],
  loads: readonly ContextLoad[],
  trace: Trace,
): ContextDetection {
  const first = overflows[0]!;
  const { step } = first;
  const load = loads.find((candidate) => candidate.step === step) ?? emptyLoad(first);
  const who = nameOf(load);
  const amount =
    first.requested === null ? '' : ` (${tokensText(first.requested)}, limit ${tokensText(first.allowed!)})`;
  const again =
    overflows.length > 1
      ? ` This happened ${overflows.length} times; sending the same prompt again cannot succeed.`
      : '';
  return {
    subtype: 'exceeded',
    score: first.isError ? 0.95 : 0.9,
    step: step.index,
    steps: overflows.map((overflow) => overflow.step.index),
    explanation: first.isError
      ? `The model call of ${who} at step ${step.index} was rejected: its prompt did not fit into the context window${amount}.${again}`
      : `The answer of ${who} at step ${step.index} stopped (finish reason ${first.errorText}) because prompt and answer together filled the context window.${again}`,
    suggestedAction: `Shorten the prompt of ${step.agent ?? step.name} before the call instead of sending the whole history.`,
    evidence: overflows.slice(0, EVIDENCE_LIMIT).map(overflowEvidence),
    fixes: contextFixes(load, trace),
    key: `exceeded ${step.model ?? step.name}`,
  };
}

function overflowEvidence({ step, errorText, isError, requested, allowed }: Overflow): Evidence {
  const value = { asked_tokens: requested, allowed_tokens: allowed };
  return isError
    ? { kind: 'error', spanId: step.spanId, path: 'error.message', quote: cut(errorText, 300), value }
    : { kind: 'metric', spanId: step.spanId, path: 'finish_reasons', quote: null, value: step.finishReasons };
}

function emptyLoad({ step, requested, allowed }: Overflow): ContextLoad {
  return { step, inputTokens: requested ?? 0, outputTokens: 0, contextWindow: allowed, ratio: null, isEstimated: true };
}

function loadDetection(loads: readonly ContextLoad[], thresholds: Thresholds, trace: Trace): ContextDetection | null {
  const known = loads.filter((load) => load.ratio !== null);
  const peak = known.reduce<ContextLoad | null>(
    (top, load) => (top === null || load.ratio! > top.ratio! ? load : top),
    null,
  );
  if (peak === null) return null;
  if (peak.ratio! > OVER_RATIO)
    return overWindowDetection(
      known.filter(({ ratio }) => ratio! > OVER_RATIO),
      trace,
    );
  const limit =
    peak.ratio! >= thresholds.contextCriticalRatio ? thresholds.contextCriticalRatio : thresholds.contextWarningRatio;
  return peak.ratio! >= limit ? fullDetection(known, peak, limit, thresholds, trace) : growthDetection(known, trace);
}

/** Score of a full window without visible damage: only info. */
const INFO_SCORE = 0.5;
const WARNING_SCORE = 0.8;
const CRITICAL_SCORE = 0.88;

/**
 * Score of a full window. A single answered call is info. If the conversation continues with a full window, its next call
 * may be refused: an alarm while the run is active, or if it failed. If it ended well, the answers after the limit may
 * still have missed a part of the prompt.
 */
function fullScore(
  loads: readonly ContextLoad[],
  over: readonly ContextLoad[],
  isAtLimit: boolean,
  trace: Trace,
): number {
  if (compactsItself(trace)) return INFO_SCORE;
  const first = over[0]!;
  const isOpen = !trace.isSettled || trace.status === 'error';
  if (isOpen && (hasHistory(over.at(-1)!, loads) || first.step.error !== null || isContinued(first, loads)))
    return isAtLimit ? CRITICAL_SCORE : WARNING_SCORE;
  return isAtLimit && isContinued(first, loads) ? WARNING_SCORE : INFO_SCORE;
}

function fullDetection(
  loads: readonly ContextLoad[],
  peak: ContextLoad,
  limit: number,
  thresholds: Thresholds,
  trace: Trace,
): ContextDetection {
  const over = loads.filter((load) => load.ratio! >= limit);
  const first = over[0]!;
  const isAtLimit = limit === thresholds.contextCriticalRatio;
  const score = fullScore(loads, over, isAtLimit, trace);
  const estimate = peak.isEstimated ? ', estimated from the length of its text' : '';
  const peakText = peak === first ? '' : `, and up to ${percent(peak.ratio!)} at step ${peak.step.index}`;
  return {
    subtype: isAtLimit ? 'at_limit' : 'near_limit',
    score: peak.isEstimated ? Math.max(Math.min(score, INFO_SCORE), score * ESTIMATE_WEIGHT) : score,
    step: first.step.index,
    steps: over.map((load) => load.step.index),
    explanation:
      `${nameOf(first)} used ${usedText(first)} of its context window (${percent(first.ratio!)})` +
      ` at step ${first.step.index}${peakText}${estimate}. Calls at ${percent(limit)} or more: ${over.length}.`,
    suggestedAction: compactsItself(trace)
      ? `Compact the conversation of ${peak.step.agent ?? peak.step.name}, or start a new one, before it reaches the limit.`
      : `Trim or summarize the prompt of ${peak.step.agent ?? peak.step.name} before it reaches the limit.`,
    evidence: withPeak(over, peak).map(loadEvidence),
    fixes: contextFixes(peak, trace),
    key: `full ${peak.step.model}`,
  };
}

/** `127,520 of the 128,000 tokens`. */
function usedText({ inputTokens, outputTokens, contextWindow }: ContextLoad): string {
  return `${Math.round(inputTokens + outputTokens).toLocaleString('en-US')} of the ${tokensText(contextWindow!)}`;
}

/** The first call above the limit, the fullest one, and others. */
function withPeak(over: readonly ContextLoad[], peak: ContextLoad): ContextLoad[] {
  return [...new Set([over[0]!, peak, ...over])].slice(0, EVIDENCE_LIMIT);
}

/** `incomplete` is the status of OpenAI's Responses API for an answer that its output limit or a content filter ended. */
function causeOf({ reason }: Truncation): string {
  return reason === 'incomplete'
    ? 'ended before it was complete, at its output limit or by a content filter (status incomplete),'
    : `was truncated at the token limit (finish reason ${reason})`;
}

function truncatedDetection(truncations: readonly Truncation[], loads: readonly ContextLoad[]): ContextDetection {
  const worst = truncations.reduce((a, b) => (b.score > a.score ? b : a));
  const load = loads.find((candidate) => candidate.step === worst.step)!;
  const again = truncations.length > 1 ? ` This happened to ${truncations.length} of its answers.` : '';
  return {
    subtype: 'truncated',
    score: worst.score,
    step: worst.step.index,
    steps: [worst, ...truncations.filter((other) => other !== worst)].map(({ step }) => step.index),
    explanation: `The answer of ${nameOf(load)} at step ${worst.step.index} ${causeOf(worst)} ${worst.what}.${again}`,
    suggestedAction: `Raise the output limit of ${worst.step.agent ?? worst.step.name} or request less at a time.`,
    evidence: truncations.slice(0, EVIDENCE_LIMIT).map(({ step, tail, reason }) => ({
      kind: tail === '' ? 'metric' : 'text',
      spanId: step.spanId,
      path: 'output',
      quote: tail === '' ? null : tail,
      value: reason,
    })),
    wastedTokens: worst.step.tokens.output ?? 0,
    fixes: [outputLimitFix(load)],
    key: `truncated ${worst.step.model ?? worst.step.name}`,
  };
}
