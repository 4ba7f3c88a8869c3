import { auroc, balancedAccuracy, confusionAt } from '../fit/metrics.ts';
import type { Case } from './cases.ts';
import { type Basis, countFigure, type Figure, groupedFigure, type Section } from './figure.ts';
import { basisOf, type FittedAnswers } from './out-of-fold.ts';

/** Those of the macro average, then the hardest by itself. */
const MACRO_SETS = ['begin', 'faithdial_audit', 'wice', 'q2_wow', 'qags'];
const SETS = [...MACRO_SETS, 'faithbench'];
const MACRO_AIM = 0.81;
const FAITHBENCH_AIM = 0.62;

interface Judged {
  group: string;
  score: number;
  label: boolean;
}

/** Whether texts that their sources do not support score higher than those that they do. */
export function groundingScores(cases: readonly Case[], answers: FittedAnswers): Section {
  const left = answers.setLeftOut.hallucination;
  const inFamily = SETS.flatMap((set) => {
    const own = cases.filter((one) => one.set === set && one.prediction.scores.hallucination !== null);
    const judged = own.map((one) => judgedBy(one, one.prediction.scores.hallucination!));
    return setFigures(set, judged, basisOf(own, answers.outOfFold.hallucination), '');
  });
  const leftOut = SETS.flatMap((set) => {
    const own = cases.filter((one) => one.set === set && left.has(one.id));
    return setFigures(
      set,
      own.map((one) => judgedBy(one, left.get(one.id)!)),
      'set left out',
      '.left_out',
    );
  });
  return {
    title: 'Grounding: an answer against its sources',
    about: 'AUROC of `scores.hallucination`, and balanced accuracy at probability .5.',
    figures: [
      ...inFamily,
      ...macro(inFamily, '', 'out-of-fold'),
      ...leftOut,
      ...macro([...leftOut, ...neverFitted(inFamily)], '.left_out', 'set left out'),
    ],
  };
}

/** What no model was fitted on is left out by itself. */
function neverFitted(figures: readonly Figure[]): Figure[] {
  return figures.filter(({ basis }) => basis === 'never fitted');
}

function setFigures(set: string, judged: readonly Judged[], basis: Basis, suffix: string): Figure[] {
  if (judged.length === 0) return [];
  const aim = set === 'faithbench' ? FAITHBENCH_AIM : undefined;
  const groupOf = ({ group }: Judged) => group;
  return [
    groupedFigure(
      { id: `grounding.auroc.${set}${suffix}`, label: 'AUROC', set, basis, better: 'higher', aim },
      judged,
      groupOf,
      auroc,
    ),
    groupedFigure(
      { id: `grounding.balanced.${set}${suffix}`, label: 'balanced accuracy', set, basis, better: 'higher' },
      judged,
      groupOf,
      (some) => balancedAccuracy(confusionAt(some, 0.5)),
    ),
  ];
}

function macro(figures: readonly Figure[], suffix: string, basis: Basis): Figure[] {
  const areas = MACRO_SETS.map((set) =>
    figures.find(({ id }) => id === `grounding.auroc.${set}${suffix}` || id === `grounding.auroc.${set}`),
  );
  if (areas.some((area) => area === undefined)) return [];
  const mean = areas.reduce((sum, area) => sum + area!.value!, 0) / areas.length;
  const worst = areas.some((area) => area!.basis === 'in-sample') ? 'in-sample' : basis;
  const n = areas.reduce((sum, area) => sum + area!.n, 0);
  return [
    countFigure(
      {
        id: `grounding.auroc.macro${suffix}`,
        label: 'AUROC, mean of five sets',
        set: MACRO_SETS.join(', '),
        basis: worst,
        better: 'higher',
        aim: suffix === '' ? undefined : MACRO_AIM,
      },
      mean,
      n,
    ),
  ];
}

function judgedBy({ group, labels }: Case, score: number): Judged {
  return { group, score, label: labels.is_hallucination === true };
}
