import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { ModelCatalog } from '../../core/model-catalog.ts';
import type { Trace } from '../../core/trace.ts';
import { riskColumns } from '../../detectors/_attribution/run-columns.ts';
import { decodeRecord, recordStepIndexes } from '../../formats/records/decode-record.ts';
import { type Analysis, analyzeSpans } from '../analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../analysis/tenant-detection.ts';
import type { TrafficRun, UnrankedPrediction } from './own-traffic.ts';
import type { PredictedDetection, Prediction } from './prediction.ts';
import type { Scorers } from './scorers.ts';
import { channelOf } from './text-channel.ts';

export interface PredictOptions {
  models: ModelCatalog;
  scorers: Scorers;
  /** Milliseconds of a monotonic clock. */
  now(): number;
}

/** A record that cannot be analyzed; the message says why. */
export class UnusableRecord extends Error {}

const NO_SCORES: Prediction['scores'] = { injection: null, hallucination: null, failed: null };

/** Everything except `id` and `ms`, with the inputs of the run's rank. */
interface Judged extends Omit<Prediction, 'id' | 'ms'> {
  run: TrafficRun | null;
}

/**
 * The prediction for one evaluation record at default settings, without its rank among the other records. Labels are
 * removed before anything reads the record. @throws UnusableRecord
 */
export function predictRecord(value: Json, { models, scorers, now }: PredictOptions): UnrankedPrediction {
  const start = now();
  const record = withoutLabels(value);
  const { run, ...judged } = judge(record, models, scorers);
  const ms = Math.round((now() - start) * 1000) / 1000;
  return { prediction: { id: record.id as string, ...judged, ms }, run };
}

function judge(record: JsonObject, models: ModelCatalog, scorers: Scorers): Judged {
  switch (record.kind) {
    case 'text':
      return predictText(record, scorers);
    case 'text-pair':
      return textPair(record, scorers);
    case 'trace':
      return wholeTrace(record, models, scorers);
    default:
      throw new UnusableRecord('kind must be trace, text or text-pair');
  }
}

function predictText(record: JsonObject, { injection }: Scorers): Judged {
  const text = requiredText(record);
  const score = injection?.(text, channelOf(text, record.task !== null && record.task !== undefined)) ?? null;
  return {
    detections: [],
    scores: { ...NO_SCORES, injection: rounded(score) },
    attribution: null,
    trail: null,
    run: null,
  };
}

/** Without a source nothing can be checked, which says nothing about the text. */
function textPair(record: JsonObject, { grounding }: Scorers): Judged {
  const text = requiredText(record);
  const sources = Array.isArray(record.sources) ? record.sources.filter((source) => typeof source === 'string') : [];
  const score = sources.length === 0 ? null : (grounding?.(text, sources) ?? null);
  return {
    detections: [],
    scores: { ...NO_SCORES, hallucination: rounded(score) },
    attribution: null,
    trail: null,
    run: null,
  };
}

function wholeTrace(record: JsonObject, models: ModelCatalog, scorers: Scorers): Judged {
  const { spans, rejections } = decodeRecord(record);
  if (spans.length === 0) throw new UnusableRecord(rejections[0]?.message ?? 'holds no step');
  const indexes = recordStepIndexes(spans);
  const { trace, result } = analyzeSpans(spans, { isSettled: true, models, tenant: DEFAULT_DETECTION });
  const injection = scorers.traceInjection?.(trace) ?? null;
  return {
    detections: result.detections.map((detection) => toPredicted(detection, indexes)),
    scores: { ...NO_SCORES, injection: rounded(injection) },
    attribution: attributionOf(trace, indexes, scorers, record),
    trail: null,
    run: { traffic: `${textOf(record.dataset)} ${trace.framework}`, columns: riskColumns(trace) },
  };
}

function toPredicted(
  detection: Analysis['result']['detections'][number],
  indexes: ReadonlyMap<string, number>,
): PredictedDetection {
  const { type, subtype, severity, confidence, spanIds, agent, failureModes } = detection;
  const steps = spanIds.flatMap((spanId) => indexes.get(spanId) ?? []);
  return {
    type,
    subtype,
    severity,
    confidence,
    steps: [...new Set(steps)],
    span_ids: spanIds,
    agent,
    failure_modes: failureModes,
  };
}

/** A user or a system has no agent in a trace; the step of the record names the speaker. */
function attributionOf(
  trace: Trace,
  indexes: ReadonlyMap<string, number>,
  { rankSteps }: Scorers,
  record: JsonObject,
): Prediction['attribution'] {
  const found = rankSteps?.(trace) ?? null;
  const spanId = found === null ? undefined : trace.steps[found.step]?.spanId;
  const step = spanId === undefined ? undefined : indexes.get(spanId);
  if (found === null || step === undefined) return null;
  return { agent: found.agent ?? ownAgent(record, step), step };
}

function ownAgent(record: JsonObject, step: number): string | null {
  const steps = Array.isArray(record.steps) ? record.steps : [];
  const own = steps[step];
  return isJsonObject(own) && typeof own.agent === 'string' && own.agent !== '' ? own.agent : null;
}

/** The record without its labels. @throws UnusableRecord */
export function withoutLabels(value: Json): JsonObject {
  if (!isJsonObject(value)) throw new UnusableRecord('expected an object');
  if (typeof value.id !== 'string' || value.id === '') throw new UnusableRecord('id must be a string');
  const { labels: _labels, label_source: _source, meta: _meta, group: _group, ...record } = value;
  return record;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function requiredText(record: JsonObject): string {
  if (typeof record.text !== 'string') throw new UnusableRecord('text must be a string');
  return record.text;
}

function rounded(score: number | null): number | null {
  return score === null ? null : Math.round(score * 1e5) / 1e5;
}
