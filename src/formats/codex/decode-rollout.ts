import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import type { Attributes, Decoded, Refusal, Span } from '../../core/span.ts';
import type { StepKind } from '../../core/trace.ts';
import { sessionRootId, spanIdOf, toolSpanId } from '../hooks/session-span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { type TranscriptSession, transcriptSpan } from '../misstep/transcript-span.ts';
import { readTimestampNs } from '../trail/iso-time.ts';

const SCOPE = { name: 'codex.rollout', version: '' };
const AGENT = 'codex';
const SNIFFED_LINES = 20;

/** Whether a text looks like a session's rollout of Codex: one of its first lines names the session. */
export function isRollout(head: string): boolean {
  return head.split('\n', SNIFFED_LINES).some((line) => sessionIn(parseJson(line.replace(/^\ufeff/, ''))) !== null);
}

function sessionIn(line: Json | undefined): string | null {
  if (!isJsonObject(line) || line.type !== 'session_meta' || !isJsonObject(line.payload)) return null;
  return textOf(line.payload.id);
}

function directoryIn({ payload }: JsonObject): string | null {
  return isJsonObject(payload) ? textOf(payload.cwd) : null;
}

/**
 * A rollout as one trace a session: what the user said, the model's answers with their usage, each tool call with its
 * result, compactions, interruptions and errors. Other lines tell of no step; a broken one costs only itself.
 */
export function decodeRollout(text: string): Decoded {
  const lines = text.split('\n').map((line) => line.replace(/^\ufeff/, ''));
  const read = lines.map((line) => parseJson(line));
  // The bare history repeats the user's words between instructions of the program, so it is only the second choice.
  const hasUserEvents = read.some((line) => isJsonObject(line) && payloadType(line) === 'event_msg/user_message');
  const spans: Span[] = [];
  const refusals: Refusal[] = [];
  let session: Session | null = null;
  for (const [at, line] of read.entries()) {
    if (lines[at]!.trim() === '') continue;
    if (!isJsonObject(line)) {
      refusals.push({ pointer: `line ${at + 1}`, message: line === undefined ? 'not JSON' : 'must be an object' });
      continue;
    }
    const timeNs = readTimestampNs(textOf(line.timestamp) ?? '');
    const id = sessionIn(line);
    if (timeNs === null) {
      refusals.push({ pointer: `line ${at + 1}/timestamp`, message: 'must be an RFC 3339 time' });
    } else if (id !== null) {
      spans.push(...(session?.spans() ?? []));
      session = new Session(id, timeNs, hasUserEvents, directoryIn(line));
    } else session?.take(payloadType(line), isJsonObject(line.payload) ? line.payload : {}, timeNs);
  }
  return { spans: [...spans, ...(session?.spans() ?? [])], refusals };
}

/** `event_msg/token_count`, or only the line's own type where the payload has none. */
function payloadType({ type, payload }: JsonObject): string {
  const inner = isJsonObject(payload) ? textOf(payload.type) : null;
  return inner === null ? String(type) : `${String(type)}/${inner}`;
}

type Part = { type: string; [key: string]: Json };

class Session {
  readonly #session: TranscriptSession;
  readonly #root: Span;
  readonly #hasUserEvents: boolean;
  readonly #steps: Span[] = [];
  readonly #calls = new Map<string, Span>();
  #model: string | null = null;
  #directory: string | null;
  /** The model's answer being told, until its usage comes. */
  #answer: { span: Span; parts: Part[] } | null = null;

  constructor(id: string, startNs: bigint, hasUserEvents: boolean, directory: string | null) {
    this.#session = { id, framework: AGENT, scope: SCOPE };
    this.#directory = directory;
    this.#hasUserEvents = hasUserEvents;
    this.#root = { ...this.#span(sessionRootId(id), startNs, 'Codex session', 'agent', {}), parentSpanId: null };
  }

