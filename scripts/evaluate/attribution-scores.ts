import type { Case } from './cases.ts';
import { type Basis, type Figure, type Section, shareFigure } from './figure.ts';
import { basisOf, type FittedAnswers, isAlwaysLeftOut, type NamedStep } from './out-of-fold.ts';

interface Subset {
  key: string;
  name: string;
  set: string;
  subset: string | null;
  aims: { agent?: number; step?: number; top?: number };
  transfer: { agent?: number; step?: number };
}

const SUBSETS: readonly Subset[] = [
  {
    key: 'whowhen.algorithm',
    name: 'whowhen, algorithm-generated',
    set: 'whowhen',
    subset: 'Algorithm-Generated',
    aims: { agent: 0.62, step: 0.48, top: 0.8 },
    transfer: { agent: 0.5, step: 0.25 },
  },
  {
    key: 'whowhen.crafted',
    name: 'whowhen, hand-crafted',
    set: 'whowhen',
    subset: 'Hand-Crafted',
    aims: { agent: 0.7, step: 0.25 },
    transfer: { agent: 0.4, step: 0.1 },
  },
  { key: 'agentrx.tau', name: 'agentrx, tau-retail', set: 'agentrx', subset: 'tau-retail', aims: {}, transfer: {} },
  { key: 'agentrx.magentic', name: 'agentrx, magentic', set: 'agentrx', subset: 'magentic', aims: {}, transfer: {} },
  { key: 'agenterrorbench', name: 'agenterrorbench', set: 'agenterrorbench', subset: null, aims: {}, transfer: {} },
];

/** Whether the decisive step and the responsible agent of failed runs are named exactly. */
export function attributionScores(cases: readonly Case[], answers: FittedAnswers): Section {
  const figures = SUBSETS.flatMap((subset) => {
    const own = cases.filter(
      (one) => one.set === subset.set && (subset.subset === null || one.meta.subset === subset.subset),
    );
    const attributed = own.filter(
      ({ id, prediction }) => prediction.attribution !== null || answers.outOfFold.attribution.has(id),
    );
    if (attributed.length === 0) return [];
    const left = isAlwaysLeftOut(answers, 'attribution')
      ? []
      : own.filter(({ id }) => answers.setLeftOut.attribution.has(id));
    return [
      ...subsetFigures(subset, own, (one) => namedFor(one, answers), basisOf(own, answers, 'attribution'), subset.aims),
      ...topFigures(subset, own, answers),
      ...subsetFigures(
        subset,
        left,
        ({ id }) => [answers.setLeftOut.attribution.get(id) ?? null],
        'set left out',
        subset.transfer,
      ),
    ];
  });
  return {
    title: 'Attribution: the decisive step and the responsible agent',
    about:
      'Only the exact agent and the exact step count. 43 of the 44 Magentic tasks in agentrx are also tasks of whowhen, so they are no independent evidence. Out-of-fold figures are means over three cross-validations.',
    figures,
  };
}

function subsetFigures(
  { key, name }: Subset,
  cases: readonly Case[],
  answersOf: AnswersOf,
  basis: Basis,
  aims: Subset['aims'],
): Figure[] {
  if (cases.length === 0) return [];
  const suffix = basis === 'set left out' ? '.left_out' : '';
  const step = shareFigure(
    { id: `attribution.${key}.step${suffix}`, label: 'exact step', set: name, basis, better: 'higher', aim: aims.step },
    meanHits(cases, answersOf, ({ step }, { mistake_step }) => step === mistake_step),
    cases.length,
  );
  const named = cases.filter(({ labels }) => typeof labels.mistake_agent === 'string');
  if (named.length === 0) return [step];
  const agent = shareFigure(
    {
      id: `attribution.${key}.agent${suffix}`,
      label: 'exact agent',
      set: name,
      basis,
      better: 'higher',
      aim: aims.agent,
    },
    meanHits(named, answersOf, ({ agent }, { mistake_agent }) => isSameAgent(agent, mistake_agent as string)),
    named.length,
  );
  return [agent, step];
}

/** The attribution of a run by each cross-validation; null if there is none. */
type AnswersOf = (one: Case) => readonly (NamedStep | null)[];

function namedFor({ id, prediction }: Case, { outOfFold }: FittedAnswers): readonly (NamedStep | null)[] {
  const held = outOfFold.attribution.get(id);
  return held === undefined ? [prediction.attribution] : [held, ...(held.others ?? [])];
}

/** Correct attributions; a run that only some cross-validations attribute correctly counts by their share. */
function meanHits(
  cases: readonly Case[],
  answersOf: AnswersOf,
  isRight: (named: NamedStep, labels: Case['labels']) => boolean,
): number {
  return cases.reduce((sum, one) => {
    const named = answersOf(one);
    return sum + named.filter((each) => each !== null && isRight(each, one.labels)).length / named.length;
  }, 0);
}

function topFigures({ key, name, aims }: Subset, cases: readonly Case[], answers: FittedAnswers): Figure[] {
  const listed = cases.filter(({ id }) => answers.outOfFold.attribution.get(id)?.top !== undefined);
  if (listed.length === 0) return [];
  const hits = meanHits(
    listed,
    (one) => namedFor(one, answers),
    ({ top = [] }, { mistake_step }) => top.slice(0, 3).includes(mistake_step as number),
  );
  return [
    shareFigure(
      {
        id: `attribution.${key}.top3`,
        label: 'step in the top three',
        set: name,
        basis: 'out-of-fold',
        better: 'higher',
        aim: aims.top,
      },
      hits,
      listed.length,
    ),
  ];
}

/** Labels and logs capitalize agent names differently (`Websurfer`), and logs add notes in brackets. */
export function isSameAgent(named: string | null, label: string): boolean {
  return named !== null && plain(named) === plain(label);
}

function plain(agent: string): string {
  return agent.split(' (')[0]!.trim().toLowerCase();
}
