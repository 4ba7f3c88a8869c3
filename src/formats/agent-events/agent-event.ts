import type { Json } from '../../core/json.ts';
import { type Attributes, type AttributeValue, msToNs, nsToMs, type Span } from '../../core/span.ts';
import type { SessionEnd, StepKind } from '../../core/trace.ts';
import { workingDirectoryOf } from '../coding-session/working-directory.ts';
import {
  answerSpanId,
  EVENT_SCOPE,
  modelCallSpanId,
  promptSpanId,
  sessionRootId,
  sessionTraceId,
  spanIdOf,
  toolSpanId,
} from '../hooks/session-span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { textMessage } from '../misstep/text-message.ts';
import type { LogRecord } from '../otlp/log-record.ts';

const SCOPE = { name: EVENT_SCOPE, version: '1' };

export interface EventError {
  type: string;
  message: string;
}

/** A tool call as reported by an event of an agent. */
export interface EventToolCall {
  name: string | null;
  callId: string | null;
  error: EventError | null;
  attributes: Record<string, Json>;
}

/** One log record of a coding agent, with methods that create the spans of its session. */
export class AgentEvent {
  readonly #framework: string;
  readonly #attributes: Attributes;
  readonly #sessionId: string;
  readonly #endNs: bigint;
  readonly #directory: string | null;

  /** @param receivedAtMs Unix milliseconds, for a record without a time */
  constructor(framework: string, sessionId: string, { attributes, resource, timeNs }: LogRecord, receivedAtMs: number) {
    this.#framework = framework;
    this.#attributes = attributes;
    this.#sessionId = sessionId;
    this.#directory = workingDirectoryOf(attributes, resource);
    this.#endNs = timeNs === 0n ? msToNs(receivedAtMs) : timeNs;
  }

  text(name: string): string | null {
    return textAt(this.#attributes, name);
  }

  /** Agents send numbers as numbers or as text, depending on their version. */
  count(name: string): number | null {
    const value = this.#attributes[name];
    const number = typeof value === 'string' && value !== '' ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
  }

  isSuccess(): boolean {
    const flag = this.#attributes.success;
    return flag !== false && flag !== 'false';
  }

  /** Agents log the text of a prompt only if the user allows it. */
  prompt(promptId: string | null, messageText: string | null): Span {
    return this.span(
      promptId === null ? this.ownId('prompt') : promptSpanId(this.#sessionId, promptId),
      'message',
      'prompt',
      null,
      {
        [MISSTEP.task]: messageText,
        'gen_ai.output.messages': messageText === null ? null : textMessage('user', messageText),
      },
    );
  }

  /** The session starts to work, or resumes. */
  root(): Span {
    return { ...this.#rootWith('unknown'), startNs: this.#endNs, endNs: null };
  }

  /** The session is idle, for example after a model's answer; a later event reopens it. */
  rootEnd(endedBy: SessionEnd): Span {
    return { ...this.#rootWith(endedBy), startNs: 0n };
  }

  #rootWith(endedBy: SessionEnd): Span {
    const span = this.span(sessionRootId(this.#sessionId), 'agent', this.#framework, null, {
      [MISSTEP.sessionEndedBy]: endedBy,
      [MISSTEP.isTimeMeasured]: null,
      [MISSTEP.workingDirectory]: this.#directory,
      [MISSTEP.sessionProject]: this.#directory,
    });
    return { ...span, parentSpanId: null };
  }

  /** A text of the model. An agent's `Stop` hook with the same prompt and text gives the same span. */
  answer(promptId: string | null, messageText: string): Span {
    const id = promptId === null ? this.ownId('answer') : answerSpanId(this.#sessionId, null, promptId, messageText);
    return this.span(id, 'llm', 'answer', null, {
      'gen_ai.operation.name': 'chat',
      'gen_ai.output.messages': textMessage('assistant', messageText),
    });
  }

  modelCall(requestId: string | null, error: EventError | null, attributes: Record<string, Json>): Span {
    const id = requestId === null ? this.ownId('chat', null) : modelCallSpanId(this.#sessionId, requestId);
    return this.span(id, 'llm', 'chat', error, {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': this.text('model'),
      ...attributes,
    });
  }

  toolCall({ name, callId, error, attributes }: EventToolCall): Span {
    const tool = name ?? 'tool';
    const id = callId === null ? this.ownId('tool', tool) : toolSpanId(this.#sessionId, callId);
    return this.span(id, 'tool', tool, error, {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': callId,
      ...attributes,
    });
  }

  /** Sequence number of the event; without a number, the time distinguishes events. */
  ownId(...parts: (string | null)[]): string {
    const sequence = this.count('event.sequence');
    const known = parts.map((part) => part ?? '');
    return spanIdOf(this.#sessionId, 'event', String(sequence ?? this.#endNs), ...known);
  }

  /** Attributes that are null are omitted. */
  span(spanId: string, kind: StepKind, name: string, error: EventError | null, attributes: Record<string, Json>): Span {
    const durationMs = this.count('duration_ms');
    const startMs = Math.max(nsToMs(this.#endNs) - (durationMs ?? 0), 0);
    const all: Record<string, Json> = {
      [MISSTEP.stepKind]: kind,
      [MISSTEP.framework]: this.#framework,
      [MISSTEP.sessionId]: this.#sessionId,
      'gen_ai.agent.name': this.#framework,
      'error.type': error?.type ?? null,
      [MISSTEP.isTimeMeasured]: durationMs === null ? null : true,
      ...attributes,
    };
    return {
      traceId: sessionTraceId(this.#sessionId),
      spanId,
      parentSpanId: sessionRootId(this.#sessionId),
      name,
      kind: 1,
      startNs: durationMs === null ? this.#endNs : msToNs(startMs),
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

/** Numbers are accepted as text: versions send a status code as either. */
export function textAt(attributes: Attributes, name: string): string | null {
  const value: AttributeValue | undefined = attributes[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}
