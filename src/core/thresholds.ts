/** Effective detection thresholds of one trace (bounds and defaults: docs of `PUT …/settings/thresholds`). */
export interface Thresholds {
  /** 0.5–0.99: how alike two structures must be to count as the same. */
  structuralThreshold: number;
  /** 0.5–0.99: how alike two texts must be to count as the same. */
  semanticThreshold: number;
  /** 3–20 steps looked back for a cycle. */
  loopDetectionWindow: number;
  /** 2–10 repetitions that make a loop. */
  minMatchesForLoop: number;
  /** 0.5–1.5: factor on what fires, never on the confidence reported. */
  confidenceScaling: number;
  contextWarningRatio: number;
  contextCriticalRatio: number;
  /** Null: no budget. */
  tokenBudget: number | null;
  costBudgetUsd: number | null;
  maxSteps: number | null;
}

export const DEFAULT_THRESHOLDS: Thresholds = {
  structuralThreshold: 0.95,
  semanticThreshold: 0.85,
  loopDetectionWindow: 7,
  minMatchesForLoop: 2,
  confidenceScaling: 1,
  contextWarningRatio: 0.7,
  contextCriticalRatio: 0.9,
  tokenBudget: null,
  costBudgetUsd: null,
  maxSteps: null,
};
