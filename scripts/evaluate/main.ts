/** Scores the program on labelled public data and writes the report, or compares it with the committed one. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { confirmMaturityTable, DECLARED_MATURITY, MATURITY, type MaturityTable } from '../../src/detectors/maturity.ts';
import { DEFAULT_DATA, loadSet } from '../fit/load-set.ts';
import { loadCases, predictFromFile, predictHere } from './cases.ts';
import { type Evaluation, evaluate } from './evaluation.ts';
import { evaluationMarkdown } from './evaluation-markdown.ts';
import { regressions } from './gate.ts';
import { labelledCases, withLabelFigures } from './label-figures.ts';
import { emptyAnswers, fitAnswers } from './out-of-fold.ts';
import { type AnalyzedRun, atDefaultSettings } from './runs/analyze-runs.ts';
import { gaugeCounts } from './runs/gauge-counts.ts';
import { measureRuns } from './runs/measure-runs.ts';
import { withEarlierSections, withRunFigures, withSection } from './runs/run-report.ts';
import { runTables } from './runs/run-tables.ts';
import { runsOfCases } from './runs/runs-of-cases.ts';
import { recordIn, type SubtypeRecords, subtypeFile, subtypeRecords } from './runs/subtype-file.ts';
import { scoresFile } from './scores-file.ts';
import { selfCalibrationScores } from './self-calibration-scores.ts';
import { measureSpeed } from './speed.ts';
import { loadStreams } from './traffic-stream.ts';

const HELP = `npm run evaluate -- [options]
  --data DIR          folder of the sets (default ${DEFAULT_DATA})
  --predictions FILE  score these predictions instead of analyzing the records
  --in-sample         do not refit for out-of-fold scores: fast, but fitted figures are too high
  --fits DIR          cache held-out answers in DIR and reuse them
  --runs              only the run sets: runs flagged for each source and subtype, printed; minutes
  --write             with --runs: write these figures into the committed report
  --set NAME          with --runs: only this set; may be repeated
  --json FILE         with --runs: what is reported about each run
  --speed             measure only the speed, and write it into the committed report
  --check             compare with the committed report; exit code 1 if a figure is worse by more than its tolerance
  --out DIR           where evaluation.md and evaluation.generated.json go (default docs)`;

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: DEFAULT_DATA },
    predictions: { type: 'string' },
    'in-sample': { type: 'boolean', default: false },
    fits: { type: 'string' },
    runs: { type: 'boolean', default: false },
    set: { type: 'string', multiple: true, default: [] },
    json: { type: 'string' },
    write: { type: 'boolean', default: false },
    speed: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    out: { type: 'string', default: 'docs' },
    help: { type: 'boolean', default: false },
  },
});

/** Figures that the program serves; written only together with the committed report. */
const SCORES_FILE = join(import.meta.dirname, '../../src/detectors/detector-scores.generated.json');

/** Figures of each subtype in the docs. */
const SUBTYPES_FILE = join(import.meta.dirname, '../../src/detectors/subtype-figures.generated.json');

if (options.help) console.log(HELP);
else process.exitCode = await run();

async function run(): Promise<number> {
  if (!existsSync(options.data)) return withoutData();
  if (options.runs) return printRuns();
  if (options.speed) return writeSpeed();
  const predict = options.predictions === undefined ? predictHere() : predictFromFile(options.predictions);
  const cases = loadCases(options.data, predict, print);
  if (cases.length === 0) return withoutData();
  const answers = options['in-sample']
    ? emptyAnswers()
    : await fitAnswers((set) => loadSet(set, options.data), options.data, print, { cacheFolder: options.fits });
  const speed = measureSpeed(options.data, print);
  const date = new Date().toISOString().slice(0, 10);
  const traffic = loadStreams((set) => loadSet(set, options.data), print);
  const measured = options.predictions === undefined ? measureHere([]) : null;
  const evaluation = withRunFigures(evaluate(cases, answers, { date, speed, traffic }), {
    runs: measured?.runs ?? runsOfCases(cases),
    gauge: gaugeCounts(),
    date,
  });
  return options.check ? check(evaluation) : write(evaluation, measured?.records ?? null);
}

/** The data are not part of the repository: without them the check is skipped with a message. */
function withoutData(): number {
  print(`skipped: there are no labelled sets under ${options.data}`);
  return options.check ? 0 : 1;
}

