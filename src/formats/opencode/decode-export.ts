import { PLACEHOLDER_ERROR } from '../../core/decoder-error.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Decoded } from '../../core/span.ts';
import type { CallRefusal } from '../../core/trace.ts';
import { countOf, objectOf, objectsIn, sumOf, textOf, timeNsOf } from '../coding-session/fields.ts';
import { SessionBuilder } from '../coding-session/session-builder.ts';
import type { CallUsage } from '../coding-session/session-parts.ts';

const SOURCE = { framework: 'opencode', product: 'OpenCode', scope: 'opencode.export' };
/** Default titles until the model names the session. */
const PLACEHOLDER_TITLE = /^(?:New session|Child session) - \d{4}-\d\d-\d\dT/;

/** Whether a value is what `opencode export` prints: `{info, messages: [{info, parts}]}`. */
export function isOpenCodeExport(value: Json | undefined): value is JsonObject & { info: JsonObject } {
  if (!isJsonObject(value) || !isJsonObject(value.info) || textOf(value.info.id) === null) return false;
  const { messages } = value;
  if (!Array.isArray(messages) || !isJsonObject(value.info.time)) return false;
  return messages.length === 0 || messages.some((message) => isJsonObject(message) && isMessage(message));
}

function isMessage(message: JsonObject): message is JsonObject & { info: JsonObject; parts: Json[] } {
  return isJsonObject(message.info) && typeof message.info.role === 'string' && Array.isArray(message.parts);
}

/** One session with its prompts, model calls, tool calls and compactions. A broken message only affects itself. */
export function decodeOpenCodeExport(value: Json): Decoded {
  if (!isOpenCodeExport(value))
    return { spans: [], rejections: [{ pointer: '', message: 'expected an OpenCode export' }] };
  const { info } = value;
  const time = objectOf(info.time);
  const startNs = timeNsOf(time.created);
  if (startNs === null)
    return { spans: [], rejections: [{ pointer: '/info/time/created', message: 'must be Unix milliseconds' }] };
  const title = textOf(info.title);
  const session = new SessionBuilder(SOURCE, info.id as string, startNs);
  session.describe({
    title: title !== null && PLACEHOLDER_TITLE.test(title) ? null : title,
    directory: textOf(info.directory),
    parentId: textOf(info.parentID),
  });
  const rejections: Decoded['rejections'] = [];
  for (const [at, message] of (value.messages as Json[]).entries()) {
    const atNs = isJsonObject(message) && isMessage(message) ? timeNsOf(objectOf(message.info.time).created) : null;
    if (atNs === null) {
      session.reject();
      rejections.push({ pointer: `/messages/${at}`, message: 'must be a message with a time' });
    } else addMessage(session, message as JsonObject & { info: JsonObject }, atNs);
  }
  return { spans: session.spans(), rejections };
}

function addMessage(session: SessionBuilder, message: JsonObject & { info: JsonObject }, atNs: bigint): void {
  const { info } = message;
  const parts = objectsIn(message.parts);
  const key = textOf(info.id) ?? String(atNs);
  for (const part of parts)
    if (part.type === 'compaction') session.compaction(compactionOf(part, `${key} compaction`, atNs));
  if (info.role === 'user') session.prompt(key, withoutQuotes(wordsIn(parts)), atNs);
  if (info.role === 'assistant') addAnswer(session, info, parts, key, atNs);
}

/** `auto` is false if the user requested the compaction. */
function compactionOf({ auto }: JsonObject, key: string, timeNs: bigint) {
  const trigger = auto === true ? 'auto' : auto === false ? 'manual' : null;
  return { key, timeNs, trigger, tokensBefore: null, tokensAfter: null };
}

/** The text of a message without parts that the program added. */
function wordsIn(parts: readonly JsonObject[]): string {
  return parts
    .filter(({ type, synthetic, ignored }) => type === 'text' && synthetic !== true && ignored !== true)
    .flatMap(({ text }) => textOf(text) ?? [])
    .join('\n');
}

/** `opencode run` puts quotes around an argument with spaces. */
function withoutQuotes(text: string): string {
  return /^\s*"([^"]+)"\s*$/.exec(text)?.[1] ?? text;
}

