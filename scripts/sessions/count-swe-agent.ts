import { countOf, type Fields, fieldsOf, listOf, textOf } from './json-value.ts';
import { emptyCount, type SessionCount, type SessionEnd } from './session-count.ts';
import { noTokens } from './tokens.ts';

/**
 * Counts a SWE-agent trajectory. The file has totals of tokens and cost and names no model, so the cost is its own figure.
 * A step has no flag of failure: observations are text.
 */
export function countSweAgent(document: Fields): SessionCount {
  const info = fieldsOf(document.info);
  const stats = fieldsOf(info.model_stats);
  const count = emptyCount('swe-agent', '');
  count.tokens = { ...noTokens(), input: countOf(stats.tokens_sent), output: countOf(stats.tokens_received) };
  count.costUsd = countOf(stats.instance_cost);
  const steps = listOf(document.trajectory).map(fieldsOf);
  count.toolCalls = steps.filter((step) => textOf(step.action).trim() !== '').length;
  count.failedCalls = null;
  count.endedBy = endOf(textOf(info.exit_status));
  count.notes.push('cost is the figure of the file');
  return count;
}

/** `submitted (exit_cost)` is a patch taken after the limit was reached. */
function endOf(status: string): SessionEnd {
  if (/exit_(cost|context|format)|limit/.test(status)) return 'limit';
  if (status.startsWith('submitted')) return 'completed';
  return /api|error/.test(status) ? 'api_error' : 'unknown';
}
