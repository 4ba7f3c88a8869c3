import type { DetectionType } from '../../src/core/detection.ts';
import { expectedCalibrationError } from '../fit/metrics.ts';
import type { Case } from './cases.ts';
import {
  type Basis,
  countFigure,
  type Figure,
  groupedFigure,
  type Section,
  shareFigure,
  type Topic,
} from './figure.ts';
import { basisOf, type FittedAnswers, withConfidence } from './out-of-fold.ts';
import { outcomeOf, TRACE_SETS, type TraceSet } from './outcome.ts';

const AIM = 0.07;
/** With fewer detections, each bin of confidence holds one detection and the error is meaningless. */
const MIN_DETECTIONS = 20;

interface Claim {
  one: Case;
  score: number;
  label: boolean;
}

interface DetectionClaim extends Claim {
  type: DetectionType;
}

/** How far reported probabilities are from observed frequencies. */
export function confidenceScores(cases: readonly Case[], answers: FittedAnswers): Section {
  const claims = cases.flatMap((one) => detectionClaims(one));
  return {
    title: 'Calibration of confidence',
    about: ABOUT,
    figures: [
      scoreFigure('injection', cases.flatMap(injectionClaim), answers),
      scoreFigure('hallucination', cases.flatMap(groundingClaim), answers),
      detectionFigure('', 'calibration error of `confidence` of detections', claims, detectionBasis(claims, answers)),
      leftOutFigure(cases, answers.setLeftOut.confidence),
      reliabilityFigures(claims, answers),
    ].flat(),
  };
}

const ABOUT = [
  'Expected calibration error over ten bins. `scores.injection` is an alarm scale (.5 is where one ordinary text in a hundred arrives), not a probability.',
  '`scores.hallucination` is a probability for texts of which about two thirds are unsupported, as in the sets it was fitted on; where fewer are, it is too high.',
  '\n\nA detection counts as right when its run failed (sets with healthy and failing runs, without attacks).',
  'Most of them have no better label. This test is coarse: a true fault in a run that succeeded counts as wrong, a false one in a run that failed anyway counts as right.',
  'Fitted confidence is calibrated for traffic of which about 42 % of the runs fail, as in the four sets it was fitted on. Where one run in ten fails, the odds are a sixth of that: .8 becomes about .4.',
  'Detectors without a calibration report at most .7; their rows compare this with the outcome of runs and do not measure an error.',
].join(' ');

function scoreFigure(name: 'injection' | 'hallucination', claims: readonly Claim[], answers: FittedAnswers) {
  const basis = basisOf(
    claims.map(({ one }) => one),
    answers,
    name,
  );
  return errorFigure({ id: `calibration.${name}`, label: `calibration error of \`scores.${name}\`` }, claims, basis);
}

function detectionFigure(suffix: string, label: string, claims: readonly Claim[], basis: Basis): Figure[] {
  return errorFigure({ id: `calibration.detections${suffix}`, label }, claims, basis);
}

function errorFigure(topic: Pick<Topic, 'id' | 'label'>, claims: readonly Claim[], basis: Basis, aim = AIM): Figure[] {
  if (claims.length === 0) return [];
  const sets = [...new Set(claims.map(({ one }) => one.set))];
  const set = sets.length > 3 ? `${sets.length} sets` : sets.join(', ');
  const whole: Topic = { ...topic, set, basis, better: 'lower', aim };
  return [groupedFigure(whole, claims, ({ one }) => one.group, expectedCalibrationError)];
}

function leftOutFigure(cases: readonly Case[], left: FittedAnswers['setLeftOut']['confidence']) {
  if (left.size === 0) return [];
  const claims = cases.flatMap((one) => {
    const detections = withConfidence(one.prediction.detections, left.get(one.id) ?? []);
    return detectionClaims({ ...one, prediction: { ...one.prediction, detections } });
  });
  return detectionFigure('.left_out', 'the same, for a set that no curve was fitted on', claims, 'set left out');
}

/** Rows of the reliability table: mean confidence of a detector, and how often its runs failed. */
function reliabilityFigures(claims: readonly DetectionClaim[], answers: FittedAnswers): Figure[] {
  const byType = [...Map.groupBy(claims, ({ type }) => type)].sort(([a], [b]) => (a < b ? -1 : 1));
  return byType.flatMap(([type, own]) => {
    const failed = own.filter(({ label }) => label).length;
    const topic = { set: '4 sets', basis: detectionBasis(own, answers), better: 'none' as const };
    const mean = own.reduce((sum, { score }) => sum + score, 0) / own.length;
    const id = `calibration.detector.${type}`;
    return [
      countFigure({ ...topic, id: `${id}.mean`, label: `${type}: mean confidence` }, mean, own.length),
      shareFigure({ ...topic, id: `${id}.share`, label: `${type}: runs that failed` }, failed, own.length),
      ...(own.length < MIN_DETECTIONS
        ? []
        : errorFigure({ id: `${id}.error`, label: `${type}: calibration error` }, own, topic.basis)),
    ];
  });
}

/** `out-of-fold` if one of the confidences is fitted and held-out confidences exist; otherwise as the program reports it. */
function detectionBasis(claims: readonly DetectionClaim[], answers: FittedAnswers): Basis {
  const isFitted = claims.some(({ one, type }) =>
    answers.outOfFold.confidence.get(one.id)?.some((answer) => answer.type === type),
  );
  return isFitted ? 'out-of-fold' : 'as shipped';
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

function detectionClaims(one: Case): DetectionClaim[] {
  const outcome = runOutcome(one);
  if ((outcome !== 'healthy' && outcome !== 'failing') || !hasHealthy(one.set)) return [];
  const counted = one.prediction.detections.filter(({ severity }) => severity !== 'observation');
  return counted.map(({ type, confidence }) => ({ one, type, score: confidence, label: outcome !== 'healthy' }));
}

function runOutcome({ set, labels }: Case) {
  return (TRACE_SETS as readonly string[]).includes(set) ? outcomeOf(set as TraceSet, { labels }) : 'mixed';
}

function hasHealthy(set: string): boolean {
  return ['tau_bench', 'swebench_miniswe', 'masft_ag2_runs', 'agentdojo'].includes(set);
}
