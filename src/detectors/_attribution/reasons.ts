import { onceEach } from '../_kit/once.ts';
import { changedScore, leafValues } from '../_models/boosted-trees.ts';
import { linearLogit } from '../_models/linear-model.ts';
import { STEP_FEATURE_NAMES, type StepFeatures } from './step-features.ts';
import { type StepModel, stepScore } from './step-model.ts';

interface Reason {
  /** Features that say the same; taken away together. */
  features: readonly string[];
  holds(value: (name: string) => number): boolean;
  words: string;
}

const stands = (name: string) => (value: (name: string) => number) => value(`${name}.z`) >= 0.7;
const is = (name: string) => (value: (name: string) => number) => value(name) >= 1;

/** What the numbers of a step mean to a reader. */
const REASONS: readonly Reason[] = [
  { features: ['isError'], holds: is('isError'), words: 'it failed itself' },
  {
    features: ['beforeError', 'causesFirstError'],
    holds: is('beforeError'),
    words: 'what follows it directly is an error',
  },
  { features: ['afterError'], holds: is('afterError'), words: 'it answers an error' },
  {
    features: ['freshInFinal', 'freshInFinal.z', 'freshNumbersInFinal', 'freshNumbersInFinal.z'],
    holds: (value) => value('freshInFinal') > 0.1 && value('freshInFinal.z') >= 0.7,
    words: 'it is the first to say what the final answer is made of',
  },
  {
    features: ['usedLater', 'usedLater.z', 'numbersUsedLater', 'numbersUsedLater.z'],
    holds: stands('usedLater'),
    words: 'later steps build on what it brought in',
  },
  {
    features: ['freshNumbers', 'freshNumbers.z', 'freshNumberShare', 'freshNumberShare.z'],
    holds: stands('freshNumbers'),
    words: 'it states numbers that nothing before it showed',
  },
  {
    features: ['fresh', 'fresh.z', 'freshShare', 'freshShare.z'],
    holds: stands('fresh'),
    words: 'it brings in much that is new',
  },
  {
    features: ['likeLater', 'likeLater.z', 'likeNext', 'likeNext.z'],
    holds: stands('likeLater'),
    words: 'later steps repeat what it said',
  },
  {
    features: ['likeOwnLast', 'likeOwnLast.z', 'likePast', 'likePast.z'],
    holds: stands('likeOwnLast'),
    words: 'it repeats what the same agent did before',
  },
  {
    features: ['taskCovered', 'taskCovered.z'],
    holds: stands('taskCovered'),
    words: 'it takes up most of what the task asked',
  },
  { features: ['length', 'length.z', 'lines', 'lines.z'], holds: stands('length'), words: 'it is long for this run' },
  { features: ['says.assumption'], holds: is('says.assumption'), words: 'it works on assumed or made-up data' },
  { features: ['says.recall'], holds: is('says.recall'), words: 'it answers from memory' },
  { features: ['says.guess'], holds: is('says.guess'), words: 'it guesses or estimates' },
  { features: ['says.inability'], holds: is('says.inability'), words: 'it says that something could not be done' },
  { features: ['says.absence'], holds: is('says.absence'), words: 'it reports that something is missing' },
  { features: ['says.conclusion', 'says.final'], holds: is('says.conclusion'), words: 'it draws a conclusion' },
  { features: ['says.confirmation', 'says.verifying'], holds: is('says.confirmation'), words: 'it confirms a result' },
  { features: ['says.code', 'symbols', 'symbols.z'], holds: is('says.code'), words: 'it writes code' },
  { features: ['says.calculation'], holds: is('says.calculation'), words: 'it calculates' },
  { features: ['says.browsing', 'role.browser'], holds: is('says.browsing'), words: 'it acts on a web page' },
  { features: ['isPlanning', 'role.planner'], holds: is('isPlanning'), words: 'it decides what the others do' },
  { features: ['isAddressed'], holds: is('isAddressed'), words: 'it hands work to another agent' },
  { features: ['role.verifier'], holds: is('role.verifier'), words: 'checking is its task' },
  {
    features: ['position', 'place', 'modelPosition', 'modelPlace', 'agentPosition', 'remaining', 'modelRemaining'],
    holds: (value) => value('place') <= 0.35,
    words: 'it stands early in the run, where one error carries furthest',
  },
];

const SHOWN = 3;

const FEATURE_AT: ReadonlyMap<string, number> = new Map(STEP_FEATURE_NAMES.map((name, index) => [name, index]));

/** The reasons that hold for a step and without which it would score lower, those first that count most. */
export function reasonsFor(features: StepFeatures, row: number, model: StepModel): string[] {
  const values = features.rows[row]!;
  const at = FEATURE_AT;
  const value = (name: string) => values[at.get(name)!]!;
  const leaves = leafValues(model.trees, values);
  const score = stepScore(model, values);
  const means = meansOf(features);
  return REASONS.filter(({ holds }) => holds(value))
    .map(({ features: names, words }) => {
      const without = Float64Array.from(values);
      const changed = names.map((name) => at.get(name)!);
      for (const feature of changed) without[feature] = means[feature]!;
      const changedTrees = changedScore(model.trees, leaves, without, changed);
      return { words, gain: score - (linearLogit(model.linear, without) + changedTrees) };
    })
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain)
    .slice(0, SHOWN)
    .map(({ words }) => words);
}

const meansOf: (features: StepFeatures) => Float64Array = onceEach(meanRow);

function meanRow({ rows, names }: StepFeatures): Float64Array {
  const means = new Float64Array(names.length);
  for (const row of rows)
    for (let index = 0; index < means.length; index += 1) means[index]! += row[index]! / rows.length;
  return means;
}
