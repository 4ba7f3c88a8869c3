import { auroc } from '../fit/metrics.ts';
import type { Case } from './cases.ts';
import { groupedFigure, type Section } from './figure.ts';
import { basisOf, type FittedAnswers, isAlwaysLeftOut } from './out-of-fold.ts';
import { outcomeOf, type TraceSet } from './outcome.ts';

const AIMS: Partial<Record<string, number>> = { tau_bench: 0.87, swebench_miniswe: 0.66, masft_ag2_runs: 0.62 };
/** For what a new user gets: the set left out, or ranks within his own traffic. */
const TRANSFER_AIM = 0.65;
const SETS = ['tau_bench', 'swebench_miniswe', 'masft_ag2_runs', 'agentdojo'];

/** Whether runs that failed score higher on `scores.failed` than those that did not. */
export function failureScores(cases: readonly Case[], answers: FittedAnswers): Section {
  const figures = SETS.flatMap((set) => {
    const own = cases.filter((one) => one.set === set && one.prediction.scores.failed !== null && isJudged(one));
    if (own.length === 0) return [];
    const ranked = own.filter(({ id }) => answers.setLeftOut.rankedFailed.has(id));
    const left = isAlwaysLeftOut(answers, 'failed') ? [] : own.filter(({ id }) => answers.setLeftOut.failed.has(id));
    return [
      areaFigure(
        `failed.auroc.${set}`,
        set,
        own,
        basisOf(own, answers, 'failed'),
        AIMS[set],
        (one) => one.prediction.scores.failed!,
      ),
      ...(left.length === 0
        ? []
        : [
            areaFigure(
              `failed.auroc.left_out.${set}`,
              set,
              left,
              'set left out',
              TRANSFER_AIM,
              ({ id }) => answers.setLeftOut.failed.get(id)!,
            ),
          ]),
      ...(ranked.length === 0
        ? []
        : [
            areaFigure(
              `failed.auroc.ranked.${set}`,
              set,
              ranked,
              'as shipped',
              TRANSFER_AIM,
              ({ id }) => answers.setLeftOut.rankedFailed.get(id)!,
              'AUROC of the rank within its own traffic',
            ),
          ]),
    ];
  });
  return {
    title: 'Risk that a run failed',
    about:
      'AUROC of `scores.failed`, failing against healthy runs of one set. The rank within its own traffic is what a new user gets without labels: each sign of trouble is ranked among the runs of the set, and nothing is fitted.',
    figures,
  };
}

function areaFigure(
  id: string,
  set: string,
  cases: readonly Case[],
  basis: ReturnType<typeof basisOf>,
  aim: number | undefined,
  scoreOf: (one: Case) => number,
  label = 'AUROC',
) {
  return groupedFigure(
    { id, label, set, basis, better: 'higher', aim },
    cases,
    ({ group }) => group,
    (some) => auroc(some.map((one) => ({ score: scoreOf(one), label: outcome(one) === 'failing' }))),
  );
}

function isJudged(one: Case): boolean {
  const judged = outcome(one);
  return judged === 'healthy' || judged === 'failing';
}

function outcome({ set, labels }: Case) {
  return outcomeOf(set as TraceSet, { labels });
}