function addAnswer(
  session: SessionBuilder,
  info: JsonObject,
  parts: readonly JsonObject[],
  key: string,
  atNs: bigint,
): void {
  const path = objectOf(info.path);
  session.describe({ directory: textOf(path.cwd), project: projectOf(path.root) });
  const tools = parts.filter(({ type, tool }) => type === 'tool' && typeof tool === 'string');
  const endNs = timeNsOf(objectOf(info.time).completed) ?? atNs;
  const failure = objectOf(info.error);
  const isAborted = failure.name === 'MessageAbortedError';
  const error = isJsonObject(info.error) && !isAborted ? errorText(failure) : null;
  session.modelCall({
    key,
    startNs: atNs,
    endNs: endNs < atNs ? atNs : endNs,
    model: textOf(info.modelID),
    provider: textOf(info.providerID),
    text: wordsIn(parts),
    calls: tools.map((part) => ({
      id: callIdOf(part, key),
      name: part.tool as string,
      arguments: objectOf(part.state).input ?? null,
    })),
    usage: usageOf(info, parts),
    costUsd: countOf(info.cost),
    finishReason: textOf(info.finish),
    error,
  });
  for (const part of tools) addToolCall(session, part, key, atNs, endNs);
  if (isAborted) session.interruption(`${key} aborted`, endNs);
  else if (error === null && textOf(info.finish) === 'stop') session.finishTurn();
}

/** `/` means a folder without version control. */
function projectOf(root: Json | undefined): string | null {
  return root === '/' ? null : textOf(root);
}

function callIdOf({ callID, id }: JsonObject, messageKey: string): string {
  return textOf(callID) ?? textOf(id) ?? messageKey;
}

function addToolCall(session: SessionBuilder, part: JsonObject, messageId: string, atNs: bigint, endNs: bigint): void {
  const state = objectOf(part.state);
  const time = objectOf(state.time);
  const id = callIdOf(part, messageId);
  const timeNs = timeNsOf(time.start) ?? atNs;
  session.openCall({ id, name: part.tool as string, arguments: state.input ?? null, timeNs, messageId });
  if (state.status !== 'completed' && state.status !== 'error') return;
  const hasFailed = state.status === 'error';
  const resultText = (hasFailed ? textOf(state.error) : textOf(state.output)) ?? '';
  const { exit } = objectOf(state.metadata);
  const isAborted = hasFailed && /^Tool execution aborted/.test(resultText);
  session.closeCall(id, {
    timeNs: timeNsOf(time.end) ?? endNs,
    result: resultText,
    isError: hasFailed,
    exitCode: Number.isInteger(exit) ? (exit as number) : null,
    refusal: hasFailed ? refusalIn(resultText) : null,
  });
  if (isAborted) session.interruption(`${id} aborted`, timeNsOf(time.end) ?? endNs);
}

const REJECTED = /^(?:Error: )?The user rejected permission to use this (?:specific )?tool call/;
const RULED_OUT = /^(?:Error: )?The user has specified a rule which prevents you from using this/;
const FEEDBACK = /with the following feedback: ([\s\S]+)$/;

function refusalIn(error: string): CallRefusal | null {
  if (REJECTED.test(error)) return { by: 'user', reason: FEEDBACK.exec(error)?.[1]?.trim() ?? null };
  return RULED_OUT.test(error) ? { by: 'policy', reason: error } : null;
}

function errorText({ name, data }: JsonObject): string {
  return textOf(objectOf(data).message) ?? textOf(name) ?? PLACEHOLDER_ERROR.model;
}

/** A message of several steps only has the tokens of the last step, so the steps' own figures take precedence. */
function usageOf(info: JsonObject, parts: readonly JsonObject[]): CallUsage | null {
  const steps = parts.filter(({ type, tokens }) => type === 'step-finish' && isJsonObject(tokens));
  const counted = steps.length > 0 ? steps.map(({ tokens }) => objectOf(tokens)) : [objectOf(info.tokens)];
  const all = (pick: (tokens: JsonObject) => Json | undefined) => sumOf(...counted.map(pick));
  const cacheRead = all(({ cache }) => objectOf(cache).read);
  const cacheWrite = all(({ cache }) => objectOf(cache).write);
  const reasoning = all((tokens) => tokens.reasoning);
  return {
    input: sumOf(
      all((tokens) => tokens.input),
      cacheRead,
      cacheWrite,
    ),
    output: sumOf(
      all((tokens) => tokens.output),
      reasoning,
    ),
    cacheRead,
    cacheWrite,
    reasoning,
  };
}
