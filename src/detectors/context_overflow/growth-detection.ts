import type { Trace } from '../../core/trace.ts';
import { inARow } from '../_kit/completeness.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { counted } from '../_kit/text.ts';
import { contextFixes } from './context-fix.ts';
import type { ContextLoad } from './context-load.ts';
import { findGrowth } from './growth.ts';
import { loadEvidence, nameOf, percent, tokensText } from './load-text.ts';

/** Estimated tokens prove less than reported ones. */
const ESTIMATE_WEIGHT = 0.7;
const EVIDENCE_LIMIT = 6;
const MAX_NAMES = 6;

/** The growth of one agent's calls, or of calls of several agents that build on each other. */
export function growthDetection(loads: readonly ContextLoad[], trace: Trace): DetectionDraft<'growth'> | null {
  const growth = findGrowth(loads);
  if (growth === null) return null;
  const last = growth.loads.at(-1)!;
  return {
    subtype: 'growth',
    score: (growth.callsLeft <= 3 ? 0.55 : 0.45) * (last.isEstimated ? ESTIMATE_WEIGHT : 1),
    step: last.step.index,
    steps: growth.loads.map((load) => load.step.index),
    explanation:
      `${promptText(growth.loads)} grew in ${growth.loads.length} calls${inARow(trace, growth.loads[0]!.step.index)}, by about ${tokensText(growth.tokensPerCall)} each,` +
      ` and is now at ${percent(last.ratio!)} of the context window. At this rate it is full after ${counted(growth.callsLeft, 'more call')}.`,
    suggestedAction: `Summarize the history of ${last.step.agent ?? last.step.name} as it grows.`,
    evidence: growth.loads.slice(-EVIDENCE_LIMIT).map(loadEvidence),
    fixes: contextFixes(last, trace),
    key: `growth ${last.step.model}`,
  };
}

function promptText(loads: readonly ContextLoad[]): string {
  const agents = [...new Set(loads.map(({ step }) => step.agent ?? step.name))];
  return agents.length === 1
    ? `The prompt of ${nameOf(loads.at(-1)!)}`
    : `The prompt of ${agents.slice(0, MAX_NAMES).join(', ')}${agents.length > MAX_NAMES ? ', …' : ''}, one after the other,`;
}
