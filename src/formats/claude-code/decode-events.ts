import type { Json } from '../../core/json.ts';
import { type Attributes, type AttributeValue, type Decoded, msToNs, nsToMs, type Span } from '../../core/span.ts';
import type { StepKind } from '../../core/trace.ts';
import {
  EVENT_SCOPE,
  promptSpanId,
  sessionRootId,
  sessionTraceId,
  spanIdOf,
  toolSpanId,
} from '../hooks/session-span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import type { LogRecord } from '../otlp/log-record.ts';

const AGENT = 'claude-code';
const PREFIX = 'claude_code.';
const SCOPE = { name: EVENT_SCOPE, version: '1' };

export interface DecodedEvents extends Decoded {
  /** Records of other programs, and events that tell of no step. */
  ignored: number;
}

/**
 * Claude Code's telemetry events (prompts, model calls and their errors, tool results and refusals) as spans of their
 * session's trace, the one that its hooks tell of too. Records of anything else are counted and left.
 *
 * @param receivedAtMs Unix milliseconds, for records without a time
 */
export function decodeAgentEvents(records: readonly LogRecord[], receivedAtMs: number): DecodedEvents {
  const decoded: DecodedEvents = { spans: [], refusals: [], ignored: 0 };
  for (const record of records) {
    const read = eventNameOf(record);
    const make = read === null ? undefined : EVENTS[read];
    const sessionId = textAt(record.attributes, 'session.id');
    if (make === undefined) decoded.ignored += 1;
    else if (sessionId === null)
      decoded.refusals.push({ pointer: `${record.pointer}/attributes`, message: 'session.id must be a text' });
    else decoded.spans.push(...make(new AgentEvent(record, sessionId, receivedAtMs)));
  }
  return decoded;
}

/** By its own name, by the attribute `event.name` with or without prefix, or by its body, as versions differ. */
function eventNameOf({ eventName, attributes, body, resource, scope }: LogRecord): string | null {
  const names = [eventName, textAt(attributes, 'event.name'), typeof body === 'string' ? body : null];
  const prefixed = names.find((name) => name?.startsWith(PREFIX));
  if (prefixed) return prefixed.slice(PREFIX.length);
  const isOurs = scope.name.includes('claude_code') || textAt(resource, 'service.name') === AGENT;
  return isOurs ? (names.find((name) => name !== null && name !== '') ?? null) : null;
}

const EVENTS: Readonly<Record<string, (event: AgentEvent) => Span[]>> = {
  user_prompt: (event) => [event.prompt(), event.root()],
  api_request: (event) => [event.modelCall(null)],
  api_error: (event) => [event.modelCall(event.errorOf('api_error'))],
  tool_result: (event) => [event.toolCall(event.isSuccess() ? null : event.errorOf('tool_error'))],
  tool_decision: (event) => (event.text('decision') === 'reject' ? [event.toolCall(event.refusal())] : []),
};

interface EventError {
  type: string;
  message: string;
}

class AgentEvent {
  readonly #attributes: Attributes;
  readonly #sessionId: string;
  readonly #endNs: bigint;

  constructor({ attributes, timeNs }: LogRecord, sessionId: string, receivedAtMs: number) {
    this.#attributes = attributes;
    this.#sessionId = sessionId;
    this.#endNs = timeNs === 0n ? msToNs(receivedAtMs) : timeNs;
  }

  text(name: string): string | null {
    return textAt(this.#attributes, name);
  }

  /** The prompt's words are only there where the user lets them be logged. */
  prompt(): Span {
    const said = this.text('prompt');
    const words = said === null || said === '<REDACTED>' ? null : said;
    const id = this.text('prompt.id');
    return this.#span(
      id === null ? this.#ownId('prompt') : promptSpanId(this.#sessionId, id),
      'message',
      'prompt',
      null,
      {
        [MISSTEP.task]: words,
        'gen_ai.output.messages':
          words === null ? null : JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: words }] }]),
      },
    );
  }

  root(): Span {
    const span = this.#span(sessionRootId(this.#sessionId), 'agent', AGENT, null, {});
    return { ...span, endNs: null, parentSpanId: null };
  }

  /** Tokens read from or written to the prompt cache are part of the input. */
  modelCall(error: EventError | null): Span {
    const input = ['input_tokens', 'cache_read_tokens', 'cache_creation_tokens'].map((name) => this.#count(name));
    const counted = input.filter((count) => count !== null);
    return this.#span(this.#ownId('chat', this.text('request_id')), 'llm', 'chat', error, {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.request.model': this.text('model'),
      'gen_ai.usage.input_tokens': counted.length === 0 ? null : counted.reduce((sum, count) => sum + count, 0),
      'gen_ai.usage.output_tokens': this.#count('output_tokens'),
      'gen_ai.usage.cache_read.input_tokens': this.#count('cache_read_tokens'),
      [MISSTEP.costUsd]: this.#count('cost_usd'),
    });
  }

  toolCall(error: EventError | null): Span {
    const name = this.text('tool_name') ?? 'tool';
    const id = this.text('tool_use_id');
    return this.#span(id === null ? this.#ownId('tool', name) : toolSpanId(this.#sessionId, id), 'tool', name, error, {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': id,
      'gen_ai.tool.call.arguments': this.text('tool_input') ?? this.text('tool_parameters'),
    });
  }

  isSuccess(): boolean {
    const said = this.#attributes.success;
    return said !== false && said !== 'false';
  }

  errorOf(otherwise: string): EventError {
    const message = this.text('error') ?? this.text('error_message') ?? '';
    return { type: this.text('status_code') ?? this.text('error_type') ?? otherwise, message };
  }

  refusal(): EventError {
    return { type: 'permission_denied', message: `refused by ${this.text('source') ?? 'the user'}` };
  }

  /** The sender numbers its events; without a number the time must tell them apart. */
  #ownId(...parts: (string | null)[]): string {
    const sequence = this.#count('event.sequence');
    const known = parts.map((part) => part ?? '');
    return spanIdOf(this.#sessionId, 'event', String(sequence ?? this.#endNs), ...known);
  }

  /** Numbers come as numbers or as texts, as versions differ. */
  #count(name: string): number | null {
    const value = this.#attributes[name];
    const number = typeof value === 'string' && value !== '' ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
  }

  #span(
    spanId: string,
    kind: StepKind,
    name: string,
    error: EventError | null,
    attributes: Record<string, Json>,
  ): Span {
    const startMs = Math.max(nsToMs(this.#endNs) - (this.#count('duration_ms') ?? 0), 0);
    const all: Record<string, Json> = {
      [MISSTEP.stepKind]: kind,
      [MISSTEP.framework]: AGENT,
      [MISSTEP.sessionId]: this.#sessionId,
      'gen_ai.agent.name': AGENT,
      'error.type': error?.type ?? null,
      ...attributes,
    };
    return {
      traceId: sessionTraceId(this.#sessionId),
      spanId,
      parentSpanId: sessionRootId(this.#sessionId),
      name,
      kind: 1,
      startNs: this.#count('duration_ms') === null ? this.#endNs : msToNs(startMs),
      endNs: this.#endNs,
      status: error === null ? { code: 0, message: '' } : { code: 2, message: error.message },
      attributes: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)),
      events: [],
      links: [],
      resource: {},
      scope: SCOPE,
    };
  }
}

/** Numbers count as texts: a status code is one or the other. */
function textAt(attributes: Attributes, name: string): string | null {
  const value: AttributeValue | undefined = attributes[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}
