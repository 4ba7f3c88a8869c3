import { z } from 'zod';
import type { Trace } from '../../core/trace.ts';
import { rankSteps } from '../../detectors/_attribution/rank-steps.ts';

const candidate = z.object({
  step: z.number().int(),
  span_id: z.string(),
  agent: z.string().nullable(),
  share: z.number().describe('Of all steps of the run; the shares of all steps sum to 1'),
});

/** The step that most likely decided a failed run, ranked by a model fitted on labelled runs (docs/detectors.md). */
export const rootCauseRecord = z.object({
  agent: z.string().nullable(),
  step: z.number().int(),
  span_id: z.string(),
  confidence: z.number().min(0).max(1).describe('Probability that exactly this step is the decisive one'),
  why: z.array(z.string()),
  candidates: z.array(candidate).describe('The likeliest steps, at most three'),
});
export type RootCause = z.input<typeof rootCauseRecord>;

/** A framework's own steps (`__start__`) decide nothing. */
const PLUMBING = /^__\w+__$/;

/** The ranking takes a failure as given, so a run without findings has no root cause. */
export function rootCauseOf(trace: Trace, hasFindings: boolean): RootCause | null {
  const ranked = hasFindings ? rankSteps(trace) : null;
  const top = ranked?.top.filter(({ step }) => !PLUMBING.test(trace.steps[step]?.name ?? '')) ?? [];
  const first = top[0];
  if (!ranked || !first) return null;
  const isTop = first.step === ranked.step;
  const spanIdOf = (step: number) => trace.steps[step]?.spanId ?? '';
  const rounded = (share: number) => Math.round(share * 1000) / 1000;
  return {
    agent: isTop ? ranked.agent : first.agent,
    step: first.step,
    span_id: spanIdOf(first.step),
    confidence: rounded(isTop ? ranked.confidence : Math.min(ranked.confidence, first.score)),
    why: first.why,
    candidates: top.map(({ step, agent, score }) => ({ step, span_id: spanIdOf(step), agent, share: rounded(score) })),
  };
}
