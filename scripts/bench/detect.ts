import { DEFAULT_THRESHOLDS } from '../../src/core/thresholds.ts';
import type { Trace } from '../../src/core/trace.ts';
import { type EngineSettings, isEnabled, runDetectors } from '../../src/detectors/_kit/run.ts';
import { DETECTORS } from '../../src/detectors/registry.ts';
import { createModelCatalog } from '../../src/formats/model-catalog/catalog.ts';
import { decodeRecord } from '../../src/formats/records/decode-record.ts';
import { buildTrace } from '../../src/formats/trace-model/build-trace.ts';
import { cpuMs } from '../evaluate/cpu-clock.ts';
import { longRun } from './long-run.ts';

export interface DetectFigures {
  name: string;
  /** The same kind of run, each twice as large as the one before; milliseconds of processor time. */
  sizes: { steps: number; megabytes: number; readMs: number; judgeMs: number; judgeMsPer100kB: number }[];
  /** The detectors that take longest in the largest. */
  slowest: string;
}

const DOUBLINGS = 3;

/** Many short steps, and few long texts: time has to grow with the size and no faster. */
export function measureDetect(isQuick: boolean): DetectFigures[] {
  const settings: EngineSettings = {
    thresholds: DEFAULT_THRESHOLDS,
    models: createModelCatalog(),
    overrides: {},
    enabled: {},
  };
  const kinds = [
    { name: 'many steps of 300 characters', steps: isQuick ? 2_500 : 10_000, characters: 300 },
    { name: 'long texts of 100,000 characters', steps: isQuick ? 50 : 500, characters: 100_000 },
  ];
  return kinds.map(({ name, steps, characters }) => {
    const counts = Array.from({ length: DOUBLINGS }, (_, nth) => Math.round(steps / 2 ** (DOUBLINGS - 1 - nth)));
    judge(longRun({ steps: counts[0]!, characters, seed: 1 }), settings);
    const runs = counts.map((count) => judge(longRun({ steps: count, characters, seed: 2 }), settings));
    return {
      name,
      sizes: runs.map(({ trace: _trace, ...figures }) => figures),
      slowest: slowestIn(runs.at(-1)!.trace, settings),
    };
  });
}

function judge(record: ReturnType<typeof longRun>, settings: EngineSettings) {
  const bytes = JSON.stringify(record).length;
  const started = cpuMs();
  const trace = buildTrace(decodeRecord(record).spans, { models: settings.models, isSettled: true });
  const read = cpuMs();
  const { crashed } = runDetectors(trace, settings);
  const judgeMs = cpuMs() - read;
  if (crashed.length > 0) throw new Error(`${crashed[0]!.type} failed: ${crashed[0]!.message}`);
  return {
    trace,
    steps: trace.steps.length,
    megabytes: bytes / 1e6,
    readMs: read - started,
    judgeMs,
    judgeMsPer100kB: (judgeMs / bytes) * 100_000,
  };
}

function slowestIn(trace: Trace, settings: EngineSettings): string {
  const times = DETECTORS.filter((registered) => isEnabled(registered, settings)).map((registered) => {
    const started = cpuMs();
    runDetectors(trace, { ...settings, detectors: [registered] });
    return { type: registered.detector.type, ms: cpuMs() - started };
  });
  const longest = times.sort((a, b) => b.ms - a.ms).slice(0, 3);
  return longest.map(({ type, ms }) => `${type} ${Math.round(ms)} ms`).join(', ');
}
