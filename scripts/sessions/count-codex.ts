import { isLimitMessage } from './api-limits.ts';
import { codexFailures } from './codex-failure.ts';
import { contentText, countOf, type Fields, fieldsOf, textOf } from './json-value.ts';
import { addModelCalls, emptyCount, type ModelCall, type SessionCount, type SessionEnd } from './session-count.ts';

const CALLS = new Set(['function_call', 'custom_tool_call', 'tool_search_call', 'local_shell_call', 'web_search_call']);

/**
 * Counts a Codex rollout.
 *
 * Records that repeat, and how they are counted:
 * - `token_count` is written after each model call and again when only rate limits changed. An event whose total was seen
 *   before is a repetition. `last_token_usage` of the others is the usage of one call; their sum is the final total.
 * - A fork (`forked_from_id`) begins with its parent's history, including its token counts, and its totals go on from
 *   the parent's. The parent's own file has these calls, so they are copied history. It ends at the first turn whose id
 *   is later than the session's id: both are UUIDs of version 7, which sort by time.
 * - A resumed file has a second `session_meta` with its own id. Calls are identified by `call_id`.
 * - In code mode one `exec` call runs a script with several tool calls. The model made one call, so one is counted.
 */
export function countCodex(records: readonly Fields[]): SessionCount {
  const metas = records.filter((record) => record.type === 'session_meta').map((record) => fieldsOf(record.payload));
  const meta = metas[0] ?? {};
  const count = emptyCount('codex', textOf(meta.id));
  const ownFrom = meta.forked_from_id ? firstOwnRecord(records, textOf(meta.id)) : 0;
  const own = records.slice(ownFrom);
  addModelCalls(count, modelCalls(records, ownFrom));
  count.toolCalls = new Set(own.map(fieldsOfItem).filter(isCall).map(callId)).size;
  const failures = codexFailures(own);
  count.failedCalls = failures.failed.size;
  count.failedIds = [...failures.failed];
  count.failedBySummaryIds = [...failures.bySummary];
  count.failedStartIds = [...failures.started];
  count.policyRefusals = failures.policy.size;
  count.userRefusals = failures.refused.size;
  count.interrupts = own.filter((record) => eventType(record) === 'turn_aborted').length;
  count.compactions = own.filter((record) => record.type === 'compacted').length;
  count.endedBy = endOf(own);
  count.origin = originOf(meta, metas);
  if (failures.stopped.size > 0) count.notes.push(`${failures.stopped.size} failed calls are the agent's own Ctrl-C`);
  return count;
}

function firstOwnRecord(records: readonly Fields[], sessionId: string): number {
  const at = records.findIndex(
    (record) => eventType(record) === 'task_started' && textOf(fieldsOf(record.payload).turn_id) > sessionId,
  );
  return at < 0 ? records.length : at;
}

function modelCalls(records: readonly Fields[], ownFrom: number): ModelCall[] {
  const calls: ModelCall[] = [];
  const seen = new Set<string>();
  let model = '';
  records.forEach((record, at) => {
    const payload = fieldsOf(record.payload);
    if (record.type === 'turn_context') model = textOf(payload.model) || model;
    const info = fieldsOf(payload.info);
    if (eventType(record) !== 'token_count' || !info.last_token_usage) return;
    const total = JSON.stringify(info.total_token_usage);
    if (seen.has(total)) return;
    seen.add(total);
    const by = at < ownFrom ? 'copied history' : 'session';
    calls.push({ model, day: textOf(record.timestamp).slice(0, 10), tokens: tokensOf(info.last_token_usage), by });
  });
  return calls;
}

/** `input_tokens` includes what was read from and written to the cache; `output_tokens` includes reasoning. */
function tokensOf(value: unknown) {
  const usage = fieldsOf(value);
  const read = countOf(usage.cached_input_tokens);
  const written = countOf(usage.cache_write_input_tokens);
  return {
    input: Math.max(0, countOf(usage.input_tokens) - read - written),
    cacheRead: read,
    cacheWrite5m: written,
    cacheWrite1h: 0,
    output: countOf(usage.output_tokens),
  };
}

/** A file without the end of its last turn is complete when its last message is marked as the final answer. */
function endOf(records: readonly Fields[]): SessionEnd {
  const last = records.findLast((record) =>
    ['task_started', 'task_complete', 'turn_aborted', 'error'].includes(eventType(record)),
  );
  const type = last ? eventType(last) : '';
  if (type === 'task_complete') return 'completed';
  if (type === 'turn_aborted') return 'interrupted';
  if (type === 'error') return isLimitMessage(JSON.stringify(last)) ? 'limit' : 'api_error';
  const item = records.map(fieldsOfItem).findLast((one) => one.type === 'message' || isCall(one));
  return item?.phase === 'final_answer' && contentText(item.content) !== '' ? 'completed' : 'unknown';
}

function originOf(meta: Fields, metas: readonly Fields[]): SessionCount['origin'] {
  if (meta.forked_from_id) return 'forked';
  if (meta.parent_thread_id) return 'subagent';
  return metas.slice(1).some((other) => other.id === meta.id) ? 'resumed' : 'new';
}

function eventType(record: Fields): string {
  return record.type === 'event_msg' ? textOf(fieldsOf(record.payload).type) : '';
}

function fieldsOfItem(record: Fields): Fields {
  return record.type === 'response_item' ? fieldsOf(record.payload) : {};
}

function isCall(item: Fields): boolean {
  return CALLS.has(textOf(item.type));
}

function callId(item: Fields): string {
  return textOf(item.call_id) || textOf(item.id);
}
