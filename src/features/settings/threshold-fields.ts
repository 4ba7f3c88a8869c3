import { z } from 'zod';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../core/thresholds.ts';

const atLeastHalf = z.number().min(0.5).max(0.99);
const share = z.number().min(0.05).max(1);

/** Wire names with their allowed values. */
export const thresholdFields = {
  structural_threshold: atLeastHalf.describe(
    'Minimum similarity of the arguments of two calls with the same result to count as the same call; the default requires equal arguments',
  ),
  semantic_threshold: atLeastHalf.describe(
    'Minimum similarity of two texts of a cycle to count as the same; the default requires equal texts',
  ),
  loop_detection_window: z.int().min(3).max(20).describe('Steps that are searched for a cycle'),
  min_matches_for_loop: z.int().min(2).max(10).describe('Repetitions that make a loop'),
  confidence_scaling: z
    .number()
    .min(0.5)
    .max(1.5)
    .describe('Factor on the firing threshold, never on the reported confidence; if set, it overrides adaptation'),
  context_warning_ratio: share.describe('Share of the context window from which a load is a warning'),
  context_critical_ratio: share.describe('Share of the context window from which a load is critical'),
  token_budget: z.int().min(1).max(1e12).describe('Maximum tokens of a run; no budget if unset'),
  cost_budget_usd: z.number().min(0.000001).max(1e9).describe('Maximum cost of a run in dollars; no budget if unset'),
  max_steps: z.int().min(1).max(1e9).describe('Maximum steps of a run; no limit if unset'),
};
export type ThresholdName = keyof typeof thresholdFields;

export const THRESHOLD_NAMES = Object.keys(thresholdFields) as ThresholdName[];

const KEYS: Record<ThresholdName, keyof Thresholds> = {
  structural_threshold: 'structuralThreshold',
  semantic_threshold: 'semanticThreshold',
  loop_detection_window: 'loopDetectionWindow',
  min_matches_for_loop: 'minMatchesForLoop',
  confidence_scaling: 'confidenceScaling',
  context_warning_ratio: 'contextWarningRatio',
  context_critical_ratio: 'contextCriticalRatio',
  token_budget: 'tokenBudget',
  cost_budget_usd: 'costBudgetUsd',
  max_steps: 'maxSteps',
};

/** Thresholds in API form. */
export type ThresholdRecord = Record<ThresholdName, number | null>;
/** A named field is set, null unsets it, others are unchanged. */
export type ThresholdChange = { [Name in ThresholdName]?: number | null | undefined };

export function toThresholdRecord(thresholds: Thresholds): ThresholdRecord {
  return Object.fromEntries(THRESHOLD_NAMES.map((name) => [name, thresholds[KEYS[name]]])) as ThresholdRecord;
}

/** Only the fields that are set. */
export function toThresholdChange(thresholds: Partial<Thresholds>): ThresholdChange {
  const set = THRESHOLD_NAMES.filter((name) => KEYS[name] in thresholds);
  return Object.fromEntries(set.map((name) => [name, thresholds[KEYS[name]] ?? null]));
}

export function withChange(thresholds: Partial<Thresholds>, change: ThresholdChange): Partial<Thresholds> {
  const changed: Record<string, number | null> = { ...thresholds };
  for (const name of THRESHOLD_NAMES) {
    const value = change[name];
    if (value === null) delete changed[KEYS[name]];
    else if (value !== undefined) changed[KEYS[name]] = value;
  }
  return changed as Partial<Thresholds>;
}

export const DEFAULT_THRESHOLD_RECORD = toThresholdRecord(DEFAULT_THRESHOLDS);
