/** Fits and measures the head for TRAIL's categories. `--help` lists the options. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { DEFAULT_DATA } from './load-set.ts';
import { seededRandom } from './seeded-random.ts';
import {
  crossValidated,
  type Detections,
  outOfFold,
  ruleDetectionsOf,
  transferDetections,
} from './trail/cross-validate.ts';
import { fitHead } from './trail/fit-head.ts';
import { loadTrailItems, type TrailItem } from './trail/trail-items.ts';
import { scoreTrail, type TrailScore } from './trail/trail-score.ts';

export { outOfFold };

const HELP = `node scripts/fit/trail.ts [options]
  --data DIR    folder of the sets (default ${DEFAULT_DATA})
  --seeds N     repetitions of the 5-fold cross-validation (default 3)
  --transfer    also fit on one subset and test on the other
  --write       write scripts/trail/trail-head.generated.json, fitted on all annotated traces`;

const OUTPUT = new URL('../../scripts/trail/trail-head.generated.json', import.meta.url);
const SUBSETS = ['GAIA', 'SWE'] as const;

if (import.meta.main) main();

function main(): void {
  const { values: options } = parseArgs({
    options: {
      data: { type: 'string', default: DEFAULT_DATA },
      seeds: { type: 'string', default: '3' },
      transfer: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (options.help) console.log(HELP);
  else run(options);
}

function run(options: { data: string; seeds: string; transfer: boolean; write: boolean }): void {
  const items = loadTrailItems(options.data);
  if (items.length === 0) throw new Error(`no annotated traces under ${options.data}`);
  report('rules alone', items, [ruleDetectionsOf(items)]);
  const seeds = Array.from({ length: Number(options.seeds) }, (_, seed) => seed);
  if (seeds.length > 0)
    report(
      'cross-validated',
      items,
      seeds.map((seed) => crossValidated(items, seed)),
    );
  if (options.transfer)
    for (const to of SUBSETS)
      report(`fitted on the other, to ${to}`, only(items, to), [transferDetections(items, to, 0)]);
  if (options.write) writeFileSync(OUTPUT, `${JSON.stringify(fitHead(items, 0))}\n`);
}

function report(name: string, items: readonly TrailItem[], runs: readonly Detections[]): void {
  for (const subset of SUBSETS) {
    const chosen = only(items, subset);
    if (chosen.length === 0) continue;
    const scores = runs.map((detections, seed) => scoreTrail(chosen, detections, seededRandom(seed + 1)));
    const { joint, jointInterval, location, categoryF1, perTrace, most, pairPrecision, pairF1 } = meanScore(scores);
    console.log(
      `${name}, ${subset} (n ${chosen.length}): joint ${joint.toFixed(3)} [${jointInterval.map((end) => end.toFixed(2)).join(', ')}], ` +
        `location ${location.toFixed(3)}, category F1 ${categoryF1.toFixed(3)}, ${perTrace.toFixed(2)} a trace (most ${most}), ` +
        `pair precision ${pairPrecision.toFixed(3)}, pair micro-F1 ${pairF1.toFixed(3)}`,
    );
  }
}

function only(items: readonly TrailItem[], subset: TrailItem['subset']): TrailItem[] {
  return items.filter((item) => item.subset === subset);
}

function meanScore(scores: readonly TrailScore[]): TrailScore {
  const mean = (of: (score: TrailScore) => number) => scores.reduce((sum, score) => sum + of(score), 0) / scores.length;
  return {
    traces: scores[0]!.traces,
    joint: mean(({ joint }) => joint),
    jointInterval: [mean(({ jointInterval }) => jointInterval[0]), mean(({ jointInterval }) => jointInterval[1])],
    location: mean(({ location }) => location),
    categoryF1: mean(({ categoryF1 }) => categoryF1),
    perTrace: mean(({ perTrace }) => perTrace),
    most: Math.max(...scores.map(({ most }) => most)),
    pairPrecision: mean(({ pairPrecision }) => pairPrecision),
    pairRecall: mean(({ pairRecall }) => pairRecall),
    pairF1: mean(({ pairF1 }) => pairF1),
    locationPrecision: mean(({ locationPrecision }) => locationPrecision),
  };
}
