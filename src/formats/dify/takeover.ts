import type { JsonObject } from '../../core/json.ts';
import type { Takeover } from '../../core/trace.ts';
import { objectIn, textIn } from './run-shape.ts';

/** The error strategies of a node's settings, as its execution's metadata names them. */
const STRATEGIES: Readonly<Record<string, Takeover>> = {
  'default-value': 'default_value',
  'fail-branch': 'fail_branch',
  'fallback-model': 'other_model',
};

/** What Dify adds to the outputs of a node whose failure its settings took over. */
const ERROR_OUTPUTS = new Set(['error_message', 'error_type']);

/** What took over for a node that failed; null if nothing did. Without a word of it, outputs beside the error are the default values. */
export function takeoverOf(data: JsonObject): Takeover | null {
  const said = textIn(objectIn(data, 'execution_metadata'), 'error_strategy') ?? textIn(data, 'error_strategy');
  if (said !== null && Object.hasOwn(STRATEGIES, said)) return STRATEGIES[said]!;
  if (textIn(data, 'status', 'node_status') !== 'exception') return null;
  const outputs = Object.keys(objectIn(data, 'outputs'));
  return outputs.some((name) => !ERROR_OUTPUTS.has(name)) ? 'default_value' : 'fail_branch';
}
