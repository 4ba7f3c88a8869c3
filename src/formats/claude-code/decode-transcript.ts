import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import type { Attributes, Decoded, Refusal, Span } from '../../core/span.ts';
import {
  modelCallSpanId,
  promptSpanId,
  sessionRootId,
  spanIdOf,
  subagentSpanId,
  toolSpanId,
} from '../hooks/session-span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { type TranscriptSession, transcriptSpan } from '../misstep/transcript-span.ts';
import { readTimestampNs } from '../trail/iso-time.ts';

const SCOPE = { name: 'claude-code.transcript', version: '' };
const SNIFFED_CHARACTERS = 65_536;
const SNIFFED_LINES = 20;
const MAIN_AGENT = 'claude-code';
const SIDE_AGENT = 'subagent';

/** Whether a body looks like a session transcript of Claude Code: lines with a session, a time and an API message. */
export function isTranscript(head: string): boolean {
  const lines = head.slice(0, SNIFFED_CHARACTERS).split('\n', SNIFFED_LINES);
  return lines.some((line) => isMessageLine(parseJson(line.replace(/^\ufeff/, ''))));
}

function isMessageLine(value: Json | undefined): value is JsonObject & { message: JsonObject } {
  return (
    isJsonObject(value) &&
    (value.type === 'user' || value.type === 'assistant') &&
    typeof value.sessionId === 'string' &&
    value.sessionId !== '' &&
    typeof value.uuid === 'string' &&
    isJsonObject(value.message)
  );
}

/**
 * A transcript as one trace a session: what people said, what the model answered (one answer of the API is split over
 * lines that share its id and repeat its usage), and each tool call with its result. Other lines tell of no step and are
 * passed over; a line that is no JSON costs only itself.
 */
export function decodeTranscript(text: string): Decoded {
  const sessions = new Map<string, Session>();
  const refusals: Refusal[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const value = parseJson(line.replace(/^\ufeff/, ''));
    if (value === undefined) refusals.push({ pointer: `line ${at + 1}`, message: 'not JSON' });
    if (!isMessageLine(value)) continue;
    const timeNs = readTimestampNs(typeof value.timestamp === 'string' ? value.timestamp : '');
    if (timeNs === null) {
      refusals.push({ pointer: `line ${at + 1}/timestamp`, message: 'must be an RFC 3339 time' });
      continue;
    }
    const id = value.sessionId as string;
    const session = sessions.get(id) ?? new Session(id, timeNs);
    sessions.set(id, session);
    session.take(value, timeNs);
  }
  return { spans: [...sessions.values()].flatMap((session) => session.spans()), refusals };
}

type Part = { type: string; [key: string]: Json };

interface Answer {
  span: Span;
  parts: Part[];
}

/** Who a line is of, and the span it stands below. */
interface StepAgent {
  name: string;
  parentId: string | null;
  isMain: boolean;
}

class Session {
  readonly #session: TranscriptSession;
  readonly #root: Span;
  readonly #steps: Span[] = [];
  readonly #answers = new Map<string, Answer>();
  /** Subagents by id, each over all of its steps. */
  readonly #subagents = new Map<string, Span>();
  #hasMainLines = false;
  /** Of the line that is read. */
  #directory: string | null = null;
  readonly #calls = new Map<string, Span>();

  constructor(id: string, startNs: bigint) {
    this.#session = { id, framework: 'claude-code', scope: SCOPE };
    const around = { name: MAIN_AGENT, parentId: null, isMain: true };
    this.#root = this.#span(sessionRootId(id), startNs, 'Claude Code session', around, { [MISSTEP.stepKind]: 'agent' });
  }

  take(line: JsonObject & { message: JsonObject }, timeNs: bigint): void {
    this.#directory = textOf(line.cwd) ?? this.#directory;
    const agent = this.#agentOf(line, timeNs);
    const blocks = blocksOf(line.message.content);
    if (line.type === 'assistant') this.#takeAnswer(line, blocks, timeNs, agent);
    else this.#takeWords(line, blocks, timeNs, agent);
    if ((this.#root.endNs ?? 0n) < timeNs) this.#root.endNs = timeNs;
  }

  /** A subagent's steps stand below it; lines of older versions do not say which one it was. */
  #agentOf({ isSidechain, agentId }: JsonObject, timeNs: bigint): StepAgent {
    const main = { name: MAIN_AGENT, parentId: this.#root.spanId, isMain: true };
    if (isSidechain !== true) {
      this.#hasMainLines = true;
      return main;
    }
    const id = textOf(agentId);
    if (id === null) return { ...main, name: SIDE_AGENT, isMain: false };
    let span = this.#subagents.get(id);
    if (span === undefined) {
      span = this.#span(subagentSpanId(this.#session.id, id), timeNs, SIDE_AGENT, main, {
        [MISSTEP.stepKind]: 'agent',
      });
      span.attributes['gen_ai.agent.name'] = SIDE_AGENT;
      this.#subagents.set(id, span);
    }
    span.endNs = timeNs;
    return { name: SIDE_AGENT, parentId: span.spanId, isMain: false };
  }

