import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import type { Decoded } from '../../core/span.ts';
import type { SessionEnd } from '../../core/trace.ts';
import { exitCodeIn } from '../coding-session/exit-code.ts';
import { contentText, countOf, objectOf, objectsIn, textOf, timeNsOf } from '../coding-session/fields.ts';
import { SessionBuilder } from '../coding-session/session-builder.ts';

/** Two files of one session contain different facts, so each has a scope of its own. */
const HEAD = { framework: 'cline', product: 'Cline', scope: 'cline.session' };
const MESSAGES = { framework: 'cline', product: 'Cline', scope: 'cline.messages' };
/** Tools whose argument is the final answer. */
const FINAL_TOOLS: ReadonlyMap<string, string> = new Map([
  ['submit_and_exit', 'summary'],
  ['attempt_completion', 'result'],
]);

/** Whether a value is `<id>.json` of a Cline session: its facts without messages. */
export function isClineHead(value: Json | undefined): value is JsonObject & { session_id: string } {
  if (!isJsonObject(value) || textOf(value.session_id) === null) return false;
  return typeof value.started_at === 'string' && typeof value.messages_path === 'string';
}

/** Whether a value is `<id>.messages.json` of a Cline session. */
export function isClineMessages(value: Json | undefined): value is JsonObject & { sessionId: string } {
  if (!isJsonObject(value) || textOf(value.sessionId) === null || !Array.isArray(value.messages)) return false;
  return 'agent' in value && ('updated_at' in value || 'origin' in value);
}

const ENDS: Readonly<Record<string, SessionEnd>> = {
  completed: 'completed',
  cancelled: 'interrupted',
  aborted: 'interrupted',
  failed: 'api_error',
  error: 'api_error',
};

/** The session's root with its title, project, branch and end. */
export function decodeClineHead(value: Json): Decoded {
  const startNs = isClineHead(value) ? timeNsOf(value.started_at) : null;
  if (!isClineHead(value) || startNs === null)
    return { spans: [], rejections: [{ pointer: '/started_at', message: 'must be an RFC 3339 time' }] };
  const metadata = objectOf(value.metadata);
  const session = new SessionBuilder(HEAD, value.session_id, startNs);
  const prompt = textOf(value.prompt);
  const title = textOf(metadata.title);
  session.describe({
    // Without a title, the prompt is used as the name.
    title: title === prompt ? null : title,
    task: prompt,
    directory: textOf(value.cwd),
    project: textOf(value.workspace_root),
    branch: textOf(objectOf(metadata.git).branch),
    parentId: textOf(value.parent_session_id),
  });
  session.touch(timeNsOf(value.ended_at) ?? startNs);
  const end = ENDS[textOf(value.status) ?? ''];
  if (end !== undefined) session.endWith(end);
  return { spans: session.spans(), rejections: [] };
}

/** The session's prompts, model calls and tool calls. A broken message only affects itself. */
export function decodeClineMessages(value: Json): Decoded {
  if (!isClineMessages(value))
    return { spans: [], rejections: [{ pointer: '', message: 'expected messages of a Cline session' }] };
  const rejections: Decoded['rejections'] = [];
  let session: SessionBuilder | null = null;
  for (const [at, message] of (value.messages as Json[]).entries()) {
    const timeNs = isJsonObject(message) ? timeNsOf(message.ts) : null;
    if (!isJsonObject(message) || timeNs === null) {
      session?.reject();
      rejections.push({ pointer: `/messages/${at}/ts`, message: 'must be Unix milliseconds' });
      continue;
    }
    session ??= new SessionBuilder(MESSAGES, value.sessionId, timeNs);
    const key = textOf(message.id) ?? `message ${at}`;
    if (message.role === 'assistant') addAnswer(session, message, key, timeNs);
    if (message.role === 'user') addUserMessage(session, message, key, timeNs);
  }
  return { spans: session?.spans() ?? [], rejections };
}

function addUserMessage(session: SessionBuilder, message: JsonObject, key: string, timeNs: bigint): void {
  for (const block of objectsIn(message.content)) if (block.type === 'tool_result') closeCall(session, block, timeNs);
  const userText = wordsOf(contentText(message.content));
  if (userText !== null) session.prompt(key, userText, timeNs);
}

/** User input is marked; a message that begins with a mark in brackets comes from the program. */
function wordsOf(text: string): string | null {
  const typed = /^\s*<user_input[^>]{0,200}>([\s\S]*)<\/user_input>/.exec(text)?.[1];
  if (typed !== undefined) return typed.trim();
  return text === '' || /^\s*\[SYSTEM\]/.test(text) ? null : text;
}

function addAnswer(session: SessionBuilder, message: JsonObject, key: string, timeNs: bigint): void {
  const calls = objectsIn(message.content).flatMap(({ type, id, name, input }) =>
    type === 'tool_use' && typeof id === 'string' && typeof name === 'string'
      ? [{ id, name, arguments: input ?? null }]
      : [],
  );
  const finals = calls.flatMap(
    ({ name, arguments: input }) => textOf(objectOf(input)[FINAL_TOOLS.get(name) ?? '']) ?? [],
  );
  const metrics = objectOf(message.metrics);
  const model = objectOf(message.modelInfo);
  session.modelCall({
    key,
    startNs: timeNs,
    endNs: timeNs,
    model: textOf(model.id),
    provider: textOf(model.provider),
    text: [contentText(message.content), ...finals].filter((text) => text !== '').join('\n'),
    calls,
    usage: {
      input: countOf(metrics.inputTokens),
      output: countOf(metrics.outputTokens),
      cacheRead: countOf(metrics.cacheReadTokens),
      cacheWrite: countOf(metrics.cacheWriteTokens),
    },
    costUsd: countOf(metrics.cost) ?? countOf(metrics.totalCost),
  });
  for (const call of calls) session.openCall({ ...call, timeNs, messageId: key });
  if (finals.length > 0) session.endWith('completed');
}

/** A result is a text, JSON text, or a list of `{query, result, success, error}`, one per part of the call. */
function closeCall(session: SessionBuilder, block: JsonObject, timeNs: bigint): void {
  const id = textOf(block.tool_use_id);
  if (id === null) return;
  const parts = partsOf(block.content);
  const flags = parts.map(({ success }) => success).filter((success) => typeof success === 'boolean');
  const texts = parts.map((part) => textOf(part.result) ?? textOf(part.text) ?? textOf(part.error) ?? '');
  const result = parts.length > 0 ? texts.join('\n') : typeof block.content === 'string' ? block.content : '';
  const isError = block.is_error === true || flags.includes(false);
  const isFlagged = block.is_error !== undefined || flags.length > 0;
  const codes = parts.map((part) => exitCodeIn(textOf(part.error) ?? '')).filter((code) => code !== null);
  session.closeCall(id, {
    timeNs,
    result,
    isError: isFlagged ? isError : null,
    exitCode: codes.find((code) => code !== 0) ?? codes[0] ?? null,
  });
}

function partsOf(content: Json | undefined): JsonObject[] {
  if (typeof content !== 'string') return objectsIn(content);
  const value = parseJson(content);
  return isJsonObject(value) && 'result' in value ? [value] : objectsIn(value);
}
