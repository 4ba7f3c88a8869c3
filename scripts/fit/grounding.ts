/**
 * Fits the grounding model and measures it on held-out sets and groups. node scripts/fit/grounding.ts [--data DIR] [--write]
 * [--json FILE] `--write` writes the generated files of src/detectors/_readings/support.
 */
import { writeFileSync } from 'node:fs';
import { readIdf } from '../../src/detectors/_readings/support/idf.ts';
import { corruptClaims } from './grounding/corrupt-claims.ts';
import { countIdf } from './grounding/count-idf.ts';
import {
  fitGrounding,
  fitPlatt,
  type HeldOutPair,
  heldOutBySet,
  logitOf,
  type Measured,
  measure,
} from './grounding/fit-grounding.ts';
import { loadPairs, MEASURED_SETS, type TextPair, TRAINING_SETS } from './grounding/text-pairs.ts';
import { groupedFolds } from './grouped-folds.ts';
import { dataFolder } from './load-set.ts';
import { auroc, balancedAccuracy, confusionAt, groupBootstrap, type Judged, recallAtFpr } from './metrics.ts';

const TARGET = new URL('../../src/detectors/_readings/support/', import.meta.url);
const FOLDS = 5;

export interface HeldOutScore {
  set: string;
  id: string;
  group: string;
  label: boolean;
  /** As from `scoreGrounding`, by a model fitted without the set. */
  score: number;
}

/** Score of every pair by a model fitted without its whole set; sets that are only measured use the full model. */
export function outOfFold(data: string): HeldOutScore[] {
  const training = loadPairs(TRAINING_SETS, data);
  const measured = loadPairs(MEASURED_SETS, data);
  const leftOut = TRAINING_SETS.flatMap((set) => {
    const rest = training.filter((pair) => pair.set !== set);
    return scoredBy(
      rest,
      training.filter((pair) => pair.set === set),
    );
  });
  return [...leftOut, ...scoredBy(training, measured)];
}

/** Word counts, model and probabilities all come from `training` alone. */
function scoredBy(training: readonly TextPair[], tested: readonly TextPair[]): HeldOutScore[] {
  const idf = readIdf(countIdf(training));
  const examples = trainingOf(training, idf);
  const logit = logitOf(examples);
  const platt = fitPlatt(heldOutBySet(examples));
  return measure(tested, idf).map((one) => scoreOf({ measured: one, logit: logit(one) }, platt));
}

function trainingOf(pairs: readonly TextPair[], idf: ReturnType<typeof readIdf>): Measured[] {
  return [...measure(pairs, idf), ...measure(corruptClaims(pairs), idf, true)];
}

function scoreOf(
  { measured: { pair }, logit }: HeldOutPair,
  { slope, offset }: { slope: number; offset: number },
): HeldOutScore {
  const score = 1 / (1 + Math.exp(-(slope * logit + offset)));
  return { set: pair.set, id: pair.id, group: pair.group, label: pair.label === 1, score };
}

/** Items of other groups of the same set are in training; word frequencies come from all items. */
function inFamily(examples: readonly Measured[]): HeldOutScore[] {
  return groupedFolds(examples, ({ pair }) => pair.group, FOLDS).flatMap(({ train, test }) => {
    const logit = logitOf(train);
    const humanLabelled = test.filter(({ isSynthetic }) => !isSynthetic);
    return humanLabelled.map((one) => scoreOf({ measured: one, logit: logit(one) }, { slope: 1, offset: 0 }));
  });
}

interface SetReport {
  set: string;
  n: number;
  unsupported: number;
  auroc: number;
  interval: [number, number];
  balancedAccuracy: number;
  recallAtFpr5: number;
}

function reportOf(scores: readonly HeldOutScore[]): SetReport[] {
  const bySet = Map.groupBy(scores, ({ set }) => set);
  return [...bySet].sort(([a], [b]) => (a < b ? -1 : 1)).map(([set, some]) => setReport(set, some));
}

function setReport(set: string, scores: readonly HeldOutScore[]): SetReport {
  const [positives, negatives] = [scores.filter(({ label }) => label), scores.filter(({ label }) => !label)];
  const toScore = ({ score }: Judged) => score;
  return {
    set,
    n: scores.length,
    unsupported: positives.length,
    auroc: round(auroc(scores)),
    interval: groupBootstrap(scores, ({ group }) => group, auroc).map(round) as [number, number],
    balancedAccuracy: round(balancedAccuracy(confusionAt(scores, 0.5))),
    recallAtFpr5: round(recallAtFpr(positives.map(toScore), negatives.map(toScore), 0.05)),
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function main(args: readonly string[]): void {
  const data = dataFolder(args);
  const training = loadPairs(TRAINING_SETS, data);
  const table = countIdf(training);
  const examples = trainingOf(training, readIdf(table));
  const model = fitGrounding(examples);
  if (args.includes('--write')) {
    writeFileSync(new URL('idf.generated.json', TARGET), `${JSON.stringify(table)}\n`);
    writeFileSync(new URL('model.generated.json', TARGET), `${JSON.stringify(model, null, 2)}\n`);
  }
  const leftOut = reportOf(outOfFold(data));
  const family = reportOf(inFamily(examples));
  const macroOf = (some: readonly SetReport[]) =>
    round(some.reduce((sum, { auroc: value }) => sum + value, 0) / some.length);
  console.log('left out: the whole set');
  console.table(leftOut);
  console.log('macro of 5 (without faithbench)', macroOf(leftOut.filter(({ set }) => set !== 'faithbench')));
  console.log('left out: the group, in five folds');
  console.table(family);
  console.log(
    'thresholds at 5 % and 1 % false positives',
    model.strict,
    model.certain,
    'stems',
    table.stems.split(' ').length,
  );
  const at = args.indexOf('--json');
  if (at !== -1) writeFileSync(args[at + 1]!, `${JSON.stringify({ leftOut, family }, null, 2)}\n`);
}

if (import.meta.main) main(process.argv.slice(2));
