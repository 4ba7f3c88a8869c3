import { isLimitMessage } from './api-limits.ts';
import { type ClaudeLine, isInterruptText, linesOf, promptTexts } from './claude-line.ts';
import { type ClaudeOutcome, outcomeOfResult } from './claude-outcome.ts';
import { countOf, type Fields, fieldsOf, listOf, textOf } from './json-value.ts';
import { addModelCalls, emptyCount, type ModelCall, type SessionCount, type SessionEnd } from './session-count.ts';

/**
 * Counts a Claude Code transcript.
 *
 * Records that repeat, and how they are counted:
 * - A model message is written as one line for each content block. Each line has the message id and the usage known at
 *   that time: input figures are the same, output grows. A call is one message id with the highest figure of each field.
 * - `/resume` in older versions writes the earlier conversation again, with new uuids and the same message ids, tool
 *   call ids and timestamps. Ids identify messages, calls and results; timestamp and text identify interrupts.
 * - Calls of a subagent are in `progress` lines (`agent_progress`) with message ids of their own. They were paid in this
 *   session, so they are part of its figures and are shown separately as well.
 * - Versions before 2.1.17 write subagents to files of their own; from this file they cannot be counted.
 */
export function countClaudeCode(records: readonly Fields[]): SessionCount {
  const lines = records.flatMap(linesOf);
  const count = emptyCount('claude-code', sessionIdOf(records));
  addModelCalls(count, modelCalls(lines));
  countTools(count, lines);
  const refusalLines = new Set(lines.filter((line) => resultsIn(line).some(isRefusal)).map((line) => line.uuid));
  count.interrupts = interruptsOf(lines, refusalLines).size;
  count.compactions = new Set(records.filter(isCompaction).map((record) => textOf(record.timestamp))).size;
  count.endedBy = endOf(lines.filter((line) => !line.isSubagent));
  count.origin = originOf(records, lines);
  return count;
}

function sessionIdOf(records: readonly Fields[]): string {
  return records.map((record) => textOf(record.sessionId)).find((id) => id !== '') ?? '';
}

function modelCalls(lines: readonly ClaudeLine[]): ModelCall[] {
  const calls = new Map<string, ModelCall>();
  for (const line of lines) {
    const usage = fieldsOf(line.message.usage);
    if (line.role !== 'assistant' || Object.keys(usage).length === 0) continue;
    const id = textOf(line.message.id) || line.uuid;
    const tokens = tokensOf(usage);
    const earlier = calls.get(id);
    if (earlier) {
      earlier.tokens = highest(earlier.tokens, tokens);
      continue;
    }
    const by = line.isSubagent ? 'subagent' : 'session';
    calls.set(id, { model: textOf(line.message.model), day: line.timestamp.slice(0, 10), tokens, by });
  }
  return [...calls.values()];
}

/** `cache_creation` divides the written tokens by lifetime; without it they are writes of 5 minutes. */
function tokensOf(usage: Fields) {
  const written = countOf(usage.cache_creation_input_tokens);
  const oneHour = countOf(fieldsOf(usage.cache_creation).ephemeral_1h_input_tokens);
  return {
    input: countOf(usage.input_tokens),
    cacheRead: countOf(usage.cache_read_input_tokens),
    cacheWrite5m: Math.max(0, written - oneHour),
    cacheWrite1h: oneHour,
    output: countOf(usage.output_tokens),
  };
}

function highest(a: ModelCall['tokens'], b: ModelCall['tokens']): ModelCall['tokens'] {
  return {
    input: Math.max(a.input, b.input),
    cacheRead: Math.max(a.cacheRead, b.cacheRead),
    cacheWrite5m: Math.max(a.cacheWrite5m, b.cacheWrite5m),
    cacheWrite1h: Math.max(a.cacheWrite1h, b.cacheWrite1h),
    output: Math.max(a.output, b.output),
  };
}

function countTools(count: SessionCount, lines: readonly ClaudeLine[]): void {
  const calls = new Map<string, boolean>();
  const outcomes = new Map<string, { outcome: ClaudeOutcome; isSubagent: boolean }>();
  for (const line of lines) {
    for (const call of callsIn(line)) calls.set(textOf(call.id), line.isSubagent);
    for (const result of resultsIn(line)) {
      const id = textOf(result.block.tool_use_id);
      outcomes.set(id, { outcome: outcomeOfResult(result.block, result.summary), isSubagent: line.isSubagent });
    }
  }
  const withOutcome = (...kinds: ClaudeOutcome[]) => [...outcomes].filter(([, one]) => kinds.includes(one.outcome));
  count.toolCalls = calls.size;
  count.subagentToolCalls = [...calls.values()].filter(Boolean).length;
  const failed = withOutcome('failed', 'policy');
  count.failedCalls = failed.length;
  count.failedIds = failed.map(([id]) => id);
  count.subagentFailedCalls = failed.filter(([, one]) => one.isSubagent).length;
  count.policyRefusals = withOutcome('policy').length;
  count.userRefusals = withOutcome('refused').length;
  count.cancelledCalls = withOutcome('cancelled').length;
}

