import { auroc, balancedAccuracy, confusionAt } from '../fit/metrics.ts';
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
import { basisOf, type FittedAnswers, isAlwaysLeftOut, type Scores } from './out-of-fold.ts';

/** The sets of the macro average, then the hardest set. */
const MACRO_SETS = ['begin', 'faithdial_audit', 'wice', 'q2_wow', 'qags'];
const SETS = [...MACRO_SETS, 'faithbench'];
const MACRO_AIM = 0.81;
const FAITHBENCH_AIM = 0.62;

interface LabelledScore {
  group: string;
  score: number;
  label: boolean;
}

/** Whether texts without support in their sources score higher than supported texts. */
export function groundingScores(cases: readonly Case[], answers: FittedAnswers): Section {
  const inFamily = SETS.flatMap((set) => {
    const own = cases.filter((one) => one.set === set && one.prediction.scores.hallucination !== null);
    const judged = own.map((one) => judgedBy(one, one.prediction.scores.hallucination!));
    return setFigures(set, judged, basisOf(own, answers, 'hallucination'), '');
  });
  const leftOut = isAlwaysLeftOut(answers, 'hallucination')
    ? []
    : leftOutFigures(cases, answers.setLeftOut.hallucination);
  return {
    title: 'Grounding: an answer against its sources',
    about:
      'AUROC of `scores.hallucination`, and balanced accuracy at probability .5. A text that cannot be compared with its sources (no words, another language) has no score; only the first figure includes it.',
    figures: [
      ...textsWithoutScore(cases),
      ...inFamily,
      ...macro(inFamily, ''),
      ...leftOut,
      ...macro([...leftOut, ...neverFitted(inFamily)], '.left_out'),
    ],
  };
}

function textsWithoutScore(cases: readonly Case[]): Figure[] {
  const own = cases.filter(({ set }) => SETS.includes(set));
  if (own.length === 0) return [];
  const without = own.filter(({ prediction }) => prediction.scores.hallucination === null);
  return [
    shareFigure(
      { id: 'grounding.unjudged', label: 'texts without a score', set: '6 sets', basis: 'as shipped', better: 'lower' },
      without.length,
      own.length,
    ),
  ];
}

function leftOutFigures(cases: readonly Case[], left: Scores<number>): Figure[] {
  return SETS.flatMap((set) => {
    const own = cases.filter((one) => one.set === set && left.has(one.id));
    const judged = own.map((one) => judgedBy(one, left.get(one.id)!));
    return setFigures(set, judged, 'set left out', '.left_out');
  });
}

/** Sets that no model was fitted on are left out individually. */
function neverFitted(figures: readonly Figure[]): Figure[] {
  return figures.filter(({ basis }) => basis === 'never fitted');
}

function setFigures(set: string, judged: readonly LabelledScore[], basis: Basis, suffix: string): Figure[] {
  if (judged.length === 0) return [];
  const aim = set === 'faithbench' ? FAITHBENCH_AIM : undefined;
  const groupOf = ({ group }: LabelledScore) => group;
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

/** The mean over five sets, on the weakest basis among them; a set without training records counts as left out. */
function macro(figures: readonly Figure[], suffix: string): Figure[] {
  const areas = MACRO_SETS.flatMap(
    (set) =>
      figures.find(({ id }) => id === `grounding.auroc.${set}${suffix}` || id === `grounding.auroc.${set}`) ?? [],
  );
  if (areas.length < MACRO_SETS.length) return [];
  const basis = areas.map((area) => area.basis).find((one) => one !== 'never fitted') ?? 'never fitted';
  const topic: Topic = {
    id: `grounding.auroc.macro${suffix}`,
    label: 'AUROC, mean of five sets',
    set: MACRO_SETS.join(', '),
    basis: areas.some((area) => area.basis === 'in-sample') ? 'in-sample' : basis,
    better: 'higher',
    aim: basis === 'set left out' ? MACRO_AIM : undefined,
  };
  const mean = areas.reduce((sum, { value }) => sum + value!, 0) / areas.length;
  return [
    countFigure(
      topic,
      mean,
      areas.reduce((sum, { n }) => sum + n, 0),
    ),
  ];
}

function judgedBy({ group, labels }: Case, score: number): LabelledScore {
  return { group, score, label: labels.is_hallucination === true };
}
