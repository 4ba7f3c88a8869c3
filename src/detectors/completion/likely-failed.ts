import type { Fix } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { likelyFailure } from '../_attribution/failure-risk.ts';
import { type FailureSign, failureSigns } from '../_attribution/failure-signs.ts';
import { rankSteps } from '../_attribution/rank-steps.ts';
import type { Attribution } from '../_attribution/ranking.ts';
import { likelyFailedFix } from './likely-failed-fix.ts';
import type { Verdict } from './verdict.ts';

/** A run that looks like those of the same tools that failed, though nothing in it says so. */
export function likelyFailed(trace: Trace): Verdict | null {
  if (!trace.isSettled) return null;
  const probability = likelyFailure(trace);
  const ranked = probability === null ? null : rankSteps(trace);
  return probability === null || ranked === null ? null : verdictOf(trace, probability, ranked, failureSigns(trace));
}

export function verdictOf(
  trace: Trace,
  probability: number,
  ranked: Attribution,
  signs: readonly FailureSign[],
): Verdict {
  const name = nameAt(trace, ranked.step);
  const fix: Fix = likelyFailedFix(trace, ranked, signs[0] ?? null);
  return {
    subtype: 'likely_failed',
    score: probability,
    model: { name: 'failure-risk', probability },
    step: ranked.step,
    steps: [ranked.step, ...ranked.top.slice(1).map(({ step }) => step)],
    agent: ranked.agent,
    explanation: `Of runs with these tools that go like this one, about ${Math.round(100 * probability)} in 100 missed their goal. ${signsText(signs)} Look first at step ${ranked.step} (${name})${reasonText(ranked.why)}.`,
    suggestedAction: `Check what the run changed and answered against what was asked for, beginning at step ${ranked.step}.`,
    evidence: evidenceOf(ranked, signs),
    fix,
    key: signs[0]?.name ?? 'pattern',
  };
}

function signsText(signs: readonly FailureSign[]): string {
  if (signs.length === 0) return 'No single fault stands out; it is the course of the run as a whole.';
  return `Signs: ${signs.map(({ words, steps }) => `${words} (${stepsText(steps)})`).join('; ')}.`;
}

const STEPS_SHOWN = 4;

function stepsText(steps: readonly number[]): string {
  const shown = steps.slice(0, STEPS_SHOWN).join(', ');
  return `${steps.length === 1 ? 'step' : 'steps'} ${shown}${steps.length > STEPS_SHOWN ? ', …' : ''}`;
}

function reasonText(why: readonly string[]): string {
  return why.length === 0 ? '' : `: ${why.slice(0, 2).join(', and ')}`;
}

function evidenceOf({ step, why }: Attribution, signs: readonly FailureSign[]): Verdict['evidence'] {
  const decisive = {
    kind: 'sign' as const,
    step,
    path: null,
    quote: why[0] ?? 'the likeliest step to have decided it',
  };
  return [decisive, ...signs.map(({ words, steps }) => ({ ...decisive, step: steps[0]!, quote: words }))];
}

function nameAt(trace: Trace, step: number): string {
  const { tool, agent, name } = trace.steps[step]!;
  return tool?.name ?? agent ?? name;
}