function write(evaluation: Evaluation, records: SubtypeRecords | null): number {
  writeReport(evaluation);
  if (options.out !== 'docs') return 0;
  writeFileSync(SCORES_FILE, scoresFile(evaluation));
  if (records !== null) writeFileSync(SUBTYPES_FILE, subtypeFile(records, today()));
  return 0;
}

function writeReport(evaluation: Evaluation): void {
  writeFileSync(join(options.out, 'evaluation.generated.json'), `${JSON.stringify(evaluation, null, 2)}\n`);
  writeFileSync(join(options.out, 'evaluation.md'), evaluationMarkdown(evaluation));
  print(`written: ${options.out}/evaluation.md and evaluation.generated.json`);
}

interface MeasuredRuns {
  /** As reported at default settings. */
  runs: AnalyzedRun[];
  /** With previews reported. */
  withPreviews: AnalyzedRun[];
  records: SubtypeRecords;
  maturity: MaturityTable;
}

/** With only some sources, maturity is not changed: it is measured on all of them. */
function measureHere(sets: readonly string[]): MeasuredRuns {
  const withPreviews = measureRuns({ data: options.data, sets, log: print });
  const records = subtypeRecords(withPreviews);
  const maturity = sets.length === 0 ? confirmMaturityTable(DECLARED_MATURITY, recordIn(records)) : MATURITY;
  return { withPreviews, records, maturity, runs: atDefaultSettings(withPreviews, maturity) };
}

function printRuns(): number {
  if (options.write && options.set.length > 0) {
    print('--write needs the runs of all sources: leave out --set');
    return 2;
  }
  const measured = measureHere(options.set);
  if (measured.runs.length === 0) return withoutData();
  console.log(runTables(measured.runs, measured.records, measured.maturity));
  if (options.write) writeRunFigures(measured);
  if (options.json !== undefined) writeRuns(options.json, measured);
  return 0;
}

/** One line per run: detections by default, and with previews. */
function writeRuns(file: string, { runs, withPreviews }: MeasuredRuns): void {
  const lines = runs.map(({ columns: _, ...run }, at) =>
    JSON.stringify({ ...run, withPreviews: withPreviews[at]!.detections }),
  );
  writeFileSync(file, `${lines.join('\n')}\n`);
}

function writeRunFigures({ runs, records, maturity }: MeasuredRuns): void {
  const committed = JSON.parse(readFileSync(join('docs', 'evaluation.generated.json'), 'utf8')) as Evaluation;
  writeFileSync(SUBTYPES_FILE, subtypeFile(records, today()));
  const load = (set: string) => loadSet(set, options.data);
  const traffic = selfCalibrationScores(loadStreams(load, print));
  const unchanged = withSection(withEarlierSections(committed), traffic);
  const report = withRunFigures(withLabelFigures(unchanged, labelledCases(load, print)), {
    runs,
    gauge: gaugeCounts(),
    date: today(),
  });
  writeReport(report);
  writeFileSync(SCORES_FILE, scoresFile(report));
  if (!isDeepStrictEqual(maturity, MATURITY))
    print(
      'the maturity of subtypes has changed: run this again, so that the gauge and the labels are evaluated with it',
    );
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** All other figures are unchanged. */
function writeSpeed(): number {
  const file = join(options.out, 'evaluation.generated.json');
  const evaluation = JSON.parse(readFileSync(file, 'utf8')) as Evaluation;
  const speed = measureSpeed(options.data, print);
  const sections = evaluation.sections.map((section) => (section.title === speed.title ? speed : section));
  writeReport({ ...evaluation, sections });
  return 0;
}

function check(evaluation: Evaluation): number {
  const file = join(options.out, 'evaluation.generated.json');
  if (!existsSync(file)) {
    print(`skipped: there is no committed report ${file}`);
    return 0;
  }
  const worse = regressions(JSON.parse(readFileSync(file, 'utf8')) as Evaluation, evaluation);
  for (const { id, before, now, tolerance } of worse)
    console.log(`worse: ${id} was ${before}, is ${now ?? 'gone'} (tolerated: ${tolerance.toFixed(3)})`);
  if (worse.length === 0) console.log('no figure is worse than the committed report');
  return worse.length === 0 ? 0 : 1;
}

function print(line: string): void {
  process.stderr.write(`evaluate: ${line}\n`);
}
