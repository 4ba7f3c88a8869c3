import { isLimitMessage } from './api-limits.ts';
import { countOf, type Fields, fieldsOf, listOf, textOf } from './json-value.ts';
import { emptyCount, type SessionCount, type SessionEnd } from './session-count.ts';
import { noTokens } from './tokens.ts';

/**
 * Counts the events of a Copilot CLI session. Messages record only their output tokens; input tokens are recorded when the
 * session is closed (`session.shutdown`), which is missing in a recording of an open session. So no cost is computed.
 */
export function countCopilotCli(records: readonly Fields[]): SessionCount {
  const dataOf = (type: string) =>
    records.filter((record) => record.type === type).map((record) => fieldsOf(record.data));
  const count = emptyCount('copilot-cli', textOf(dataOf('session.start')[0]?.sessionId));
  const messages = dataOf('assistant.message');
  count.models = [...new Set(messages.map((message) => textOf(message.model)).filter((model) => model !== ''))];
  count.tokens = { ...noTokens(), output: messages.reduce((total, one) => total + countOf(one.outputTokens), 0) };
  const refused = dataOf('permission.completed').filter((one) =>
    /denied|rejected/.test(textOf(fieldsOf(one.result).kind)),
  );
  const refusedIds = new Set(refused.map((one) => textOf(one.toolCallId)));
  const failed = dataOf('tool.execution_complete').filter((one) => one.success === false);
  count.toolCalls = new Set(dataOf('tool.execution_start').map((one) => textOf(one.toolCallId))).size;
  count.failedIds = failed.map((one) => textOf(one.toolCallId)).filter((id) => !refusedIds.has(id));
  count.failedCalls = count.failedIds.length;
  count.userRefusals = refused.filter((one) => /user/.test(textOf(fieldsOf(one.result).kind))).length;
  count.policyRefusals = refused.length - count.userRefusals;
  count.interrupts = dataOf('abort').length;
  count.compactions = dataOf('session.compaction_complete').length;
  count.endedBy = endOf(records);
  count.origin = dataOf('session.resume').length > 0 ? 'resumed' : 'new';
  count.notes.push('input tokens are not recorded');
  return count;
}

function endOf(records: readonly Fields[]): SessionEnd {
  const last = records.findLast((record) =>
    /^(assistant\.message|user\.message|abort|session\.error)$/.test(textOf(record.type)),
  );
  if (last?.type === 'abort') return 'interrupted';
  if (last?.type === 'session.error') return isLimitMessage(JSON.stringify(last.data)) ? 'limit' : 'api_error';
  if (last?.type !== 'assistant.message') return 'unknown';
  return listOf(fieldsOf(last.data).toolRequests).length === 0 ? 'completed' : 'unknown';
}
