/** Fits the text model of the detector `injection` and measures it. `--help` lists the options. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { ProbabilityCurve } from '../../src/detectors/_models/calibration-curve.ts';
import { maxTextScore } from '../../src/detectors/injection/score-trace.ts';
import { foldOf } from './grouped-folds.ts';
import { alarmCurve, calibrationOf, type QuietRun, rulesCurve } from './injection/calibration.ts';
import { type Item, readCorpus } from './injection/corpus.ts';
import { type BenignScore, falseAlarmCurve } from './injection/curves.ts';
import { FOLDS, FoldFitter, type RawScore, type Scorer, scoreRecord, scorerOf } from './injection/fold-scores.ts';
import { type ItemScore, longDocuments, measureReport, type ReportInput, scoreOf } from './injection/measure.ts';
import { ownItems } from './injection/own-items.ts';
import { RECORD_SETS } from './injection/record-sets.ts';
import { dataFolder, type LabelledRecord, loadSet } from './load-set.ts';

const HELP = `node scripts/fit/injection.ts [options]
  --data DIR     folder of the sets (default ../shared/datasets/dev)
  --left-out     also fit without each set of attacks and measure on it
  --json FILE    the figures as JSON
  --write        fit on everything and write model.generated.json and calibration.generated.json
  --fits DIR     write the held-out scores of all records to DIR/injection.json, as \`npm run evaluate -- --fits\` caches them
  --out DIR      write them there instead of to the folder of the detector
  --without SET  fit as if this set did not exist; may be repeated, and needs --out`;

const TARGET = new URL('../../src/detectors/injection/', import.meta.url);
export type Curves = Record<'user' | 'data' | 'rules' | 'alarm', ProbabilityCurve>;

/** Sets that are left out completely, with the items derived from them. */
const LEFT_OUT: Readonly<Record<string, RegExp>> = {
  bipia: /^bipia/,
  injecagent: /^injecagent/,
  agentdojo: /^agentdojo/,
  cyberseceval_pi: /^cyberseceval/,
  giskard_pi: /^giskard/,
  notinject_injecguard: /^valid-attacks/,
};

function createFoldFitter(records: (set: string) => readonly LabelledRecord[]): FoldFitter {
  return new FoldFitter([...readCorpus((set) => records(set).map(({ raw }) => raw)), ...ownItems()]);
}

/** Fitting takes minutes, so scores are cached by the array of records: callers that need both kinds pass the same array. */
const known = new WeakMap<readonly LabelledRecord[], { fitter: FoldFitter; scores: Map<string, number> }>();

/** Score of each record by a model fitted without its group, on the scale of the shipped model. */
export function outOfFold(records: readonly LabelledRecord[]): Map<string, number> {
  return foldedScores(records).scores;
}

function foldedScores(records: readonly LabelledRecord[]): { fitter: FoldFitter; scores: Map<string, number> } {
  const done = known.get(records);
  if (done !== undefined) return done;
  const fitter = createFoldFitter((set) => (ofSet(records, set).length > 0 ? ofSet(records, set) : loadSet(set)));
  const curves = shippedCurves();
  const raw = new Map<string, RawScore[]>();
  for (let fold = 0; fold < FOLDS; fold += 1) scoreRecords(records, fold, scorerOf(fitter.fitWithoutFold(fold)), raw);
  const made = { fitter, scores: new Map([...raw].map(([id, scores]) => [id, runScore(scores, curves)])) };
  known.set(records, made);
  return made;
}

function scoreRecords(
  records: readonly LabelledRecord[],
  fold: number,
  score: Scorer,
  into: Map<string, RawScore[]>,
): void {
  for (const record of records.filter(({ group }) => foldOf(group, FOLDS) === fold))
    into.set(record.id, scoreRecord(record, score));
}

/** Attacks are scored by a model fitted without their set, on its own scale; ordinary texts and runs out of fold. */
export function setLeftOut(records: readonly LabelledRecord[]): Map<string, number> {
  const { fitter, scores } = foldedScores(records);
  return leftOutScores(fitter, records, scores, shippedCurves());
}

/**
 * A model without a set has another scale than the shipped one, so its scores are mapped to the scale of held-out ordinary
 * texts; then one threshold applies to all.
 */
function leftOutScores(
  fitter: FoldFitter,
  records: readonly LabelledRecord[],
  folded: ReadonlyMap<string, number>,
  shipped: Curves,
): Map<string, number> {
  const isAttack = ({ labels }: LabelledRecord) => labels.is_injection === true;
  const scores = new Map(records.filter((record) => !isAttack(record)).map(({ id }) => [id, folded.get(id)!]));
  for (const [set, pattern] of Object.entries(LEFT_OUT)) {
    const attacks = ofSet(records, set).filter(isAttack);
    // It has one wording, which the rules cover, so nothing is measured on it.
    if (attacks.length === 0 || set === 'agentdojo') continue;
    const { model, ordinary } = fitter.fitWithScale((item) => !pattern.test(item.set));
    const curves = { ...shipped, user: falseAlarmCurve(ordinary.user), data: falseAlarmCurve(ordinary.data) };
    const score = scorerOf(model);
    for (const record of attacks) scores.set(record.id, runScore(scoreRecord(record, score), curves));
    print(`${set} left out`);
  }
  return scores;
}

function ofSet(records: readonly LabelledRecord[], set: string): LabelledRecord[] {
  return records.filter(({ dataset }) => dataset === set);
}

function shippedCurves(): Curves {
  return JSON.parse(readFileSync(new URL('model.generated.json', TARGET), 'utf8')).curves as Curves;
}

