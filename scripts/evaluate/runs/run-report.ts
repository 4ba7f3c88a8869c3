import { isAtLeast } from '../../../src/core/severity.ts';
import type { DetectorScores, FlagRateFigures } from '../../../src/detectors/detector-scores.ts';
import { wilsonInterval } from '../../../src/features/evaluation/wilson-interval.ts';
import type { Evaluation } from '../evaluation.ts';
import type { Section } from '../figure.ts';
import type { AnalyzedRun, RunOutcome } from './analyze-runs.ts';
import { FLAG_TITLE, flagSection } from './flag-section.ts';
import type { GaugeCounts } from './gauge-counts.ts';
import { RANK_TITLE, rankSection } from './rank-section.ts';
import { TARGET_TITLE, targetSection } from './target-section.ts';

/** Sections that are replaced. */
const REPLACED = [TARGET_TITLE, FLAG_TITLE, RANK_TITLE];

export interface RunMeasurement {
  /** As reported at default settings. */
  runs: readonly AnalyzedRun[];
  gauge: GaugeCounts;
  /** `YYYY-MM-DD`. */
  date: string;
}

/** The report with the figures of these runs in place of older ones. */
export function withRunFigures(report: Evaluation, { runs, gauge, date }: RunMeasurement): Evaluation {
  const unchanged = report.sections.filter(({ title }) => !REPLACED.includes(title));
  const measured = [flagSection(runs, date), rankSection(runs, date)];
  const targets = targetSection(runs, gauge, [...measured, ...unchanged], date);
  const sets = Object.fromEntries([...Map.groupBy(runs, ({ set }) => set)].map(([set, own]) => [set, own.length]));
  return {
    ...report,
    sets: { ...sets, ...report.sets },
    sections: [targets, ...measured, ...unchanged],
    scores: withFlagRates(report.scores, runs),
  };
}

const DATED = /^\*\*Measured on [^*]+\*\* /;

/** Sections that depend on detections and need fits; only a full evaluation measures them again. */
const NOT_MEASURED_AGAIN = ['Calibration of confidence'];

/** The report with the section of the same title replaced. */
export function withSection(report: Evaluation, section: Section): Evaluation {
  return { ...report, sections: report.sections.map((one) => (one.title === section.title ? section : one)) };
}

/** The report with sections that are not measured again marked with their day. */
export function withEarlierSections(report: Evaluation): Evaluation {
  const marked = ({ title, about, figures }: Section): Section => {
    if (!NOT_MEASURED_AGAIN.includes(title) || DATED.test(about)) return { title, about, figures };
    return {
      title,
      figures,
      about: `**Measured on ${report.date ?? 'an earlier day'}, with the detectors of that day.** ${about}`,
    };
  };
  return { ...report, sections: report.sections.map(marked) };
}

/** Flag rates of each detector over all sources. */
function withFlagRates(scores: DetectorScores, runs: readonly AnalyzedRun[]): DetectorScores {
  return {
    ...scores,
    detectors: scores.detectors.map((figures) => {
      const rate = (outcome: RunOutcome): FlagRateFigures | null => {
        const own = runs.filter((run) => run.outcome === outcome && !run.notApplicable.includes(figures.detector));
        const fired = own.filter(({ detections }) =>
          detections.some(({ type, severity }) => type === figures.detector && isAtLeast(severity, 'warning')),
        ).length;
        if (own.length === 0) return null;
        const [low, high] = wilsonInterval(fired, own.length);
        return { n: own.length, fired, value: rounded(fired / own.length), interval: [rounded(low), rounded(high)] };
      };
      return { ...figures, healthy: rate('healthy'), failing: rate('failing') };
    }),
  };
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
