import type { Evidence } from '../../core/detection.ts';
import type { ContextLoad } from './context-load.ts';

/** 0.57 × 100 is 56.99… in floating point. */
const ROUNDING_ERROR = 1e-9;

export function loadEvidence(load: ContextLoad): Evidence {
  const value = {
    tokens: load.inputTokens + load.outputTokens,
    context_window: load.contextWindow,
    is_estimated: load.isEstimated,
  };
  return { kind: 'metric', spanId: load.step.spanId, path: 'tokens', quote: null, value };
}

export function nameOf({ step }: ContextLoad): string {
  const model = step.model ?? step.name;
  return step.agent === null || step.agent === model ? model : `${step.agent} (${model})`;
}

/** Whole percent, rounded down: only a full window is 100 %. */
export function percent(ratio: number): string {
  return `${Math.floor(ratio * 100 + ROUNDING_ERROR)} %`;
}

export function tokensText(tokens: number): string {
  return `${Math.round(tokens).toLocaleString('en-US')} tokens`;
}
