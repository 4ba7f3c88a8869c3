import { expectedCalibrationError } from '../fit/metrics.ts';
import type { Case } from './cases.ts';
import { groupedFigure, type Section, type Topic } from './figure.ts';
import { basisOf, type FittedAnswers } from './out-of-fold.ts';
import { outcomeOf, TRACE_SETS, type TraceSet } from './outcome.ts';

const AIM = 0.07;

interface Claim {
  one: Case;
  score: number;
  label: boolean;
}

/** How far the probabilities that are reported lie from how often they come true. */
export function confidenceScores(cases: readonly Case[], answers: FittedAnswers): Section {
  return {
    title: 'Whether confidence means what it says',
    about:
      'Expected calibration error over ten bins. `scores.injection` is an alarm scale (.5 is where one ordinary text in a hundred arrives), not a probability. A detection counts as right when its run failed (sets with healthy and failing runs, without attacks): no label says more about most of them, so this is a bound, not the truth.',
    figures: [
      figure('injection', '`scores.injection`', cases.flatMap(injectionClaim), (claims) =>
        basisOf(casesIn(claims), answers, 'injection'),
      ),
      figure('hallucination', '`scores.hallucination`', cases.flatMap(groundingClaim), (claims) =>
        basisOf(casesIn(claims), answers, 'hallucination'),
      ),
      figure('failed', '`scores.failed`', cases.flatMap(failureClaim), (claims) =>
        basisOf(casesIn(claims), answers, 'failed'),
      ),
      figure('detections', '`confidence` of detections', cases.flatMap(detectionClaims), () => 'as shipped'),
    ].flat(),
  };
}

function figure(
  key: string,
  label: string,
  claims: readonly Claim[],
  basis: (claims: readonly Claim[]) => Topic['basis'],
) {
  if (claims.length === 0) return [];
  const sets = [...new Set(claims.map(({ one }) => one.set))];
  const set = sets.length > 3 ? `${sets.length} sets` : sets.join(', ');
  const topic: Topic = {
    id: `calibration.${key}`,
    label: `calibration error of ${label}`,
    set,
    basis: basis(claims),
    better: 'lower',
    aim: AIM,
  };
  return [groupedFigure(topic, claims, ({ one }) => one.group, expectedCalibrationError)];
}

function injectionClaim(one: Case): Claim[] {
  const { kind, labels, prediction } = one;
  if (kind !== 'text' || prediction.scores.injection === null || typeof labels.is_injection !== 'boolean') return [];
  return [{ one, score: prediction.scores.injection, label: labels.is_injection }];
}

function groundingClaim(one: Case): Claim[] {
  const score = one.prediction.scores.hallucination;
  if (score === null || typeof one.labels.is_hallucination !== 'boolean') return [];
  return [{ one, score, label: one.labels.is_hallucination }];
}

function failureClaim(one: Case): Claim[] {
  const score = one.prediction.scores.failed;
  const outcome = runOutcome(one);
  if (score === null || (outcome !== 'healthy' && outcome !== 'failing') || !hasHealthy(one.set)) return [];
  return [{ one, score, label: outcome === 'failing' }];
}

function detectionClaims(one: Case): Claim[] {
  const outcome = runOutcome(one);
  if ((outcome !== 'healthy' && outcome !== 'failing') || !hasHealthy(one.set)) return [];
  const counted = one.prediction.detections.filter(({ severity }) => severity !== 'observation');
  return counted.map(({ confidence }) => ({ one, score: confidence, label: outcome !== 'healthy' }));
}

function runOutcome({ set, labels }: Case) {
  return (TRACE_SETS as readonly string[]).includes(set) ? outcomeOf(set as TraceSet, { labels }) : 'mixed';
}

function hasHealthy(set: string): boolean {
  return ['tau_bench', 'swebench_miniswe', 'masft_ag2_runs', 'agentdojo'].includes(set);
}

function casesIn(claims: readonly Claim[]): Case[] {
  return claims.map(({ one }) => one);
}
