import { DEFAULT_THRESHOLDS } from '../../src/core/thresholds.ts';
import type { Trace } from '../../src/core/trace.ts';
import { type EngineSettings, isEnabled, runDetectors } from '../../src/detectors/_runner/run.ts';
import { DETECTORS } from '../../src/detectors/registry.ts';
import { createModelCatalog } from '../../src/formats/model-catalog/catalog.ts';
import { decodeOtlpJson } from '../../src/formats/otlp/decode-json.ts';
import { decodeRecord } from '../../src/formats/records/decode-record.ts';
import { buildTrace } from '../../src/formats/trace-model/build-trace.ts';
import { longTrace } from '../../test/support/long-trace.ts';
import { cpuMs } from '../evaluate/cpu-clock.ts';
import { longRun } from './long-run.ts';

export interface DetectFigures {
  name: string;
  /** The same kind of run, each twice as large as the one before; milliseconds of processor time. */
  sizes: { steps: number; megabytes: number; readMs: number; detectMs: number; detectMsPer100kB: number }[];
  /** The detectors in the largest, the longest first. */
  detectors: DetectorTime[];
}

export interface DetectorTime {
  type: string;
  ms: number;
  /** Of the time in a run half as large; null if both are too short to compare. */
  ratio: number | null;
}

const DOUBLINGS = 3;

/** Many short steps, and few long texts: time must grow at most linearly with the size. */
export function measureDetect(isQuick: boolean): DetectFigures[] {
  const settings: EngineSettings = {
    thresholds: DEFAULT_THRESHOLDS,
    models: createModelCatalog(),
    overrides: {},
    enabled: {},
  };
  const kinds = [
    { name: 'many steps of 300 characters', steps: isQuick ? 2_500 : 10_000, characters: 300, source: recordSpans },
    { name: 'long texts of 100,000 characters', steps: isQuick ? 50 : 500, characters: 100_000, source: recordSpans },
    { name: 'a user prompt in each model call', steps: isQuick ? 5_000 : 40_000, characters: 200, source: chatSpans },
  ];
  return kinds.map(({ name, steps, characters, source }) => {
    const counts = Array.from({ length: DOUBLINGS }, (_, nth) => Math.round(steps / 2 ** (DOUBLINGS - 1 - nth)));
    detect(source({ steps: counts[0]!, characters, seed: 1 }), settings);
    const runs = counts.map((count) => detect(source({ steps: count, characters, seed: 2 }), settings));
    const [half, whole] = counts.slice(-2).map((count) => source({ steps: count, characters, seed: 3 }));
    return { name, sizes: runs, detectors: detectorTimes(half!, whole!, settings) };
  });
}

interface RunSize {
  steps: number;
  characters: number;
  seed: number;
}

/** A run as its sender encodes it, and how it is decoded. */
interface EncodedRun {
  bytes: number;
  decode(): Parameters<typeof buildTrace>[0];
}

function recordSpans(size: RunSize): EncodedRun {
  const record = longRun(size);
  return { bytes: JSON.stringify(record).length, decode: () => decodeRecord(record).spans };
}

/** The prompts of a long OTLP trace differ, so that each of them is a user turn. */
function chatSpans({ steps, characters }: RunSize): EncodedRun {
  const { bodies } = longTrace({ spans: steps, startMs: 0, textLength: characters });
  return {
    bytes: bodies.reduce((sum, body) => sum + body.length, 0),
    decode: () => bodies.flatMap((body) => decodeOtlpJson(Buffer.from(body)).spans),
  };
}

function detect(run: EncodedRun, settings: EngineSettings) {
  const started = cpuMs();
  const trace = traceOf(run, settings);
  const read = cpuMs();
  const { crashed } = runDetectors(trace, settings);
  const detectMs = cpuMs() - read;
  if (crashed.length > 0) throw new Error(`${crashed[0]!.type} failed: ${crashed[0]!.message}`);
  return {
    steps: trace.steps.length,
    megabytes: run.bytes / 1e6,
    readMs: read - started,
    detectMs,
    detectMsPer100kB: (detectMs / run.bytes) * 100_000,
  };
}

/** Shorter times are too noisy for a growth figure. */
const COMPARABLE_MS = 5;

/** In their order of execution: shared readings of a trace count for the first detector that needs them. */
function detectorTimes(halfRun: EncodedRun, wholeRun: EncodedRun, settings: EngineSettings): DetectorTime[] {
  const half = traceOf(halfRun, settings);
  const whole = traceOf(wholeRun, settings);
  const times = DETECTORS.filter((registered) => isEnabled(registered, settings)).map((registered) => {
    const took = (trace: Trace) => {
      const started = cpuMs();
      runDetectors(trace, { ...settings, detectors: [registered] });
      return cpuMs() - started;
    };
    const [before, ms] = [took(half), took(whole)];
    return { type: registered.detector.type, ms, ratio: before < COMPARABLE_MS ? null : ms / before };
  });
  return times.sort((a, b) => b.ms - a.ms);
}

function traceOf(run: EncodedRun, settings: EngineSettings): Trace {
  return buildTrace(run.decode(), { models: settings.models, isSettled: true });
}