function runScore(scores: readonly RawScore[], curves: Curves): number {
  const judged = scores.map((one) => ({ channel: one.channel, score: scoreOf(one, curves) }));
  return scores[0]?.isAlone === true ? judged[0]!.score : maxTextScore(judged);
}

function main(args: readonly string[]): void {
  if (args.includes('--help')) {
    console.log(HELP);
    return;
  }
  const data = dataFolder(args);
  const without = new Set(args.filter((_, at) => args[at - 1] === '--without'));
  if (without.size > 0 && !args.includes('--out'))
    throw new Error('--without needs --out: the shipped model is fitted on all sets');
  const read = (set: string) => (without.has(set) ? [] : loadSet(set, data));
  const fitter = createFoldFitter(read);
  print(`${fitter.items.length} texts`);
  const records = RECORD_SETS.flatMap(read);
  const scored = scoreFolds(fitter, records);
  const curves = curvesOf(scored);
  const input: ReportInput = { scored: scored.items, long: scored.long, curves };
  const inFamily = measureReport(input);
  console.log(JSON.stringify(inFamily, null, 1));
  if (args.includes('--write')) writeModel(fitter, scored, curves, args);
  if (args.includes('--fits')) writeFits(fitter, records, scored, curves, args[args.indexOf('--fits') + 1]!);
  const leftOut = args.includes('--left-out') ? leftOutReport(fitter, input) : {};
  console.log(JSON.stringify(leftOut, null, 1));
  const at = args.indexOf('--json');
  if (at !== -1) writeFileSync(args[at + 1]!, `${JSON.stringify({ inFamily, leftOut }, null, 2)}\n`);
}

function writeModel(fitter: FoldFitter, scored: FoldScores, curves: Curves, args: readonly string[]): void {
  const at = args.indexOf('--out');
  const out = at === -1 ? TARGET : pathToFileURL(`${args[at + 1]}/`);
  writeJson(new URL('model.generated.json', out), { ...fitter.fit(() => true), curves });
  // Without a set, only the model is requested: it is measured with the shipped calibration.
  if (args.includes('--without')) return;
  const runs = ['injecagent', 'agentdojo'].flatMap((set) => loadSet(set, dataFolder(args)));
  writeJson(new URL('calibration.generated.json', out), calibrationOf(scored.items, curves, runs));
}

function writeFits(
  fitter: FoldFitter,
  records: readonly LabelledRecord[],
  { raw }: FoldScores,
  curves: Curves,
  folder: string,
): void {
  const folded = new Map([...raw].map(([id, scores]) => [id, runScore(scores, curves)]));
  const leftOut = leftOutScores(fitter, records, folded, curves);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/injection.json`, JSON.stringify({ outOfFold: [...folded], setLeftOut: [...leftOut] }));
}

interface FoldScores {
  items: ItemScore[];
  long: ItemScore[];
  runs: QuietRun[];
  /** For each record, the scores of all texts from outside. */
  raw: Map<string, RawScore[]>;
}

const QUIET_SETS: ReadonlySet<string> = new Set(['tau_bench', 'swebench_miniswe', 'agentdojo', 'masft_ag2_runs']);
const isQuiet = ({ dataset, labels }: LabelledRecord) => QUIET_SETS.has(dataset) && labels.attack_run !== true;

/** Every item and every long clean document, scored by the model of its fold; sets without training records by the first model. */
function scoreFolds(fitter: FoldFitter, records: readonly LabelledRecord[]): FoldScores {
  const scores: FoldScores = { items: [], long: [], runs: [], raw: new Map() };
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const score = scorerOf(fitter.fitWithoutFold(fold));
    print(`fold ${fold} fitted`);
    const tested = fitter.items.filter((item) =>
      item.isMeasuredOnly === true ? fold === 0 : !item.set.startsWith('own') && foldOf(item.group, FOLDS) === fold,
    );
    scores.items.push(...tested.map((item) => scoreItem(item, score)));
    scoreRecords(records, fold, score, scores.raw);
    scores.long.push(...longDocuments(tested).map((item) => scoreItem(item, score)));
  }
  scores.runs = records.filter(isQuiet).map(({ id, dataset }) => ({ set: dataset, scores: scores.raw.get(id)! }));
  return scores;
}

function scoreItem(item: Item, score: Scorer): ItemScore {
  return { item, ...score(item.text, item.channel) };
}

function curvesOf({ items, runs }: FoldScores): Curves {
  const benign = (channel: 'user' | 'data'): BenignScore[] =>
    items
      .filter(({ item }) => !item.isAttack && item.isMeasuredOnly !== true && item.channel === channel)
      .map(({ item, raw }) => ({ set: item.set, raw }));
  const curves = { user: falseAlarmCurve(benign('user')), data: falseAlarmCurve(benign('data')) };
  return { ...curves, rules: rulesCurve(items), alarm: alarmCurve(runs, curves) };
}

function leftOutReport(fitter: FoldFitter, input: ReportInput): unknown {
  return Object.fromEntries(
    Object.entries(LEFT_OUT).map(([set, pattern]) => {
      const score = scorerOf(fitter.fit((item) => !pattern.test(item.set)));
      print(`${set} left out`);
      const attacks = fitter.items.filter((item) => item.isAttack && pattern.test(item.set));
      const benign = input.scored.filter(({ item }) => !item.isAttack);
      return [
        set,
        measureReport({ ...input, scored: [...benign, ...attacks.map((item) => scoreItem(item, score))] }).attacks,
      ];
    }),
  );
}

function writeJson(file: URL, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value)}\n`);
}

function print(line: string): void {
  console.error(`${Math.round(performance.now() / 1000)} s: ${line}`);
}

if (import.meta.main) main(process.argv.slice(2));
