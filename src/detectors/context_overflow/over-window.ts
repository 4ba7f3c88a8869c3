import type { Trace } from '../../core/trace.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { counted } from '../_kit/text.ts';
import { contextFixes } from './context-fix.ts';
import type { ContextLoad } from './context-load.ts';
import { loadEvidence, nameOf, tokensText } from './load-text.ts';

/** Ratio to the window that different token counting cannot explain. */
export const OVER_RATIO = 1.02;
/** Above this ratio, the count is probably a sum over several calls. */
const SUM_RATIO = 2;
/** This many answered calls show that the window is larger than the catalog says. */
const MIN_DOUBTFUL_CALLS = 3;
const EVIDENCE_LIMIT = 6;

/** Calls that report more tokens than the known window of their model, and were answered nevertheless. */
export function overWindowDetection(loads: readonly ContextLoad[], trace: Trace): DetectionDraft<'at_limit'> {
  const peak = loads.reduce((top, load) => (load.ratio! > top.ratio! ? load : top));
  const isDoubtful = peak.ratio! > SUM_RATIO || loads.length >= MIN_DOUBTFUL_CALLS || peak.isEstimated;
  const more = loads.length === 1 ? '' : ` ${counted(loads.length, 'call')} did so.`;
  return {
    subtype: 'at_limit',
    score: isDoubtful ? 0.45 : 0.65,
    step: peak.step.index,
    steps: [peak, ...loads.filter((load) => load !== peak)].map(({ step }) => step.index),
    explanation:
      `The call of ${nameOf(peak)} at step ${peak.step.index} counts ${tokensText(peak.inputTokens + peak.outputTokens)}, more than the context window` +
      ` of ${tokensText(peak.contextWindow!)} that is known for its model, but the call succeeded.${more} Either a part of the prompt was dropped before` +
      ' the model read it, or the known window or the count is wrong.',
    suggestedAction: `Compare the prompt that ${peak.step.agent ?? peak.step.name} sent with what the provider counted, and trim it below the window.`,
    evidence: loads.slice(0, EVIDENCE_LIMIT).map(loadEvidence),
    fixes: contextFixes(peak, trace),
    key: `full ${peak.step.model}`,
  };
}
