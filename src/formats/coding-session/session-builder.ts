import type { Json } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import type { SessionEnd } from '../../core/trace.ts';
import { promptSpanId, sessionRootId, sessionTraceId, spanIdOf, toolSpanId } from '../hooks/session-span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { RejectedRecords } from '../misstep/rejected-records.ts';
import { textMessage } from '../misstep/text-message.ts';
import { withoutNulls } from '../misstep/without-nulls.ts';
import { sessionName, titleOrNull } from './session-name.ts';
import type { CallEnd, CompactionStep, ModelCall, SessionInfo, SessionSource, ToolRequest } from './session-parts.ts';
import { isBareCommand, userText } from './user-text.ts';

const MAX_STATUS_LENGTH = 1000;
/** An inner agent: its name and the parent span of its steps. */
interface InnerAgent {
  name: string;
  span: Span;
}

/**
 * Builds the spans of one session of a coding agent from its file, in order. Ids are derived from the session id and the
 * ids of its calls and messages, so that hooks, logs and transcripts of a session give one trace.
 */
export class SessionBuilder {
  readonly #source: SessionSource;
  readonly #id: string;
  readonly #root: Span;
  readonly #steps: Span[] = [];
  readonly #calls = new Map<string, Span>();
  readonly #agents = new Map<string, InnerAgent>();
  readonly #rejected = new RejectedRecords();
  #info: SessionInfo = {};
  #task: string | null = null;
  #endedBy: SessionEnd = 'unknown';
  #knownEnd: SessionEnd | null = null;

  constructor(source: SessionSource, id: string, startNs: bigint) {
    this.#source = source;
    this.#id = id;
    this.#root = this.#span(sessionRootId(id), '', startNs, null, { [MISSTEP.stepKind]: 'agent' });
    this.#root.parentSpanId = null;
  }

  get hasSteps(): boolean {
    return this.#steps.length > 0;
  }

  /** Adds facts about the session; null and missing members change nothing. */
  describe(info: SessionInfo): void {
    const known = Object.entries(info).filter(([, value]) => value != null);
    this.#info = { ...this.#info, ...Object.fromEntries(known) };
  }

