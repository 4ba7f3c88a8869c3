/**
 * Fits the models that tell how likely a run failed, and measures them on runs they have not seen.
 * node scripts/fit/failure-risk.ts [--data DIR] [--seeds N] [--write]
 * `--write` renews `risk-models.generated.json`.
 */
import { writeFileSync } from 'node:fs';
import { alarmOf, type RiskModelFile } from '../../src/detectors/_attribution/risk-model.ts';
import { RUN_KINDS, type RunKind } from '../../src/detectors/_attribution/run-kind.ts';
import {
  ALARM_SHARES,
  alarmScore,
  asCurve,
  chance,
  type PlattCurve,
  plattOf,
  type RatedRun,
  rated,
  withAlarm,
} from './failure-risk/alarm.ts';
import { asRiskModel, fitRiskModels } from './failure-risk/fit-risk-models.ts';
import { type JudgedRun, judgedRuns, OUTCOME_SETS } from './failure-risk/judged-runs.ts';
import { groupedFolds, setLeftOut as splitBySet } from './grouped-folds.ts';
import { dataFolder, type LabelledRecord, loadSet } from './load-set.ts';
import { auroc, groupBootstrap } from './metrics.ts';

const TARGET = new URL('../../src/detectors/_attribution/risk-models.generated.json', import.meta.url);
const FOLDS = 5;

/** Probabilities by record id, of models that have seen nothing of the record's task. */
export function outOfFold(records: readonly LabelledRecord[]): Map<string, number> {
  const runs = judgedRuns(records);
  return probabilities(foldwise(runs, 0), runs);
}

/**
 * The probability with which an alarm is raised, null where none is: by models whose fit, curve and alarm have seen
 * nothing of the record's task.
 */
export function alarmsOutOfFold(records: readonly LabelledRecord[]): Map<string, number | null> {
  return new Map(alarmsFoldwise(judgedRuns(records), 0).map(({ run, alarm }) => [run.id, alarm]));
}

function alarmsFoldwise(runs: readonly JudgedRun[], seed: number): { run: JudgedRun; alarm: number | null }[] {
  return groupedFolds(runs, ({ group }) => group, FOLDS, seed).flatMap(({ train, test }) =>
    RUN_KINDS.flatMap((kind) => {
      const own = test.filter(({ row }) => row.kind === kind);
      if (ALARM_SHARES[kind] === undefined) return own.map((run) => ({ run, alarm: null }));
      const model = asRiskModel(withAlarm(train, kind, seed + 7));
      return own.map((run) => ({ run, alarm: alarmOf(model, run.row) }));
    }),
  );
}

/** Probabilities of models that have seen nothing of the record's set. */
export function setLeftOut(records: readonly LabelledRecord[]): Map<string, number> {
  const runs = judgedRuns(records);
  return probabilities(setwise(runs), runs);
}

function foldwise(runs: readonly JudgedRun[], seed: number): RatedRun[] {
  return groupedFolds(runs, ({ group }) => group, FOLDS, seed).flatMap(({ train, test }) =>
    rateAll(test, fitRiskModels(train, seed + 1)),
  );
}

function setwise(runs: readonly JudgedRun[]): RatedRun[] {
  return splitBySet(runs, ({ set }) => set).flatMap(({ train, test }) => rateAll(test, fitRiskModels(train)));
}

function rateAll(runs: readonly JudgedRun[], files: Readonly<Record<RunKind, RiskModelFile>>): RatedRun[] {
  return RUN_KINDS.flatMap((kind) =>
    rated(
      runs.filter(({ row }) => row.kind === kind),
      files[kind],
    ),
  );
}

function probabilities(held: readonly RatedRun[], runs: readonly JudgedRun[]): Map<string, number> {
  const curves = curvesOf(held, runs);
  return new Map(
    held.map(({ run, score }) => {
      return [run.id, chance(curves[run.row.kind], score)];
    }),
  );
}

