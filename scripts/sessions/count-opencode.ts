import { isLimitMessage } from './api-limits.ts';
import { countOf, type Fields, fieldsOf, listOf, textOf } from './json-value.ts';
import { addModelCalls, emptyCount, type ModelCall, type SessionCount, type SessionEnd } from './session-count.ts';

const REFUSED = /rejected permission|user (rejected|dismissed|declined)/i;

/**
 * Counts an OpenCode export `{info, messages}`. Usage is on the assistant message; its `step-finish` parts and the totals in
 * `info` repeat it. Reasoning is not part of `output` and is paid as output. A shell call that ran has the status
 * `completed` whatever its exit code is, which is in `metadata.exit`.
 */
export function countOpencode(document: Fields): SessionCount {
  const info = fieldsOf(document.info);
  const messages = listOf(document.messages).map(fieldsOf);
  const count = emptyCount('opencode', textOf(info.id));
  const replies = messages.map((message) => fieldsOf(message.info)).filter((one) => one.role === 'assistant');
  addModelCalls(count, replies.map(modelCall));
  const parts = messages.flatMap((message) => listOf(message.parts).map(fieldsOf));
  const calls = parts.filter((part) => part.type === 'tool');
  const failed = calls.filter((call) => isFailed(fieldsOf(call.state)));
  const refused = failed.filter((call) => REFUSED.test(errorText(call)));
  const cancelled = failed.filter((call) => !refused.includes(call) && /aborted/i.test(errorText(call)));
  const stopped = new Set([...refused, ...cancelled]);
  count.toolCalls = new Set(calls.map(callId)).size;
  count.failedIds = failed.filter((call) => !stopped.has(call)).map(callId);
  count.failedCalls = count.failedIds.length;
  count.userRefusals = refused.length;
  count.cancelledCalls = cancelled.length;
  count.interrupts = replies.filter((reply) => errorName(reply) === 'MessageAbortedError').length;
  count.compactions = parts.filter((part) => part.type === 'compaction').length;
  count.endedBy = endOf(replies);
  count.origin = info.parentID ? 'subagent' : 'new';
  return count;
}

function modelCall(reply: Fields): ModelCall {
  const tokens = fieldsOf(reply.tokens);
  const cache = fieldsOf(tokens.cache);
  return {
    model: textOf(reply.modelID),
    day: new Date(countOf(fieldsOf(reply.time).created)).toISOString().slice(0, 10),
    by: 'session',
    tokens: {
      input: countOf(tokens.input),
      cacheRead: countOf(cache.read),
      cacheWrite5m: countOf(cache.write),
      cacheWrite1h: 0,
      output: countOf(tokens.output) + countOf(tokens.reasoning),
    },
  };
}

function isFailed(state: Fields): boolean {
  return state.status === 'error' || countOf(fieldsOf(state.metadata).exit) !== 0;
}

function callId(part: Fields): string {
  return textOf(part.callID) || textOf(part.id);
}

function errorText(part: Fields): string {
  return textOf(fieldsOf(part.state).error);
}

function errorName(reply: Fields): string {
  return textOf(fieldsOf(reply.error).name);
}

function endOf(replies: readonly Fields[]): SessionEnd {
  const last = replies.at(-1);
  if (!last) return 'unknown';
  if (errorName(last) === 'MessageAbortedError') return 'interrupted';
  if (last.error) return isLimitMessage(JSON.stringify(last.error)) ? 'limit' : 'api_error';
  return last.finish === 'stop' ? 'completed' : 'unknown';
}
