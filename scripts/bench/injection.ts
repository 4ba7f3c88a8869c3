/**
 * Processor time of the detector `injection` on labelled runs, and on one text of up to 50 MB.
 * `node scripts/bench/injection.ts [--data DIR]`
 */
import { DEFAULT_THRESHOLDS } from '../../src/core/thresholds.ts';
import type { Trace } from '../../src/core/trace.ts';
import { injection } from '../../src/detectors/injection/detector.ts';
import { scoreInjection } from '../../src/detectors/injection/score.ts';
import { traceOf } from '../fit/injection/fold-scores.ts';
import { dataFolder, loadSet } from '../fit/load-set.ts';

const SETS = ['swebench_miniswe', 'tau_bench', 'agentdojo', 'injecagent'];
const RUNS = 40;
const ROUNDS = 4;
const CHARACTERS_PER_FIGURE = 100_000;
const OPTIONS = { thresholds: DEFAULT_THRESHOLDS, models: { find: () => null, costUsd: () => null } };

for (const set of SETS) {
  const records = loadSet(set, dataFolder());
  const chosen = records.filter((_, at) => at % Math.max(1, Math.floor(records.length / RUNS)) === 0);
  if (chosen.length === 0) continue;
  const traces = () => chosen.map(traceOf);
  const size = traces().reduce((sum, trace) => sum + textLength(trace), 0);
  // Readings are cached with their trace, so each round uses new traces.
  const rounds = Array.from({ length: ROUNDS }, () => {
    const fresh = traces();
    return processorMs(() => {
      for (const trace of fresh) injection.detect(trace, OPTIONS, () => {});
    });
  });
  print(set, size, Math.min(...rounds));
}

const LINE = 'The ferry to Holm leaves pier 4 at nine; please keep your ticket until you leave the boat.\n';
for (const megabytes of [0.5, 5, 50]) {
  const text = LINE.repeat(Math.ceil((megabytes * 1e6) / LINE.length));
  print(
    `one text of ${megabytes} MB`,
    text.length,
    processorMs(() => scoreInjection(text, 'data')),
  );
}

function textLength(trace: Trace): number {
  return trace.steps.reduce((sum, { input, output }) => sum + input.length + output.length, 0);
}

function processorMs(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function print(name: string, length: number, ms: number): void {
  console.log(
    `${name}: ${((ms / length) * CHARACTERS_PER_FIGURE).toFixed(1)} ms for 100 kB (${Math.round(length / 1000)} kB)`,
  );
}
