import type { JsonObject } from '../../core/json.ts';
import type { ErrorFallback } from '../../core/trace.ts';
import { objectIn, textIn } from './run-shape.ts';

/** The error strategies of node settings, as named in the metadata of an execution. */
const STRATEGIES: Readonly<Record<string, ErrorFallback>> = {
  'default-value': 'default_value',
  'fail-branch': 'fail_branch',
  'fallback-model': 'other_model',
};

/** Outputs that Dify adds to a node whose failure was handled by its settings. */
const ERROR_OUTPUTS = new Set(['error_message', 'error_type']);

/**
 * The replacement for the result of a failed node; null if nothing replaces it. Without a declared strategy, outputs next to the
 * error are the default values.
 */
export function errorFallbackOf(data: JsonObject): ErrorFallback | null {
  const strategy = textIn(objectIn(data, 'execution_metadata'), 'error_strategy') ?? textIn(data, 'error_strategy');
  if (strategy !== null && Object.hasOwn(STRATEGIES, strategy)) return STRATEGIES[strategy]!;
  if (textIn(data, 'status', 'node_status') !== 'exception') return null;
  const outputs = Object.keys(objectIn(data, 'outputs'));
  return outputs.some((name) => !ERROR_OUTPUTS.has(name)) ? 'default_value' : 'fail_branch';
}
