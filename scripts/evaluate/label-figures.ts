import type { LabelledRecord } from '../fit/load-set.ts';
import { type Case, casesOf, predictHere } from './cases.ts';
import { detectorScores, LABELLED_RUN_SETS } from './detector-scores.ts';
import type { Evaluation } from './evaluation.ts';
import { followedAttackFigures } from './injection-scores.ts';
import { mastModes } from './mast-modes.ts';

/** Runs whose labels state what a detector should report, analyzed at default settings. */
export function labelledCases(load: (set: string) => LabelledRecord[], log: (line: string) => void): Case[] {
  return LABELLED_RUN_SETS.flatMap((set) => {
    const cases = casesOf(load(set), predictHere());
    log(`${set}: ${cases.length} records judged against their labels`);
    return cases;
  });
}

/** The report with the figures that follow from detections and labels in place of older ones. */
export function withLabelFigures(report: Evaluation, cases: readonly Case[]): Evaluation {
  const modes = mastModes(cases);
  const obeyed = new Map(followedAttackFigures(cases).map((figure) => [figure.id, figure]));
  return {
    ...report,
    scores: detectorScores(cases),
    sections: report.sections.map((section) =>
      section.title === modes.title
        ? modes
        : { ...section, figures: section.figures.map((figure) => obeyed.get(figure.id) ?? figure) },
    ),
  };
}