function callsIn(line: ClaudeLine): Fields[] {
  if (line.role !== 'assistant') return [];
  return listOf(line.message.content)
    .map(fieldsOf)
    .filter((block) => block.type === 'tool_use');
}

interface Result {
  block: Fields;
  summary: unknown;
}

function resultsIn(line: ClaudeLine): Result[] {
  if (line.role !== 'user') return [];
  const blocks = listOf(line.message.content).map(fieldsOf);
  return blocks.filter((block) => block.type === 'tool_result').map((block) => ({ block, summary: line.summary }));
}

function isRefusal(result: Result): boolean {
  return outcomeOfResult(result.block, result.summary) === 'refused';
}

/** The interrupt line that follows a refusal repeats it and is not counted. */
function interruptsOf(lines: readonly ClaudeLine[], refusalLines: ReadonlySet<string>): Set<string> {
  const interrupts = new Set<string>();
  for (const line of lines) {
    if (line.role !== 'user' || refusalLines.has(line.parentUuid)) continue;
    for (const text of promptTexts(line)) if (isInterruptText(text)) interrupts.add(`${line.timestamp} ${text}`);
  }
  return interrupts;
}

function isCompaction(record: Fields): boolean {
  return record.type === 'system' && record.subtype === 'compact_boundary';
}

/** Decided by the last line that belongs to the conversation: commands such as /exit are run without the model. */
function endOf(lines: readonly ClaudeLine[]): SessionEnd {
  const last = lines.findLast((line) => !line.isMeta && !isLocalCommand(line) && !isEmptyReply(line));
  if (!last) return 'unknown';
  if (last.role === 'user') return endAfterUser(last, lines);
  if (last.isApiError) return isLimitMessage(promptTexts(last).join('\n')) ? 'limit' : 'api_error';
  const messageId = textOf(last.message.id);
  const blocks = lines.filter((line) => textOf(line.message.id) === messageId).flatMap((line) => callsIn(line));
  return blocks.length === 0 && promptTexts(last).length > 0 ? 'completed' : 'unknown';
}

function endAfterUser(last: ClaudeLine, lines: readonly ClaudeLine[]): SessionEnd {
  if (resultsIn(last).some(isRefusal)) return 'refused';
  if (promptTexts(last).some(isInterruptText)) {
    const parent = lines.find((line) => line.uuid === last.parentUuid);
    return parent && resultsIn(parent).some(isRefusal) ? 'refused' : 'interrupted';
  }
  const answered = new Set(resultsIn(last).map((result) => textOf(result.block.tool_use_id)));
  const calls = lines.flatMap(callsIn).filter((call) => answered.has(textOf(call.id)));
  return calls.some((call) => call.name === 'StructuredOutput') ? 'completed' : 'unknown';
}

function isLocalCommand(line: ClaudeLine): boolean {
  const texts = promptTexts(line);
  return line.role === 'user' && texts.length > 0 && texts.every((text) => /^<(local-)?command-/.test(text.trim()));
}

/** A placeholder that the program writes itself, for example after a resume. */
function isEmptyReply(line: ClaudeLine): boolean {
  return line.role === 'assistant' && line.message.model === '<synthetic>' && !line.isApiError;
}

/** A file that begins in the middle of a conversation, or holds one of its messages twice, is a resumed session. */
function originOf(records: readonly Fields[], lines: readonly ClaudeLine[]): SessionCount['origin'] {
  if (records.some((record) => fieldsOf(record.forkedFrom).sessionId)) return 'forked';
  const first = lines.find((line) => !line.isSubagent);
  const uuids = new Set(records.map((record) => textOf(record.uuid)));
  if (first && first.parentUuid !== '' && !uuids.has(first.parentUuid)) return 'resumed';
  const prompts = lines
    .filter((line) => line.role === 'assistant')
    .map((line) => `${line.timestamp} ${line.message.id}`);
  return new Set(prompts).size < prompts.length && hasRepeatedCall(lines) ? 'resumed' : 'new';
}

function hasRepeatedCall(lines: readonly ClaudeLine[]): boolean {
  const ids = lines.flatMap(callsIn).map((call) => textOf(call.id));
  return new Set(ids).size < ids.length;
}
