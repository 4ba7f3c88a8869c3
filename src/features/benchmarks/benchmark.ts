import { DETECTION_TYPES, type DetectionType } from '../../core/detection.ts';
import type { DetectorFigures, ModeFigures, ScoreFigures } from '../../detectors/detector-scores.ts';
import { DETECTOR_SCORES } from '../../detectors/detector-scores.ts';
import { MATURITY, maturityOf } from '../../detectors/maturity.ts';
import { DETECTORS } from '../../detectors/registry.ts';
import { type FiredShare, subtypeRecord } from '../../detectors/subtype-records.ts';
import { FAILURE_MODES } from './failure-modes.ts';
import { type FlagRate, flagRate } from './flag-rates.ts';

interface Share {
  value: number;
  interval: readonly number[];
}

/** Figures as served; the same numbers as in the committed report. */
export function benchmarks() {
  const { date, split, modes } = DETECTOR_SCORES;
  return {
    measured_at: date,
    split,
    items: FAILURE_MODES.map((mode) =>
      toMode(
        mode,
        modes.find((one) => one.mode === mode.mode),
      ),
    ),
    total: FAILURE_MODES.length,
  };
}

export function detectorStatus() {
  const { date, split, detectors } = DETECTOR_SCORES;
  const items = DETECTION_TYPES.map((type) =>
    toDetector(detectors.find(({ detector }) => detector === type) ?? unmeasured(type)),
  );
  return { measured_at: date, split, items, total: items.length };
}

/** A detector that is newer than the report. */
function unmeasured(detector: DetectionType): DetectorFigures {
  return { detector, tier: 'experimental', measured: null, further: [], healthy: null, failing: null };
}

function toMode({ mode, name, mast, detectors }: (typeof FAILURE_MODES)[number], figures?: ModeFigures) {
  const measured = figures?.measured ?? null;
  return {
    mode,
    name,
    mast_codes: [...mast],
    detectors: [...detectors],
    tier: figures?.tier ?? 'experimental',
    detection_rate: measured?.recall?.value ?? null,
    interval: intervalOf(measured?.recall),
    ...toSource(measured),
  };
}

function toDetector({ detector, tier, measured, further }: DetectorFigures) {
  return {
    detector,
    tier,
    ...toFigures(measured),
    further: further.map(toFigures),
    healthy_flag_rate: toFlagRate(flagRate(detector, 'healthy')),
    failing_flag_rate: toFlagRate(flagRate(detector, 'failing')),
    subtypes: Object.keys(MATURITY[detector]).map((subtype) => toSubtype(detector, subtype)),
  };
}

function toSubtype(detector: DetectionType, subtype: string) {
  const declared = maturityOf(detector, subtype);
  const maturity = declared.level;
  const record = subtypeRecord(detector, subtype);
  return {
    subtype,
    title: titleOf(detector, subtype),
    maturity,
    fact_because: declared.level === 'fact' ? declared.why : null,
    counted_against: record?.against ?? (record === null ? null : ('outcome' as const)),
    rule_chosen_on: record?.seen ? [...record.seen] : null,
    left_out_healthy: toFired(record?.leftOut.healthy),
    left_out_failing: toFired(record?.leftOut.failing),
    outcome_precision: record?.precision ?? null,
    outcome_precision_interval: record?.interval ?? null,
    base_rate: record?.baseRate ?? null,
    not_measured_because: maturity === 'preview' ? (record?.shortfall ?? 'not measured yet') : null,
  };
}

function titleOf(type: DetectionType, subtype: string): string {
  const subtypes: Readonly<Record<string, { title: string }>> | undefined = DETECTORS.find(
    ({ detector }) => detector.type === type,
  )?.detector.subtypes;
  return subtypes?.[subtype]?.title ?? subtype;
}

function toFired(share: FiredShare | undefined) {
  return share === undefined ? null : { fired: share.hits, could_fire: share.n };
}

function toFigures(score: ScoreFigures | null) {
  return {
    f1: score?.f1?.value ?? null,
    f1_interval: intervalOf(score?.f1),
    precision: score?.precision?.value ?? null,
    precision_interval: intervalOf(score?.precision),
    recall: score?.recall?.value ?? null,
    recall_interval: intervalOf(score?.recall),
    ...toSource(score),
  };
}

/** The sources of the figures; empty if there is no labelled data. */
function toSource(score: ScoreFigures | null) {
  return {
    data_set: score?.set ?? null,
    basis: score?.basis ?? null,
    counted_as_real: score?.label ?? null,
    unit: score?.unit ?? null,
    sample_count: score?.samples ?? 0,
    positive_count: score?.positives ?? 0,
    found_count: score?.truePositives ?? 0,
    reported_count: score ? score.truePositives + score.falsePositives : 0,
  };
}

function toFlagRate(rate: FlagRate | null) {
  if (rate === null) return null;
  const { n, fired, value, isAtLeast } = rate;
  return {
    rate: round(value),
    interval: intervalOf(rate)!.map(round) as [number, number],
    sample_count: n,
    is_sample_count_minimum: isAtLeast,
    flagged_count: fired,
  };
}

function round(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}

function intervalOf(share: Share | null | undefined): [number, number] | null {
  return share ? [share.interval[0]!, share.interval[1]!] : null;
}