  /** Records that the session was active at this time. */
  touch(timeNs: bigint): void {
    if (timeNs < this.#root.startNs) this.#root.startNs = timeNs;
    if ((this.#root.endNs ?? 0n) < timeNs) this.#root.endNs = timeNs;
  }

  /** Records that a part of the file was rejected after the parts read so far. */
  reject(): void {
    this.#rejected.add(this.#root.endNs);
  }

  /** Records how the session ended if the file states it; otherwise the last step decides. */
  endWith(end: SessionEnd): void {
    this.#knownEnd = end;
  }

  prompt(key: string, prompted: string, timeNs: bigint): void {
    const text = userText(prompted);
    if (text === '') return;
    if (this.#task === null || isBareCommand(this.#task)) this.#task = text;
    this.#endedBy = 'unknown';
    this.#message(promptSpanId(this.#id, key), 'user', text, timeNs);
  }

  /** An action of the user or a message of the agent's program that is not a request. */
  remark(key: string, name: string, text: string, timeNs: bigint): void {
    this.#message(spanIdOf(this.#id, 'remark', key), name, text, timeNs);
  }

  modelCall(call: ModelCall): void {
    const span = this.#span(spanIdOf(this.#id, 'model', call.key), 'chat', call.startNs, call.agent ?? null, {
      [MISSTEP.stepKind]: 'llm',
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': call.provider ?? null,
      'gen_ai.request.model': call.model,
      'gen_ai.output.messages': answerOf(call),
      'gen_ai.response.finish_reasons': call.finishReason == null ? null : [call.finishReason],
      ...usageAttributes(call),
    });
    span.endNs = call.endNs;
    if (call.error != null) {
      span.status = failed(call.error);
      span.attributes['error.type'] = 'model_error';
    }
    this.#steps.push(span);
    this.touch(call.endNs);
    if (call.agent == null) this.#endedBy = endOf(call);
  }

  openCall(request: ToolRequest): void {
    if (this.#calls.has(request.id)) return;
    const span = this.#span(toolSpanId(this.#id, request.id), request.name, request.timeNs, request.agent ?? null, {
      [MISSTEP.stepKind]: 'tool',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': request.name,
      'gen_ai.tool.call.id': request.id,
      'gen_ai.tool.call.arguments': jsonText(request.arguments),
      [MISSTEP.messageId]: request.messageId ?? null,
    });
    this.#calls.set(request.id, span);
    this.#steps.push(span);
    this.touch(request.timeNs);
    if (request.agent == null) this.#endedBy = 'unknown';
  }

  /** A requested call starts to run. */
  startCall(id: string, timeNs: bigint): void {
    const span = this.#calls.get(id);
    if (span === undefined || timeNs < span.startNs) return;
    span.startNs = timeNs;
    span.endNs = timeNs;
  }

  /** The agent declares the end of its turn. Its last message is not considered. */
  finishTurn(): void {
    if (this.#endedBy === 'unknown') this.#endedBy = 'completed';
  }

  /** The result of a call; false if no such call was opened. */
  closeCall(id: string, end: CallEnd): boolean {
    const span = this.#calls.get(id);
    if (span === undefined) return false;
    if (end.startNs != null) span.startNs = end.startNs;
    span.endNs = end.timeNs < span.startNs ? span.startNs : end.timeNs;
    const exitCode = end.exitCode ?? null;
    const hasFailed = end.isError === true || (exitCode !== null && exitCode !== 0) || end.refusal != null;
    // A program that flags success for a failed command only means that the tool itself worked.
    const isError = end.isError === false && hasFailed ? null : (end.isError ?? null);
    Object.assign(
      span.attributes,
      withoutNulls({
        'gen_ai.tool.call.result': end.result,
        [MISSTEP.toolIsError]: isError,
        [MISSTEP.toolExitCode]: exitCode,
        [MISSTEP.refusedBy]: end.refusal?.by ?? null,
        [MISSTEP.refusalReason]: end.refusal?.reason ?? null,
      }),
    );
    if (hasFailed) span.status = failed(end.error ?? end.result);
    this.touch(span.endNs);
    if (end.refusal?.by === 'user') this.#endedBy = 'refused';
    return true;
  }

  compaction({ key, timeNs, trigger, tokensBefore, tokensAfter }: CompactionStep): void {
    this.#steps.push(
      this.#span(spanIdOf(this.#id, 'compaction', key), 'compaction', timeNs, null, {
        [MISSTEP.stepKind]: 'other',
        [MISSTEP.compactionTrigger]: trigger,
        [MISSTEP.compactionTokensBefore]: tokensBefore,
        [MISSTEP.compactionTokensAfter]: tokensAfter,
      }),
    );
    this.touch(timeNs);
  }

  interruption(key: string, timeNs: bigint): void {
    this.#steps.push(
      this.#span(spanIdOf(this.#id, 'interruption', key), 'interruption', timeNs, null, {
        [MISSTEP.stepKind]: 'other',
      }),
    );
    this.touch(timeNs);
    this.#endedBy = 'interrupted';
  }

  /** An agent inside the session; the steps with its key are below it. */
  agent(key: string, name: string, timeNs: bigint): void {
    if (this.#agents.has(key)) return;
    const span = this.#span(spanIdOf(this.#id, 'agent', key), name, timeNs, null, {
      [MISSTEP.stepKind]: 'agent',
      'gen_ai.agent.name': name,
    });
    this.#agents.set(key, { name, span });
  }

  endAgent(key: string, timeNs: bigint, error: string | null): void {
    const agent = this.#agents.get(key);
    if (agent === undefined) return;
    agent.span.endNs = timeNs;
    if (error !== null) agent.span.status = failed(error);
  }

  spans(): Span[] {
    const { project, branch, directory, parentId } = this.#info;
    const title = titleOrNull(this.#info.title ?? null);
    const endedBy = this.#knownEnd ?? this.#endedBy;
    const root: Span = {
      ...this.#root,
      name: sessionName(title, this.#task ?? this.#info.task ?? null, `${this.#source.product} session`),
      attributes: withoutNulls({
        ...this.#root.attributes,
        [MISSTEP.sessionId]: this.#id,
        [MISSTEP.task]: this.#task ?? this.#info.task ?? null,
        [MISSTEP.sessionTitle]: title,
        [MISSTEP.sessionProject]: project ?? directory ?? null,
        [MISSTEP.sessionBranch]: branch ?? null,
        [MISSTEP.sessionEndedBy]: endedBy,
        [MISSTEP.sessionParentId]: parentId ?? null,
        [MISSTEP.workingDirectory]: directory ?? null,
        [MISSTEP.costUsd]: this.#info.costUsd ?? null,
        'gen_ai.request.model': this.#info.model ?? null,
        'gen_ai.usage.input_tokens': this.#info.inputTokens ?? null,
        'gen_ai.usage.output_tokens': this.#info.outputTokens ?? null,
        ...this.#rejected.attributes(),
      }),
    };
    if (endedBy === 'api_error') root.status = failed(this.#lastError());
    return [root, ...[...this.#agents.values()].map(({ span }) => span), ...this.#steps];
  }

  #lastError(): string {
    return this.#steps.findLast(({ attributes }) => attributes['error.type'] === 'model_error')?.status.message ?? '';
  }

  #message(spanId: string, name: string, text: string, timeNs: bigint): void {
    const prompted = textMessage('user', text);
    const span = this.#span(spanId, name, timeNs, null, {
      [MISSTEP.stepKind]: 'message',
      'gen_ai.output.messages': prompted,
    });
    delete span.attributes['gen_ai.agent.name'];
    this.#steps.push(span);
    this.touch(timeNs);
  }

  #span(spanId: string, name: string, timeNs: bigint, agentKey: string | null, attributes: Record<string, Json>): Span {
    const { framework, scope, isTimeSynthetic } = this.#source;
    const agent = agentKey === null ? undefined : this.#agents.get(agentKey);
    return {
      traceId: sessionTraceId(this.#id),
      spanId,
      parentSpanId: agent?.span.spanId ?? sessionRootId(this.#id),
      name,
      kind: 1,
      startNs: timeNs,
      endNs: timeNs,
      status: { code: 0, message: '' },
      attributes: withoutNulls({
        [MISSTEP.framework]: framework,
        [MISSTEP.workingDirectory]: this.#info?.directory ?? null,
        [MISSTEP.isTimeSynthetic]: isTimeSynthetic === true ? true : null,
        'gen_ai.agent.name': agent?.name ?? framework,
        ...attributes,
      }),
      events: [],
      links: [],
      resource: { 'service.name': framework },
      scope: { name: scope, version: '' },
    };
  }
}

function answerOf({ text, calls }: ModelCall): string {
  const parts: Json[] = text.trim() === '' ? [] : [{ type: 'text', content: text }];
  for (const call of calls) parts.push({ type: 'tool_call', id: call.id, name: call.name, arguments: call.arguments });
  return JSON.stringify([{ role: 'assistant', parts }]);
}

function usageAttributes({ usage, costUsd }: ModelCall): Record<string, Json> {
  return {
    'gen_ai.usage.input_tokens': usage?.input ?? null,
    'gen_ai.usage.output_tokens': usage?.output ?? null,
    'gen_ai.usage.cache_read.input_tokens': usage?.cacheRead ?? null,
    'gen_ai.usage.cache_creation.input_tokens': usage?.cacheWrite ?? null,
    'gen_ai.usage.reasoning.output_tokens': usage?.reasoning ?? null,
    // Products write 0 for a model with an unknown price.
    [MISSTEP.costUsd]: costUsd ? costUsd : null,
  };
}

function endOf({ error, finishReason, text, calls }: ModelCall): SessionEnd {
  if (error != null) return 'api_error';
  if (finishReason === 'length' || finishReason === 'max_tokens') return 'limit';
  return calls.length === 0 && text.trim() !== '' ? 'completed' : 'unknown';
}

function failed(message: string): Span['status'] {
  return { code: 2, message: message.slice(0, MAX_STATUS_LENGTH).toWellFormed() };
}

function jsonText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