  /** The file of a subagent alone says nothing of the session around it: its own file tells that. */
  spans(): Span[] {
    for (const { span, parts } of this.#answers.values())
      span.attributes['gen_ai.output.messages'] = JSON.stringify([{ role: 'assistant', parts }]);
    this.#root.attributes[MISSTEP.sessionId] = this.#session.id;
    const around = this.#hasMainLines || this.#subagents.size === 0 ? [this.#root] : [];
    return [...around, ...this.#subagents.values(), ...this.#steps];
  }

  #takeAnswer(
    { uuid, requestId, message }: JsonObject & { message: JsonObject },
    blocks: JsonObject[],
    timeNs: bigint,
    agent: StepAgent,
  ): void {
    const key = textOf(message.id) ?? (uuid as string);
    const known = this.#answers.get(key);
    const answer = known ?? {
      span: this.#span(modelCallSpanId(this.#session.id, textOf(requestId) ?? key), timeNs, 'chat', agent, {}),
      parts: [],
    };
    if (!known) {
      this.#answers.set(key, answer);
      this.#steps.push(answer.span);
    }
    answer.span.endNs = timeNs;
    // Usage is repeated on every line, and the last one is complete.
    Object.assign(answer.span.attributes, modelAttributes(message));
    for (const block of blocks) {
      const part = partOf(block);
      if (part !== null) answer.parts.push(part);
      if (block.type === 'tool_use') this.#openCall(block, timeNs, agent);
    }
  }

  #openCall({ id, name, input }: JsonObject, timeNs: bigint, agent: StepAgent): void {
    if (typeof id !== 'string' || this.#calls.has(id)) return;
    const tool = textOf(name) ?? 'tool';
    const span = this.#span(toolSpanId(this.#session.id, id), timeNs, tool, agent, {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': id,
      'gen_ai.tool.call.arguments': JSON.stringify(input ?? null),
    });
    this.#calls.set(id, span);
    this.#steps.push(span);
  }

  #takeWords({ uuid, isMeta, promptId }: JsonObject, blocks: JsonObject[], timeNs: bigint, agent: StepAgent): void {
    for (const block of blocks) if (block.type === 'tool_result') this.#closeCall(block, timeNs);
    const words = blocks.flatMap((block) => (block.type === 'text' ? (textOf(block.text) ?? []) : [])).join('\n');
    if (words === '' || isMeta === true) return;
    if (agent.isMain) this.#root.attributes[MISSTEP.task] ??= words;
    const said = JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: words }] }]);
    const attributes = { [MISSTEP.stepKind]: 'message', 'gen_ai.output.messages': said };
    const spanId =
      textOf(promptId) === null
        ? spanIdOf(this.#session.id, 'line', uuid as string)
        : promptSpanId(this.#session.id, promptId as string);
    const span = this.#span(spanId, timeNs, 'prompt', agent, attributes);
    delete span.attributes['gen_ai.agent.name'];
    this.#steps.push(span);
  }

  #closeCall({ tool_use_id, content, is_error }: JsonObject, timeNs: bigint): void {
    const span = this.#calls.get(typeof tool_use_id === 'string' ? tool_use_id : '');
    if (span === undefined) return;
    const result = typeof content === 'string' ? content : resultText(content);
    span.endNs = timeNs;
    span.attributes['gen_ai.tool.call.result'] = result;
    if (is_error === true) span.status = { code: 2, message: result.slice(0, 1000) };
  }

  #span(spanId: string, timeNs: bigint, name: string, agent: StepAgent, attributes: Attributes): Span {
    const step = { spanId, parentId: agent.parentId, name, timeNs, directory: this.#directory };
    return transcriptSpan(this.#session, step, { 'gen_ai.agent.name': agent.name, ...attributes });
  }
}

function blocksOf(content: Json | undefined): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isJsonObject) : [];
}

function partOf(block: JsonObject): Part | null {
  if (block.type === 'text' && typeof block.text === 'string') return { type: 'text', content: block.text };
  if (block.type !== 'tool_use') return null;
  return { type: 'tool_call', id: block.id ?? null, name: block.name ?? null, arguments: block.input ?? null };
}

/** Tokens read from or written to the prompt cache are part of the input. */
function modelAttributes(message: JsonObject): Attributes {
  const usage = isJsonObject(message.usage) ? message.usage : {};
  const input = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'].map((name) => usage[name]);
  const attributes: Record<string, Json> = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'anthropic',
    'gen_ai.request.model': textOf(message.model),
    'gen_ai.usage.input_tokens': sumOf(input),
    'gen_ai.usage.output_tokens': sumOf([usage.output_tokens]),
    'gen_ai.response.finish_reasons': typeof message.stop_reason === 'string' ? [message.stop_reason] : null,
  };
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));
}

function sumOf(values: (Json | undefined)[]): number | null {
  const counts = values.filter((value): value is number => typeof value === 'number' && value >= 0);
  return counts.length === 0 ? null : counts.reduce((sum, value) => sum + value, 0);
}

function resultText(content: Json | undefined): string {
  const blocks = blocksOf(content);
  return blocks.map((block) => textOf(block.text) ?? `[${textOf(block.type) ?? 'content'}]`).join('\n');
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