/** Platt's curve of each kind on scores of runs not fitted on. */
function curvesOf(held: readonly RatedRun[], runs: readonly JudgedRun[]): Record<RunKind, PlattCurve> {
  const base = runs.filter(({ hasFailed }) => hasFailed).length / Math.max(1, runs.length);
  const curves = RUN_KINDS.map((kind) => {
    const own = held.filter(({ run }) => run.row.kind === kind);
    return [kind, own.length < 20 ? { slope: 0.3, offset: Math.log(base / (1 - base)) } : plattOf(own)] as const;
  });
  return Object.fromEntries(curves) as Record<RunKind, PlattCurve>;
}

function figure(held: readonly RatedRun[], set: string): string {
  const own = held.filter(({ run }) => run.set === set);
  const area = (items: readonly RatedRun[]) => auroc(items.map(({ run, score }) => ({ score, label: run.hasFailed })));
  const [low, high] = groupBootstrap(own, ({ run }) => run.group, area, { draws: 300 });
  return `${area(own).toFixed(3)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
}

function run(): void {
  const runs = judgedRuns(OUTCOME_SETS.flatMap((set) => loadSet(set, dataFolder())));
  const at = process.argv.indexOf('--seeds');
  const seeds = Array.from({ length: at === -1 ? 3 : Number(process.argv[at + 1]) }, (_, seed) => seed);
  const rounds = seeds.map((seed) => foldwise(runs, seed));
  const leftOut = setwise(runs);
  console.log('| set | n (failed) | kinds | out of fold, by seed | set left out |\n|---|---|---|---|---|');
  for (const set of OUTCOME_SETS) {
    const own = runs.filter((run) => run.set === set);
    const kinds = [...Map.groupBy(own, ({ row }) => row.kind)].map(([kind, all]) => `${kind} ${all.length}`).join(', ');
    const failed = own.filter(({ hasFailed }) => hasFailed).length;
    const cells = rounds.map((rated) => figure(rated, set)).join('; ');
    console.log(`| ${set} | ${own.length} (${failed}) | ${kinds} | ${cells} | ${figure(leftOut, set)} |`);
  }
  console.log(alarmTable(seeds.slice(0, 1).map((seed) => alarmsFoldwise(runs, seed))));
  if (process.argv.includes('--write')) write(runs, rounds[0]!);
}

/** Alarms on runs that went well and on runs that failed, fit and threshold from other tasks. */
function alarmTable(rounds: readonly ReturnType<typeof alarmsFoldwise>[]): string {
  const rows = OUTCOME_SETS.map((set) => {
    const cells = rounds.map((round) => {
      const own = round.filter(({ run }) => run.set === set);
      const count = (hasFailed: boolean) => {
        const some = own.filter(({ run }) => run.hasFailed === hasFailed);
        return `${some.filter(({ alarm }) => alarm !== null).length}/${some.length}`;
      };
      return `${count(false)} ${count(true)}`;
    });
    return `| ${set} | ${cells.join('; ')} |`;
  });
  return ['\n| set | alarms on healthy and on failing runs, by seed |', '|---|---|', ...rows].join('\n');
}

function write(runs: readonly JudgedRun[], held: readonly RatedRun[]): void {
  const curves = curvesOf(held, runs);
  const files = fitRiskModels(runs);
  const withCurves = RUN_KINDS.map((kind) => {
    const own = held.filter(({ run }) => run.row.kind === kind);
    const alarm = alarmScore(own, kind, curves[kind]);
    return [
      kind,
      { ...files[kind], curve: asCurve(curves[kind]), alarm, tools: alarm === null ? [] : files[kind].tools },
    ];
  });
  const json = `${JSON.stringify(Object.fromEntries(withCurves))}\n`;
  writeFileSync(TARGET, json);
  console.log(`${json.length} characters written`);
}

if (import.meta.main) run();
