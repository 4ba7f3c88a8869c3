/** Effective detection thresholds of one trace (bounds and defaults: docs of `PUT …/settings/thresholds`). */
export interface Thresholds {
  /** 0.5–0.99: similarity from which the arguments of two calls count as the same; at the default only equal ones do. */
  structuralThreshold: number;
  /** 0.5–0.99: similarity from which two texts count as the same. */
  semanticThreshold: number;
  /** 3–20 steps of look-back for a cycle. */
  loopDetectionWindow: number;
  /** 2–10 repetitions that count as a loop. */
  minMatchesForLoop: number;
  /** 0.5–1.5: factor on the firing threshold, never on the reported confidence. */
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

/** What a tenant has set: for all its traces, and per framework. */
export interface ThresholdSettings {
  global: Partial<Thresholds>;
  frameworks: Readonly<Record<string, Partial<Thresholds>>>;
}

export const NO_THRESHOLD_SETTINGS: ThresholdSettings = { global: {}, frameworks: {} };

/** Effective value for a trace of this framework. Each field: the framework's, otherwise the tenant's, otherwise the default. */
export function effectiveThresholds({ global, frameworks }: ThresholdSettings, framework: string | null): Thresholds {
  return { ...DEFAULT_THRESHOLDS, ...global, ...ofFramework(frameworks, framework) };
}

/** Whether the tenant itself set this field for traces of the framework. */
export function isSetByTenant(settings: ThresholdSettings, framework: string, field: keyof Thresholds): boolean {
  return field in settings.global || field in ofFramework(settings.frameworks, framework);
}

function ofFramework(frameworks: ThresholdSettings['frameworks'], framework: string | null): Partial<Thresholds> {
  return framework !== null && Object.hasOwn(frameworks, framework) ? frameworks[framework]! : {};
}