  spans(): Span[] {
    this.#closeAnswer();
    return [this.#root, ...this.#steps];
  }

  take(type: string, payload: JsonObject, timeNs: bigint): void {
    if ((this.#root.endNs ?? 0n) < timeNs) this.#root.endNs = timeNs;
    if (type === 'turn_context') {
      this.#model = textOf(payload.model) ?? this.#model;
      this.#directory = textOf(payload.cwd) ?? this.#directory;
    } else if (type === 'event_msg/user_message') this.#takeWords(textOf(payload.message), timeNs);
    else if (type === 'response_item/message') this.#takeMessage(payload, timeNs);
    else if (CALLS.has(type)) this.#openCall(payload, timeNs);
    else if (OUTPUTS.has(type)) this.#closeCall(payload, timeNs);
    else if (type === 'event_msg/token_count') this.#takeUsage(payload);
    else if (type === 'compacted') this.#step('compaction', timeNs, 'other', {});
    else if (type === 'event_msg/turn_aborted')
      this.#fail('interruption', timeNs, 'other', 'interrupted', payload.reason);
    else if (type === 'event_msg/error') this.#fail('chat', timeNs, 'llm', 'model_error', payload.message);
  }

  #takeWords(words: string | null, timeNs: bigint): void {
    if (words === null) return;
    this.#closeAnswer();
    this.#root.attributes[MISSTEP.task] ??= words;
    const said = JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: words }] }]);
    delete this.#step('user', timeNs, 'message', { 'gen_ai.output.messages': said }).attributes['gen_ai.agent.name'];
  }

  #takeMessage({ role, content }: JsonObject, timeNs: bigint): void {
    const words = wordsOf(content);
    if (words === '') return;
    if (role === 'assistant') this.#openAnswer(timeNs).parts.push({ type: 'text', content: words });
    else if (role === 'user' && !this.#hasUserEvents && !isInstruction(words)) this.#takeWords(words, timeNs);
  }

  #openAnswer(timeNs: bigint): { span: Span; parts: Part[] } {
    if (this.#answer === null) {
      const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'openai' };
      const span = this.#step('chat', timeNs, 'llm', attributes);
      if (this.#model !== null) span.attributes['gen_ai.request.model'] = this.#model;
      this.#answer = { span, parts: [] };
    }
    this.#answer.span.endNs = timeNs;
    return this.#answer;
  }

  #closeAnswer(): void {
    const { span, parts } = this.#answer ?? {};
    if (span && parts) span.attributes['gen_ai.output.messages'] = JSON.stringify([{ role: 'assistant', parts }]);
    this.#answer = null;
  }

  #openCall(payload: JsonObject, timeNs: bigint): void {
    const id = textOf(payload.call_id);
    if (id === null || this.#calls.has(id)) return;
    const name = textOf(payload.name) ?? 'shell';
    const given = payload.arguments ?? payload.input ?? payload.action ?? null;
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    this.#openAnswer(timeNs).parts.push({ type: 'tool_call', id, name, arguments: text });
    const attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': id,
      'gen_ai.tool.call.arguments': text,
    };
    const span = this.#span(toolSpanId(this.#session.id, id), timeNs, name, 'tool', attributes);
    this.#steps.push(span);
    this.#calls.set(id, span);
  }

  #closeCall(payload: JsonObject, timeNs: bigint): void {
    const span = this.#calls.get(textOf(payload.call_id) ?? '');
    // What follows is the model's next answer, though nobody said what this one cost.
    this.#closeAnswer();
    if (span === undefined) return;
    const { text, hasFailed } = outputOf(payload.output ?? null);
    span.endNs = timeNs;
    span.attributes['gen_ai.tool.call.result'] = text;
    if (hasFailed) span.status = { code: 2, message: text.slice(0, LONGEST_MESSAGE) };
  }

  /** The count comes behind the answer it is of; without an answer it repeats the one before. */
  #takeUsage({ info }: JsonObject): void {
    const usage = isJsonObject(info) && isJsonObject(info.last_token_usage) ? info.last_token_usage : null;
    const span = this.#answer?.span ?? this.#uncounted();
    if (usage !== null && span !== undefined)
      for (const [key, name] of USAGE) {
        const count = usage[name];
        if (typeof count === 'number' && count >= 0) span.attributes[key] = count;
      }
    this.#closeAnswer();
  }

  /** The last answer, where its usage is still to come. */
  #uncounted(): Span | undefined {
    const last = this.#steps.findLast(({ name }) => name === 'chat');
    return last && !('gen_ai.usage.input_tokens' in last.attributes) ? last : undefined;
  }

  #fail(name: string, timeNs: bigint, kind: StepKind, type: string, said: Json | undefined): void {
    this.#closeAnswer();
    const span = this.#step(name, timeNs, kind, { 'error.type': type });
    span.status = { code: 2, message: (textOf(said) ?? type).slice(0, LONGEST_MESSAGE) };
  }

  #step(name: string, timeNs: bigint, kind: StepKind, attributes: Attributes): Span {
    const span = this.#span(spanIdOf(this.#session.id, 'step', this.#steps.length), timeNs, name, kind, attributes);
    this.#steps.push(span);
    return span;
  }

  #span(spanId: string, timeNs: bigint, name: string, kind: StepKind, attributes: Attributes): Span {
    const parentId = sessionRootId(this.#session.id);
    const step = { spanId, parentId, name, timeNs, directory: this.#directory };
    return transcriptSpan(this.#session, step, {
      [MISSTEP.stepKind]: kind,
      [MISSTEP.sessionId]: this.#session.id,
      'gen_ai.agent.name': AGENT,
      ...attributes,
    });
  }
}

const CALLS = new Set([
  'response_item/function_call',
  'response_item/custom_tool_call',
  'response_item/local_shell_call',
]);
const OUTPUTS = new Set(['response_item/function_call_output', 'response_item/custom_tool_call_output']);
const USAGE = [
  ['gen_ai.usage.input_tokens', 'input_tokens'],
  ['gen_ai.usage.output_tokens', 'output_tokens'],
  ['gen_ai.usage.cache_read.input_tokens', 'cached_input_tokens'],
  ['gen_ai.usage.reasoning.output_tokens', 'reasoning_output_tokens'],
] as const;
const LONGEST_MESSAGE = 1000;

/** Surroundings and rules that the program puts before the user's words. */
function isInstruction(words: string): boolean {
  return /^\s*(?:<|# AGENTS\.md)/.test(words);
}

/** A shell's output comes as text, or as JSON in text with its exit code beside. */
function outputOf(output: Json): { text: string; hasFailed: boolean } {
  const value = typeof output === 'string' ? (parseJson(output) ?? output) : output;
  if (!isJsonObject(value))
    return { text: typeof output === 'string' ? output : JSON.stringify(output), hasFailed: false };
  const { metadata, success } = value;
  const exitCode = isJsonObject(metadata) ? metadata.exit_code : 0;
  const text = textOf(value.output) ?? textOf(value.content) ?? JSON.stringify(value);
  return { text, hasFailed: success === false || (typeof exitCode === 'number' && exitCode !== 0) };
}

function wordsOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [];
  return blocks.flatMap(({ text }) => textOf(text) ?? []).join('\n');
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
