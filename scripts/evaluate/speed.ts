import { cpus } from 'node:os';
import { DEFAULT_THRESHOLDS } from '../../src/core/thresholds.ts';
import { type EngineSettings, runDetectors } from '../../src/detectors/_kit/run.ts';
import { createModelCatalog } from '../../src/formats/model-catalog/catalog.ts';
import { decodeRecord } from '../../src/formats/records/decode-record.ts';
import { buildTrace } from '../../src/formats/trace-model/build-trace.ts';
import { type LabelledRecord, loadSet, unlabelled } from '../fit/load-set.ts';
import { cpuMs } from './cpu-clock.ts';
import { countFigure, type Figure, type Section } from './figure.ts';
import { TRACE_SETS } from './outcome.ts';

interface Timed {
  bytes: number;
  /** From record to trace. */
  readMs: number;
  /** Every detector that is on by default. */
  judgeMs: number;
}

/** Records timed of a set, evenly spread over it. */
const SAMPLES = 60;
const HUNDRED_KB = 100_000;

/** How long it takes, on this machine and now: a ratio to compare runs by, no promise. */
export function measureSpeed(data: string, tell: (line: string) => void): Section {
  const settings: EngineSettings = {
    thresholds: DEFAULT_THRESHOLDS,
    models: createModelCatalog(),
    overrides: {},
    enabled: {},
  };
  const all: Timed[] = [];
  const figures = TRACE_SETS.flatMap((set) => {
    const records = spread(loadSet(set, data), SAMPLES);
    // Once unmeasured: the compiler has to have seen every path.
    for (const record of records.slice(0, SAMPLES / 4)) timed(record, settings);
    const times = records.map((record) => timed(record, settings));
    all.push(...times);
    return times.length === 0 ? [] : speedFigures(set, set, times);
  });
  tell(`speed: ${all.length} records timed`);
  const machine = `${cpus()[0]?.model.trim() ?? 'unknown processor'}, Node ${process.versions.node}`;
  return {
    title: 'Speed',
    about: `Processor time of all detectors that are on by default, on ${machine}, and of reading the record into a trace; ${SAMPLES} records a set, evenly spread. 100 kB are 100,000 characters of the record as JSON. Another machine gives other figures, so nothing is held against them.`,
    figures: all.length === 0 ? [] : [...speedFigures('all', 'all sets', all), ...figures],
  };
}

function timed(record: LabelledRecord, settings: EngineSettings): Timed {
  const plain = unlabelled(record);
  const started = cpuMs();
  const trace = buildTrace(decodeRecord(plain).spans, { models: settings.models, isSettled: true });
  const read = cpuMs();
  runDetectors(trace, settings);
  return { bytes: JSON.stringify(plain).length, readMs: read - started, judgeMs: cpuMs() - read };
}

function speedFigures(key: string, set: string, times: readonly Timed[]): Figure[] {
  const sum = (part: keyof Timed) => times.reduce((total, one) => total + one[part], 0);
  const figure = (id: string, label: string, value: number) =>
    countFigure({ id: `speed.${id}.${key}`, label, set, basis: 'as shipped', better: 'none' }, value, times.length);
  return [
    figure('judge_100kb', 'ms of detection for 100 kB', (sum('judgeMs') / sum('bytes')) * HUNDRED_KB),
    figure('judge_trace', 'ms of detection for a trace', sum('judgeMs') / times.length),
    figure('read_100kb', 'ms of reading for 100 kB', (sum('readMs') / sum('bytes')) * HUNDRED_KB),
  ];
}

function spread<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, items.length / count);
  return Array.from({ length: Math.min(count, items.length) }, (_, nth) => items[Math.floor(nth * step)]!);
}
