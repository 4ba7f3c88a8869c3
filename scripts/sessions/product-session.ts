import { countOf, type Fields, fieldsOf, listOf, textOf } from './json-value.ts';

/** The product's figures of one imported file. */
export interface ProductSession {
  isRead: boolean;
  /** The output of the program if the file was not read. */
  message: string;
  traces: number;
  framework: string;
  name: string;
  costUsd: number | null;
  totalTokens: number;
  cacheReadTokens: number;
  toolCalls: number;
  failedIds: string[];
  userRefusals: number;
  compactions: number;
  endedBy: string;
}

export function unreadableSession(message: string): ProductSession {
  return {
    isRead: false,
    message,
    traces: 0,
    framework: '',
    name: '',
    costUsd: null,
    totalTokens: 0,
    cacheReadTokens: 0,
    toolCalls: 0,
    failedIds: [],
    userRefusals: 0,
    compactions: 0,
    endedBy: '',
  };
}

/** Reads the outputs of `misstep traces show ID --json`, one for each trace of the file. */
export function productSession(shown: readonly unknown[]): ProductSession {
  const traces = shown.map(fieldsOf);
  const spans = traces.flatMap((trace) => listOf(trace.spans).map(fieldsOf));
  if (spans.length === 0) return unreadableSession('no spans');
  const attributes = spans.map((span) => fieldsOf(span.attributes));
  const tools = spans.filter((span) => fieldsOf(span.step).kind === 'tool');
  const costs = traces.map((trace) => trace.cost_usd);
  return {
    isRead: true,
    message: '',
    traces: traces.length,
    framework: textOf(traces[0]?.framework),
    name: textOf(traces[0]?.name),
    costUsd: costs.every((cost) => typeof cost === 'number') ? costs.reduce((sum, cost) => sum + cost, 0) : null,
    totalTokens: traces.reduce((sum, trace) => sum + countOf(trace.total_tokens), 0),
    cacheReadTokens: attributes.reduce((sum, one) => sum + countOf(one['gen_ai.usage.cache_read.input_tokens']), 0),
    toolCalls: new Set(tools.map((span) => callIdOf(span) || span.span_id)).size,
    failedIds: [...new Set(tools.filter(isFailed).map(callIdOf))],
    userRefusals: tools.filter((span) => fieldsOf(span.attributes)['misstep.refused_by'] === 'user').length,
    compactions: attributes.filter(isCompaction).length,
    endedBy: textOf(attributes.map((one) => one['misstep.session.ended_by']).find((end) => end !== undefined)),
  };
}

/** Codex records no trigger of a compaction, Claude Code does. */
function isCompaction(attributes: Fields): boolean {
  return Object.keys(attributes).some((name) => name.startsWith('misstep.compaction.'));
}

/** A script of Codex's code mode is one call of the model; the product shows its calls as `ID/0`, `ID/1` and so on. */
function callIdOf(span: Fields): string {
  return textOf(fieldsOf(span.attributes)['gen_ai.tool.call.id']).replace(/\/\d+$/, '');
}

/** A failed call has status 2, like a refused one; refusals by the user or the harness are not failures of a tool. */
function isFailed(span: Fields): boolean {
  const attributes = fieldsOf(span.attributes);
  const refusedBy = attributes['misstep.refused_by'];
  if (refusedBy === 'user' || refusedBy === 'harness') return false;
  const exitCode = attributes['misstep.tool.exit_code'];
  return (
    fieldsOf(span.status).code === 2 ||
    attributes['misstep.tool.is_error'] === true ||
    (exitCode !== undefined && Number(exitCode) !== 0)
  );
}
