import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Decoded, Rejection } from '../../core/span.ts';
import type { CallRefusal } from '../../core/trace.ts';
import { exitCodeIn } from '../coding-session/exit-code.ts';
import { contentText, countOf, objectOf, objectsIn, sumOf, textOf, timeNsOf } from '../coding-session/fields.ts';
import { SessionBuilder } from '../coding-session/session-builder.ts';
import { readSessionLines, someFirstLine } from '../coding-session/session-lines.ts';
import type { CallUsage, RequestedCall } from '../coding-session/session-parts.ts';

const SOURCE = { framework: 'gemini-cli', product: 'Gemini CLI', scope: 'gemini-cli.chat' };
const SHELL = 'run_shell_command';

/** Whether a value is a recorded chat of Gemini CLI: `chats/session-*.json`, or the first line of a `.jsonl`. */
export function isGeminiChat(value: Json | undefined): value is JsonObject & { sessionId: string } {
  if (!isJsonObject(value) || textOf(value.sessionId) === null) return false;
  return typeof value.projectHash === 'string' && typeof value.startTime === 'string';
}

export function isGeminiChatLines(head: string): boolean {
  return head.includes('"projectHash"') && someFirstLine(head, isGeminiChat);
}

/** The messages of a chat by id, in order; null for a rejected line. */
type ChatMessages = Map<string, JsonObject | null>;

/** A chat that is one JSON document. */
export function decodeGeminiChat(value: Json): Decoded {
  if (!isGeminiChat(value)) return { spans: [], rejections: [{ pointer: '', message: 'expected a Gemini CLI chat' }] };
  const messages = objectsIn(value.messages).map(
    (message, at) => [textOf(message.id) ?? `message ${at}`, message] as const,
  );
  return decodeChat(value, new Map(messages), []);
}

/**
 * A chat in JSON lines: its head, messages, and changes. A repeated message replaces the one with its id; `$set` changes
 * members of the chat, `$rewindTo` removes what follows a message.
 */
export function decodeGeminiChatLines(text: string): Decoded {
  const { lines, rejections } = readSessionLines(text);
  let chat: JsonObject | null = null;
  const messages: ChatMessages = new Map();
  const store = (message: JsonObject, otherwise: string) => messages.set(textOf(message.id) ?? otherwise, message);
  for (const { value, number } of lines) {
    if (value === null) {
      messages.set(`line ${number}`, null);
      continue;
    }
    const change = isGeminiChat(value) ? value : value.$set;
    if (isJsonObject(change)) {
      chat = { ...(chat ?? {}), ...change };
      for (const [at, message] of objectsIn(change.messages).entries()) store(message, `line ${number}/${at}`);
    } else if (typeof value.$rewindTo === 'string') rewind(messages, value.$rewindTo);
    else if (typeof value.type === 'string') store(value, `line ${number}`);
  }
  if (!isGeminiChat(chat ?? undefined))
    return { spans: [], rejections: [...rejections, { pointer: 'line 1', message: 'must name the session' }] };
  return decodeChat(chat as JsonObject & { sessionId: string }, messages, rejections);
}

/** Removed messages did happen; only a repeated message must not be joined with them. */
function rewind(messages: ChatMessages, id: string): void {
  const later = [...messages.keys()].slice([...messages.keys()].indexOf(id) + 1);
  for (const key of messages.has(id) ? later : []) {
    const message = messages.get(key) ?? null;
    messages.delete(key);
    messages.set(`${key} taken back ${messages.size}`, message);
  }
}

function decodeChat(
  chat: JsonObject & { sessionId: string },
  messages: ChatMessages,
  rejections: Rejection[],
): Decoded {
  const startNs = timeNsOf(chat.startTime);
  if (startNs === null)
    return { spans: [], rejections: [...rejections, { pointer: '/startTime', message: 'must be an RFC 3339 time' }] };
  const session = new SessionBuilder(SOURCE, chat.sessionId, startNs);
  session.describe({
    title: textOf(chat.summary),
    ...directoryIn(
      chat,
      [...messages.values()].filter((message) => message !== null),
    ),
  });
  for (const [key, message] of messages) {
    const timeNs = message === null ? null : timeNsOf(message.timestamp);
    if (message !== null && timeNs !== null) addMessage(session, message, key, timeNs);
    else session.reject();
    if (message !== null && timeNs === null)
      rejections.push({ pointer: `/messages/${key}/timestamp`, message: 'must be an RFC 3339 time' });
  }
  return { spans: session.spans(), rejections };
}

