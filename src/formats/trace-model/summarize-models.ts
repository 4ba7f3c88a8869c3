import type { Trace } from '../../core/trace.ts';

/** Usage of one model in a trace. */
export interface ModelUse {
  /** Null for the usage of steps without a model name. */
  model: string | null;
  tokens: number;
  costUsd: number;
}

/** The usage of every named model; the sums are the trace's totals. */
export function summarizeModels(trace: Trace): ModelUse[] {
  const uses = new Map<string | null, ModelUse>();
  for (const { model, tokens, costUsd } of trace.steps) {
    if (model === null && tokens.total === null && costUsd === null) continue;
    const use = uses.get(model) ?? { model, tokens: 0, costUsd: 0 };
    uses.set(model, use);
    use.tokens += tokens.total ?? 0;
    use.costUsd += costUsd ?? 0;
  }
  return [...uses.values()];
}
