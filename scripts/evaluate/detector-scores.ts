import { DETECTION_TYPES, type DetectionType } from '../../src/core/detection.ts';
import type { DetectorFigures, DetectorScores, ScoreFigures } from '../../src/detectors/detector-scores.ts';
import { DETECTORS } from '../../src/detectors/registry.ts';
import { FAILURE_MODES } from '../../src/features/benchmarks/failure-modes.ts';
import { type Claim, measure } from '../../src/features/evaluation/measurement.ts';
import { isModeReportedBy, isReported, isReportedBy } from '../../src/features/evaluation/reported.ts';
import { tierOf } from '../../src/features/evaluation/tier.ts';
import type { Case } from './cases.ts';
import type { Basis } from './figure.ts';

const EVALUATION = new Map(DETECTORS.map(({ detector: { type, evaluation } }) => [type, evaluation]));
const mastOf = (type: DetectionType) => EVALUATION.get(type)?.mast ?? [];
const trailOf = (type: DetectionType) => EVALUATION.get(type)?.trail ?? [];

/** Annotators filed many failed calls under other categories too, so an absent category is not a negative label. */
const SHARED_CATEGORIES: ReadonlySet<string> = new Set(['Service Errors']);

/** Sets whose labels say what a detector should report. */
export const LABELLED_RUN_SETS = ['trail', 'masft_human', 'injecagent', 'agentdojo'] as const;

/**
 * Precision and recall of each detector and each failure mode, as far as labels exist. Only detections on whole runs count:
 * figures of scores on single texts say nothing about the detector. Flag rates come from the run sources
 * (`runs/run-report.ts`).
 */
export function detectorScores(cases: readonly Case[]): DetectorScores {
  return {
    detectors: DETECTION_TYPES.map((detector) => {
      const scores = [
        ...obeyedScores([detector], cases),
        ...runScores([detector], trailOf(detector), mastOf(detector), cases),
      ];
      return { detector, ...ranked(scores), healthy: null, failing: null };
    }),
    modes: FAILURE_MODES.map(({ mode, mast, detectors }) => {
      const categories = detectors.flatMap(trailOf);
      const scores = [...obeyedScores(detectors, cases), ...runScores(detectors, categories, mast, cases)];
      return { mode, ...ranked(scores) };
    }),
  };
}

/** How well a figure predicts the result on a user's data. */
const WEIGHT: Record<Basis, number> = {
  'set left out': 2,
  'never fitted': 2,
  'out-of-fold': 1,
  'as shipped': 0,
  'in-sample': 0,
};

/** Sets that no model was fitted on come first, then held-out groups of fitted sets, then the rest; the largest first. */
function ranked(scores: readonly ScoreFigures[]): Pick<DetectorFigures, 'tier' | 'measured' | 'further'> {
  const usable = scores.filter(({ positives }) => positives > 0);
  usable.sort((a, b) => WEIGHT[b.basis] - WEIGHT[a.basis] || b.samples - a.samples);
  const [measured = null, ...further] = usable;
  // The rules were written with these records, so they are not held out.
  return { tier: tierOf(measured, measured !== null && WEIGHT[measured.basis] > 0), measured, further };
}

function runScores(
  types: readonly DetectionType[],
  categories: readonly string[],
  modes: readonly string[],
  cases: readonly Case[],
): ScoreFigures[] {
  return [trailScore(types, categories, cases), mastScore(types, modes, cases)].filter((score) => score !== null);
}

/** Every trace of TRAIL was annotated for every category, so an absent category is a negative label. */
function trailScore(types: readonly DetectionType[], categories: readonly string[], cases: readonly Case[]) {
  const claims = cases
    .filter(({ set }) => set === 'trail' && categories.length > 0)
    .map(({ labels, prediction }) => ({
      predicted: isReportedBy(prediction.detections, types),
      real: categoriesOf(labels.errors).some((category) => categories.includes(category)),
    }));
  const score = scoreOf(claims, {
    set: 'trail',
    label: `run annotated with ${categories.join(', ')} (TRAIL); a detection of info or higher anywhere in it`,
    unit: 'run',
    basis: 'as shipped',
  });
  const isShared = categories.some((category) => SHARED_CATEGORIES.has(category));
  return score !== null && isShared ? { ...score, precision: null, f1: null } : score;
}

/** A run counts if at least one of the modes was annotated; only annotated modes count. */
function mastScore(types: readonly DetectionType[], modes: readonly string[], cases: readonly Case[]) {
  const judged = cases
    .filter(({ set }) => set === 'masft_human')
    .map((one) => ({ one, modes: texts(one.labels.annotated_modes).filter((mode) => modes.includes(mode)) }))
    .filter((run) => run.modes.length > 0);
  const claims = judged.map(({ one, modes: own }) => ({
    predicted: isModeReportedBy(one.prediction.detections, types, own),
    real: texts(one.labels.failure_modes).some((mode) => own.includes(mode)),
  }));
  const named = modes.filter((mode) => judged.some((run) => run.modes.includes(mode)));
  return scoreOf(claims, {
    set: 'masft_human',
    label: `run annotated with ${named.join(', ')} (MAST); a detection of info or higher that names it`,
    unit: 'run',
    basis: 'as shipped',
  });
}

function obeyedScores(types: readonly DetectionType[], cases: readonly Case[]): ScoreFigures[] {
  if (!types.includes('injection')) return [];
  const own = cases.filter(
    ({ set, labels }) => ['injecagent', 'agentdojo'].includes(set) && typeof labels.attack_success === 'boolean',
  );
  const claims = own.map(({ labels, prediction }) => ({
    predicted: prediction.detections.some(
      (detection) => isReported(detection) && detection.type === 'injection' && detection.subtype === 'obeyed',
    ),
    real: labels.attack_success === true,
  }));
  const score = scoreOf(claims, {
    set: 'injecagent, agentdojo',
    label: 'attacked run that obeyed the attack; a detection `obeyed`',
    unit: 'run',
    basis: 'as shipped',
  });
  return score === null ? [] : [score];
}

function scoreOf(
  claims: readonly Claim[],
  about: Pick<ScoreFigures, 'set' | 'label' | 'unit' | 'basis'>,
): ScoreFigures | null {
  return claims.length === 0 ? null : { ...about, ...measure(claims) };
}

function categoriesOf(errors: unknown): string[] {
  if (!Array.isArray(errors)) return [];
  return errors.flatMap(({ category }) => (typeof category === 'string' ? [category] : []));
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
