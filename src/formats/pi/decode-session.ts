import { PLACEHOLDER_ERROR } from '../../core/decoder-error.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import type { Decoded } from '../../core/span.ts';
import { exitCodeIn } from '../coding-session/exit-code.ts';
import { contentText, countOf, objectOf, objectsIn, sumOf, textOf, timeNsOf } from '../coding-session/fields.ts';
import { SessionBuilder } from '../coding-session/session-builder.ts';
import { readSessionLines } from '../coding-session/session-lines.ts';
import type { CallUsage } from '../coding-session/session-parts.ts';

const SOURCE = { framework: 'pi', product: 'Pi', scope: 'pi.session' };
/** OpenClaw is based on Pi and continues its version numbers. */
const NEWEST_VERSION = 3;
const SNIFFED_LINES = 12;

/** Whether a text begins like a session file of Pi: older files have no version and no entry ids. */
export function isPiSession(head: string): boolean {
  if (!/^\s*\ufeff?\{"type": ?"session"/.test(head)) return false;
  const lines = head.split('\n', SNIFFED_LINES).map((line) => parseJson(line.replace(/^\ufeff/, '')));
  return isHeader(lines[0]) && !lines.some(isOfOpenClaw);
}

function isHeader(value: Json | undefined): value is JsonObject & { id: string } {
  if (!isJsonObject(value) || value.type !== 'session' || textOf(value.id) === null) return false;
  const { version, cwd, timestamp } = value;
  const isKnown = version === undefined || (typeof version === 'number' && version <= NEWEST_VERSION);
  return isKnown && typeof cwd === 'string' && typeof timestamp === 'string' && !('sessionKey' in value);
}

/**
 * Whether the session belongs to OpenClaw: its file is below OpenClaw's folder, or contains entries that only OpenClaw
 * writes.
 */
function isOfOpenClaw(value: Json | undefined): boolean {
  if (!isJsonObject(value)) return false;
  const customType = textOf(value.customType) ?? '';
  const isInItsFolder =
    value.type === 'session' && /[\\/](?:\.openclaw|\.clawdbot|openclaw)(?:[\\/]|$)/.test(String(value.cwd));
  return isInItsFolder || customType === 'model-snapshot' || customType.startsWith('openclaw');
}

/** One session with its prompts, model calls, tool calls and compactions. A broken line only affects itself. */
export function decodePiSession(text: string): Decoded {
  const { lines, rejections } = readSessionLines(text);
  const sessions: SessionBuilder[] = [];
  for (const { value, number } of lines) {
    const timeNs = value === null ? null : timeNsOf(value.timestamp);
    if (value === null || timeNs === null) {
      sessions[0]?.reject();
      if (value !== null) rejections.push({ pointer: `line ${number}/timestamp`, message: 'must be an RFC 3339 time' });
      continue;
    }
    // Only the first line names the file's session; a later one is copied history.
    if (isHeader(value) && sessions.length === 0) {
      const session = new SessionBuilder(SOURCE, value.id, timeNs);
      session.describe({ directory: textOf(value.cwd), parentId: parentOf(value) });
      sessions.push(session);
    } else if (sessions[0] !== undefined) addEntry(sessions[0], value, textOf(value.id) ?? `line ${number}`, timeNs);
  }
  return { spans: sessions.flatMap((session) => session.spans()), rejections };
}

/** The id at the end of the file name of the session that this one was branched from. */
function parentOf({ parentSession, branchedFrom }: JsonObject): string | null {
  const path = textOf(parentSession) ?? textOf(branchedFrom);
  return path === null ? null : (/_([^_/\\]{1,100})\.jsonl$/.exec(path)?.[1] ?? path);
}

function addEntry(session: SessionBuilder, entry: JsonObject, key: string, timeNs: bigint): void {
  session.touch(timeNs);
  if (entry.type === 'session_info') session.describe({ title: textOf(entry.name) });
  else if (entry.type === 'compaction')
    session.compaction({ key, timeNs, trigger: null, tokensBefore: countOf(entry.tokensBefore), tokensAfter: null });
  else if (entry.type === 'message' && isJsonObject(entry.message)) addMessage(session, entry.message, key, timeNs);
}

function addMessage(session: SessionBuilder, message: JsonObject, key: string, timeNs: bigint): void {
  if (message.role === 'user') session.prompt(key, contentText(message.content), timeNs);
  else if (message.role === 'assistant') addAnswer(session, message, key, timeNs);
  else if (message.role === 'toolResult') closeCall(session, message, timeNs);
  else if (message.role === 'bashExecution')
    session.remark(key, 'shell', `! ${textOf(message.command) ?? ''}\n${textOf(message.output) ?? ''}`, timeNs);
}

/** A message is written when it is complete; its own time is its start. */
function addAnswer(session: SessionBuilder, message: JsonObject, key: string, timeNs: bigint): void {
  const beganNs = timeNsOf(message.timestamp) ?? timeNs;
  const calls = objectsIn(message.content).flatMap(({ type, id, name, arguments: input }) =>
    type === 'toolCall' && typeof id === 'string' && typeof name === 'string'
      ? [{ id, name, arguments: input ?? null }]
      : [],
  );
  const stopReason = textOf(message.stopReason);
  const usage = objectOf(message.usage);
  session.modelCall({
    key,
    startNs: beganNs < timeNs ? beganNs : timeNs,
    endNs: timeNs,
    model: textOf(message.model),
    provider: textOf(message.provider),
    text: contentText(message.content),
    calls,
    usage: usageOf(usage),
    costUsd: countOf(objectOf(usage.cost).total),
    finishReason: stopReason,
    error: stopReason === 'error' ? (textOf(message.errorMessage) ?? PLACEHOLDER_ERROR.model) : null,
  });
  for (const call of calls) session.openCall({ ...call, timeNs, messageId: key });
  if (stopReason === 'aborted') session.interruption(`${key} aborted`, timeNs);
}

/** Pi excludes cached tokens from the input. */
function usageOf(usage: JsonObject): CallUsage {
  return {
    input: sumOf(usage.input, usage.cacheRead, usage.cacheWrite),
    output: countOf(usage.output),
    cacheRead: countOf(usage.cacheRead),
    cacheWrite: countOf(usage.cacheWrite),
  };
}

function closeCall(session: SessionBuilder, message: JsonObject, timeNs: bigint): void {
  const id = textOf(message.toolCallId);
  if (id === null) return;
  const result = contentText(message.content);
  const isError = typeof message.isError === 'boolean' ? message.isError : null;
  const exitCode = message.toolName === 'bash' && isError === true ? exitCodeIn(result) : null;
  session.closeCall(id, { timeNs, result, isError, exitCode });
}