const WORKSPACE = /\*\*Workspace Directories:\*\*\s+- ([^\n]+)|working in the directory: ([^\n]+)/;

/** Newer chats list their folders; all versions send them to the model in the first message. */
function directoryIn(chat: JsonObject, messages: readonly JsonObject[]): { directory: string | null } {
  const listed = Array.isArray(chat.directories) ? textOf(chat.directories[0]) : null;
  if (listed !== null) return { directory: listed };
  const match = messages.slice(0, 2).flatMap((message) => WORKSPACE.exec(contentText(message.content)) ?? []);
  return { directory: (match[1] ?? match[2])?.trim() ?? null };
}

const COMPRESSED = /compressed from (?:approximately )?([\d,]+) to ([\d,]+) tokens/i;

function addMessage(session: SessionBuilder, message: JsonObject, key: string, timeNs: bigint): void {
  const userText = contentText(message.content);
  if (message.type === 'gemini') addAnswer(session, message, key, timeNs);
  else if (message.type === 'user') session.prompt(key, userText, timeNs);
  else if (message.type === 'error')
    session.modelCall({ key, startNs: timeNs, endNs: timeNs, model: null, text: '', calls: [], error: userText });
  else if (message.type === 'info') {
    const sizes = COMPRESSED.exec(userText);
    const tokens = (at: number) => (sizes === null ? null : Number(sizes[at]!.replaceAll(',', '')));
    if (sizes !== null)
      session.compaction({ key, timeNs, trigger: null, tokensBefore: tokens(1), tokensAfter: tokens(2) });
    else if (/^request cancelled/i.test(userText)) session.interruption(key, timeNs);
  }
}

function addAnswer(session: SessionBuilder, message: JsonObject, key: string, timeNs: bigint): void {
  const tools = objectsIn(message.toolCalls).filter(
    ({ id, name }) => typeof id === 'string' && typeof name === 'string',
  );
  const calls = tools.map(({ id, name, args }) => ({ id, name, arguments: args ?? null }) as RequestedCall);
  session.modelCall({
    key,
    startNs: timeNs,
    endNs: timeNs,
    model: textOf(message.model),
    provider: 'google',
    text: contentText(message.content),
    calls,
    usage: usageOf(objectOf(message.tokens)),
  });
  for (const [at, tool] of tools.entries()) {
    session.openCall({ ...(calls[at] as RequestedCall), timeNs, messageId: key });
    closeCall(session, tool, timeNs);
  }
}

/** Cached tokens are part of the input; reasoning tokens are separate from the output. */
function usageOf(tokens: JsonObject): CallUsage {
  return {
    input: sumOf(tokens.input, tokens.tool),
    output: sumOf(tokens.output, tokens.thoughts),
    cacheRead: countOf(tokens.cached),
    reasoning: countOf(tokens.thoughts),
  };
}

/** The time of a call is that of its last change of state. */
function closeCall(session: SessionBuilder, tool: JsonObject, requestedNs: bigint): void {
  const { status, name } = tool;
  if (status !== 'success' && status !== 'error' && status !== 'cancelled') return;
  const answer = objectOf(objectOf(objectsIn(tool.result)[0]?.functionResponse).response);
  const result = textOf(answer.output) ?? textOf(answer.error) ?? textOf(tool.resultDisplay) ?? '';
  const timeNs = timeNsOf(tool.timestamp) ?? requestedNs;
  const isInterrupted = status === 'cancelled' && !REFUSED.test(result);
  session.closeCall(tool.id as string, {
    timeNs,
    result,
    isError: status !== 'success',
    exitCode: name === SHELL ? exitCodeIn(result) : null,
    refusal: status === 'cancelled' ? refusalIn(result) : null,
  });
  if (isInterrupted) session.interruption(`${tool.id as string} cancelled`, timeNs);
}

const REFUSED = /user did not allow|user rejected|denied by (?:user|policy)/i;

function refusalIn(result: string): CallRefusal | null {
  if (!REFUSED.test(result)) return null;
  return { by: /denied by policy/i.test(result) ? 'policy' : 'user', reason: null };
}
