import { isLimitMessage } from './api-limits.ts';
import { contentText, countOf, type Fields, fieldsOf, listOf, textOf } from './json-value.ts';
import { addModelCalls, emptyCount, type ModelCall, type SessionCount, type SessionEnd } from './session-count.ts';

/**
 * Counts a Pi session. A line is one message, so usage is recorded once.
 *
 * A branch (`branchedFrom`) copies the messages of its parent, with the parent's timestamps. Lines older than the header
 * are copied history, unless nothing followed: then the branch is a copy and shows its history. The header of any other session can be later than its first lines, because it is written late.
 */
export function countPi(records: readonly Fields[]): SessionCount {
  const header = records.find((record) => record.type === 'session') ?? {};
  const count = emptyCount('pi', textOf(header.id));
  const isBranch = Boolean(header.branchedFrom ?? header.parentSession);
  const isOlder = (record: Fields) => textOf(record.timestamp) < textOf(header.timestamp);
  const hasOwnMessages = records.some((record) => record.type === 'message' && !isOlder(record));
  const isCopied = (record: Fields) => isBranch && hasOwnMessages && isOlder(record);
  addModelCalls(
    count,
    records
      .filter((record) => messageOf(record).role === 'assistant')
      .map((record) => modelCall(record, isCopied(record))),
  );
  const own = records.filter((record) => !isCopied(record));
  const messages = own.map(messageOf);
  const calls = messages.flatMap((message) => listOf(message.content).map(fieldsOf)).filter(isToolCall);
  const failed = messages.filter((message) => message.role === 'toolResult' && message.isError === true);
  const cancelled = failed.filter((message) => /(Command|Operation) aborted\s*$/.test(contentText(message.content)));
  count.toolCalls = new Set(calls.map((call) => textOf(call.id))).size;
  count.failedIds = failed.filter((message) => !cancelled.includes(message)).map((one) => textOf(one.toolCallId));
  count.failedCalls = count.failedIds.length;
  count.cancelledCalls = cancelled.length;
  count.interrupts = messages.filter((message) => message.stopReason === 'aborted').length;
  count.compactions = own.filter((record) => record.type === 'compaction').length;
  count.endedBy = endOf(messages);
  count.origin = isBranch ? 'forked' : 'new';
  if (isBranch && !hasOwnMessages) count.notes.push('a branch without messages of its own');
  return count;
}

function messageOf(record: Fields): Fields {
  return record.type === 'message' ? fieldsOf(record.message) : {};
}

function modelCall(record: Fields, isCopied: boolean): ModelCall {
  const message = messageOf(record);
  const usage = fieldsOf(message.usage);
  return {
    model: textOf(message.model),
    day: textOf(record.timestamp).slice(0, 10),
    by: isCopied ? 'copied history' : 'session',
    tokens: {
      input: countOf(usage.input),
      cacheRead: countOf(usage.cacheRead),
      cacheWrite5m: countOf(usage.cacheWrite),
      cacheWrite1h: 0,
      output: countOf(usage.output),
    },
  };
}

function isToolCall(block: Fields): boolean {
  return block.type === 'toolCall';
}

/** A shell command of the user (`bashExecution`) after the answer does not change how the session ended. */
function endOf(messages: readonly Fields[]): SessionEnd {
  const last = messages.findLast((message) => ['user', 'assistant', 'toolResult'].includes(textOf(message.role)));
  if (last?.role !== 'assistant') return 'unknown';
  if (last.stopReason === 'stop') return 'completed';
  if (last.stopReason === 'aborted') return 'interrupted';
  if (last.stopReason !== 'error') return 'unknown';
  return isLimitMessage(textOf(last.errorMessage)) ? 'limit' : 'api_error';
}
