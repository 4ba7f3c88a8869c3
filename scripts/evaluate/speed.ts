import { cpus } from 'node:os';
import type { JsonObject } from '../../src/core/json.ts';
import { DEFAULT_THRESHOLDS } from '../../src/core/thresholds.ts';
import { type EngineSettings, runDetectors } from '../../src/detectors/_runner/run.ts';
import { createModelCatalog } from '../../src/formats/model-catalog/catalog.ts';
import { decodeRecord } from '../../src/formats/records/decode-record.ts';
import { buildTrace } from '../../src/formats/trace-model/build-trace.ts';
import { loadSet, unlabelled } from '../fit/load-set.ts';
import { cpuMs } from './cpu-clock.ts';
import { countFigure, type Figure, type Section } from './figure.ts';
import { TRACE_SETS } from './outcome.ts';

interface Timed {
  bytes: number;
  /** From record to trace. */
  readMs: number;
  /** Every detector that is on by default. */
  detectMs: number;
}

/** Records timed of a set, evenly spread over it. */
const SAMPLES = 60;
const PASSES = 4;
const HUNDRED_KB = 100_000;

/**
 * Duration of the analysis on this machine: for comparison between runs, not a guarantee. All records are analyzed in
 * several passes. The fastest pass after the first counts for each set, because a server is warm and other programs slow
 * passes down. The first pass is reported as well.
 */
export function measureSpeed(data: string, log: (line: string) => void): Section {
  const settings: EngineSettings = {
    thresholds: DEFAULT_THRESHOLDS,
    models: createModelCatalog(),
    overrides: {},
    enabled: {},
  };
  const sets = TRACE_SETS.map((set) => ({ set, records: spread(loadSet(set, data), SAMPLES).map(unlabelled) }));
  const passes = Array.from({ length: PASSES }, () =>
    sets.map(({ set, records }) => ({ set, times: records.map((record) => timed(record, settings)) })),
  );
  const [first, ...later] = passes;
  const warm = sets.map(({ set }, nth) => ({ set, times: fastest(later.map((pass) => pass[nth]!.times)) }));
  const all = warm.flatMap(({ times }) => times);
  const figures = warm.flatMap(({ set, times }) => (times.length === 0 ? [] : speedFigures(set, set, times)));
  log(`speed: ${all.length} records timed`);
  const machine = `${cpus()[0]?.model.trim() ?? 'unknown processor'}, Node ${process.versions.node}`;
  return {
    title: 'Speed',
    about: `Processor time of all detectors that are on by default, on ${machine}, and of reading the record into a trace; ${SAMPLES} records a set, evenly spread, the fastest of ${PASSES - 1} passes after a first one over all of them, because a server has analyzed other runs before. 100 kB are 100,000 characters of the record as JSON. Figures differ between machines, so they are not compared with aims.`,
    figures:
      all.length === 0
        ? []
        : [...speedFigures('all', 'all sets', all), coldFigure(first!.flatMap(({ times }) => times)), ...figures],
  };
}

function timed(plain: JsonObject, settings: EngineSettings): Timed {
  const text = JSON.stringify(plain);
  // The engine caches properties of texts that an earlier pass has read.
  const fresh = JSON.parse(text) as JsonObject;
  const started = cpuMs();
  const trace = buildTrace(decodeRecord(fresh).spans, { models: settings.models, isSettled: true });
  const read = cpuMs();
  runDetectors(trace, settings);
  return { bytes: text.length, readMs: read - started, detectMs: cpuMs() - read };
}

function fastest(passes: readonly Timed[][]): Timed[] {
  return passes.reduce((a, b) => (sumOf(b, 'detectMs') < sumOf(a, 'detectMs') ? b : a));
}

function coldFigure(times: readonly Timed[]): Figure {
  const id = 'speed.judge_100kb_cold.all';
  const label = 'ms of detection for 100 kB, first pass of a process';
  const [ms, bytes] = [sumOf(times, 'detectMs'), sumOf(times, 'bytes')];
  return countFigure(
    { id, label, set: 'all sets', basis: 'as shipped', better: 'none' },
    (ms / bytes) * HUNDRED_KB,
    times.length,
  );
}

function sumOf(times: readonly Timed[], part: keyof Timed): number {
  return times.reduce((total, one) => total + one[part], 0);
}

function speedFigures(key: string, set: string, times: readonly Timed[]): Figure[] {
  const sum = (part: keyof Timed) => sumOf(times, part);
  const figure = (id: string, label: string, value: number) =>
    countFigure({ id: `speed.${id}.${key}`, label, set, basis: 'as shipped', better: 'none' }, value, times.length);
  return [
    figure('judge_100kb', 'ms of detection for 100 kB', (sum('detectMs') / sum('bytes')) * HUNDRED_KB),
    figure('judge_trace', 'ms of detection for a trace', sum('detectMs') / times.length),
    figure('read_100kb', 'ms of reading for 100 kB', (sum('readMs') / sum('bytes')) * HUNDRED_KB),
  ];
}

function spread<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, items.length / count);
  return Array.from({ length: Math.min(count, items.length) }, (_, nth) => items[Math.floor(nth * step)]!);
}
