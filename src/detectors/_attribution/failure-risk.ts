import type { Trace } from '../../core/trace.ts';
import { toolUses } from '../_kit/calls.ts';
import { onceEach } from '../_kit/once.ts';
import { hash32 } from '../_models/hashed-ngrams.ts';
import {
  alarmOf,
  canSpeak,
  type RiskModel,
  type RiskModelFile,
  type RiskRow,
  readRiskModels,
  riskOf,
} from './risk-model.ts';
import generated from './risk-models.generated.json' with { type: 'json' };
import { readRun, runRow } from './run-features.ts';
import { runGrams } from './run-grams.ts';
import { RUN_KINDS, type RunKind, runKind } from './run-kind.ts';

let shipped: Readonly<Record<RunKind, RiskModel>> | null = null;

/**
 * Probability that the run did not reach its goal, 0–1: a rank to look at first, no verdict. What the run was asked
 * for is not read, as a sender's task may tell more than the agent was told.
 */
export function failureRisk(trace: Trace): number {
  const row = riskRow(trace);
  return riskOf(shippedModel(row.kind), row);
}

/**
 * Probability that the run failed where that can be said with few false alarms: only of runs that work with the tools
 * of the traffic the models were fitted on. Null where nothing is to be said.
 */
export function likelyFailure(trace: Trace): number | null {
  // Reading a run takes time, knowing its tools does not.
  if (!isFittedTraffic(trace)) return null;
  const row = riskRow(trace);
  return alarmOf(shippedModel(row.kind), row);
}

/** Whether the run works with the tools of traffic that the models were fitted on. */
export function isFittedTraffic(trace: Trace): boolean {
  const tools = toolsOf(trace);
  return RUN_KINDS.some((kind) => canSpeak(shippedModel(kind), tools));
}

function shippedModel(kind: RunKind): RiskModel {
  shipped ??= readRiskModels(generated as unknown as Readonly<Record<RunKind, RiskModelFile>>);
  return shipped[kind];
}

/** Read once a trace. */
export const riskRow = onceEach((trace: Trace): RiskRow => {
  const run = readRun(trace);
  const acts = run.views.map(({ act }) => act);
  return { kind: runKind(run), values: runRow(run), grams: runGrams(trace, acts), tools: toolsOf(trace) };
});

function toolsOf(trace: Trace): number[] {
  const names = new Set(toolUses(trace).map(({ name }) => name));
  return [...new Set([...names].map((name) => hash32(name)))];
}
