import type { Trace } from '../../core/trace.ts';
import { type RiskModel, type RiskModelFile, type RiskRow, readRiskModels, riskOf } from './risk-model.ts';
import generated from './risk-models.generated.json' with { type: 'json' };
import { readRun, runRow } from './run-features.ts';
import { runGrams } from './run-grams.ts';
import type { RunKind } from './run-kind.ts';
import { runKind } from './run-kind.ts';

let shipped: Readonly<Record<RunKind, RiskModel>> | null = null;

/**
 * Probability that the run did not reach its goal, 0–1: a rank to look at first, no verdict. What the run was asked
 * for is not read, as a sender's task may tell more than the agent was told.
 */
export function failureRisk(trace: Trace): number {
  shipped ??= readRiskModels(generated as unknown as Readonly<Record<RunKind, RiskModelFile>>);
  const row = riskRow(trace);
  return riskOf(shipped[row.kind], row);
}

export function riskRow(trace: Trace): RiskRow {
  const run = readRun(trace);
  const acts = run.views.map(({ act }) => act);
  return { kind: runKind(run), values: runRow(run), grams: runGrams(trace, acts) };
}
