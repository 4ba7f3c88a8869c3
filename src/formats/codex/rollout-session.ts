import type { Json, JsonObject } from '../../core/json.ts';
import type { Attributes, Span } from '../../core/span.ts';
import type { SessionEnd, StepKind } from '../../core/trace.ts';
import { contentText, textOf } from '../coding-session/fields.ts';
import { promptSpanId, sessionRootId, spanIdOf, toolSpanId } from '../hooks/session-span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { RejectedRecords } from '../misstep/rejected-records.ts';
import { textMessage } from '../misstep/text-message.ts';
import { type TranscriptSession, transcriptSpan } from '../misstep/transcript-span.ts';
import { endOfError, isInstruction, promptText, teamMessage, titleOf, userItemText } from './message-text.ts';
import type { SessionMeta } from './session-meta.ts';
import { TokenUsage } from './token-usage.ts';
import { ToolCalls } from './tool-calls.ts';

const SCOPE = { name: 'codex.rollout', version: '' };
const AGENT = 'codex';
const MAX_MESSAGE_LENGTH = 1000;
const MAX_TOOL_LIST_LENGTH = 4000;
const CHAT = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'openai' };

type Part = { type: string; [key: string]: Json };

/** The steps of one session, collected line by line. */
export class RolloutSession {
  readonly meta: SessionMeta;
  readonly #session: TranscriptSession;
  readonly #root: Span;
  readonly #hasUserEvents: boolean;
  readonly #steps: Span[] = [];
  readonly #usage = new TokenUsage();
  readonly #rejected = new RejectedRecords();
  readonly #tools: ToolCalls;
  /** Number of steps of a name with the same start time. It identifies steps without an id, also if the file is read again. */
  readonly #moments = new Map<string, number>();
  #model: string | null = null;
  #directory: string | null;
  #turnId: string | null = null;
  #end: SessionEnd = 'unknown';
  /** Whether the model marked its last message as the final answer. Files may lack the end of their last turn. */
  #hasFinalAnswer = false;
  /** The model's answer, until its usage or a result follows. */
  #answer: { span: Span; parts: Part[] } | null = null;
  #uncounted: Span | null = null;
  #compaction: Span | null = null;

  /** @param hasUserEvents whether events report user messages; the bare history mixes them with instructions */
  constructor(meta: SessionMeta, startNs: bigint, hasUserEvents: boolean) {
    this.meta = meta;
    this.#session = { id: meta.id, framework: AGENT, scope: SCOPE };
    this.#directory = meta.directory;
    this.#hasUserEvents = hasUserEvents;
    this.#root = { ...this.#span(sessionRootId(meta.id), startNs, 'Codex session', 'agent', {}), parentSpanId: null };
    this.#tools = new ToolCalls(
      (call) => this.#toolSpan(call),
      (callId) => toolSpanId(meta.id, callId),
    );
  }

  spans(): Span[] {
    this.#closeAnswer();
    const { directory, branch, parentId, nickname, agentPath } = this.meta;
    const facts: Record<string, string | null> = {
      [MISSTEP.sessionTitle]: titleOf(nickname, agentPath),
      [MISSTEP.sessionProject]: directory,
      [MISSTEP.sessionBranch]: branch,
      [MISSTEP.sessionParentId]: parentId,
      [MISSTEP.sessionEndedBy]: this.#end === 'unknown' && this.#hasFinalAnswer ? 'completed' : this.#end,
    };
    for (const [key, value] of Object.entries(facts)) if (value !== null) this.#root.attributes[key] = value;
    Object.assign(this.#root.attributes, this.#rejected.attributes());
    return [this.#root, ...this.#steps.filter((span) => !this.#tools.hidden.has(span))];
  }

  /** Records that a line was rejected after the lines read so far. */
  reject(): void {
    this.#rejected.add(this.#root.endNs);
  }

  /** A line copied from the parent's session. Only its effect on the state is used. */
  addHistory(type: string, payload: JsonObject): void {
    if (type === 'turn_context') this.#setContext(payload);
    else if (type === 'event_msg/token_count') this.#usage.usageOf(payload.info);
  }

  addLine(type: string, payload: JsonObject, timeNs: bigint): void {
    if ((this.#root.endNs ?? 0n) < timeNs) this.#root.endNs = timeNs;
    const [group, kind] = type.split('/', 2) as [string, string | undefined];
    if (type === 'turn_context') this.#setContext(payload);
    else if (type === 'compacted') this.#addCompaction(timeNs);
    else if (group === 'response_item') this.#addItem(kind ?? '', payload, timeNs);
    else if (group === 'event_msg') this.#addEvent(kind ?? '', payload, timeNs);
  }

  #addItem(kind: string, payload: JsonObject, timeNs: bigint): void {
    if (kind === 'message') this.#addMessage(payload, timeNs);
    else if (kind === 'agent_message') this.#addTeamMessage(payload, timeNs);
    else if (kind.endsWith('_call')) this.#openCall(kind, payload, timeNs);
    else if (/_(?:call_output|search_output)$/.test(kind)) this.#closeCall(payload, timeNs);
  }

  #addEvent(kind: string, payload: JsonObject, timeNs: bigint): void {
    if (kind === 'user_message') this.#addPrompt(textOf(payload.message), timeNs);
    else if (kind === 'item_completed' && userItemText(payload) !== null)
      this.#addPrompt(userItemText(payload), timeNs);
    else if (kind === 'token_count') this.#addUsage(payload, timeNs);
    else if (kind === 'task_started') this.#beginTurn(payload);
    else if (kind === 'task_complete') this.#end = this.#end === 'unknown' ? 'completed' : this.#end;
    else if (kind === 'turn_aborted') this.#addAbort(payload, timeNs);
    else if (kind === 'error') this.#addError(payload, timeNs);
    else if (kind === 'sub_agent_activity') this.#addTeamActivity(payload, timeNs);
    else this.#tools.report(kind, payload, timeNs);
  }

  #beginTurn(payload: JsonObject): void {
    this.#turnId = textOf(payload.turn_id);
    this.#continue();
  }

  /** The session continues: the end of its last turn was not the end of the session. */
  #continue(): void {
    this.#end = 'unknown';
    this.#hasFinalAnswer = false;
    this.#root.status = { code: 0, message: '' };
  }

  #setContext(payload: JsonObject): void {
    this.#model = textOf(payload.model) ?? this.#model;
    this.#directory = textOf(payload.cwd) ?? this.#directory;
    this.#turnId = textOf(payload.turn_id) ?? this.#turnId;
  }

  #addPrompt(messageText: string | null, timeNs: bigint): void {
    if (messageText === null) return;
    this.#closeAnswer();
    this.#continue();
    this.#root.attributes[MISSTEP.task] ??= promptText(messageText);
    this.#messageStep(this.#promptId(timeNs), 'user', messageText, timeNs);
  }

  /** The turn id names its first prompt, also in hooks. */
  #promptId(timeNs: bigint): string {
    const isFirst = this.#turnId !== null && !this.#moments.has(`prompt ${this.#turnId}`);
    if (!isFirst) return this.#momentId('user', timeNs);
    this.#moments.set(`prompt ${this.#turnId}`, 1);
    return promptSpanId(this.#session.id, this.#turnId!);
  }

  #messageStep(spanId: string, name: string, messageText: string, timeNs: bigint): void {
    const messageJson = textMessage('user', messageText);
    const span = this.#span(spanId, timeNs, name, 'message', { 'gen_ai.output.messages': messageJson });
    delete span.attributes['gen_ai.agent.name'];
    this.#steps.push(span);
  }

  #addMessage({ role, content, phase }: JsonObject, timeNs: bigint): void {
    const messageText = contentText(content);
    if (messageText === '') return;
    if (role === 'assistant') {
      this.#hasFinalAnswer = phase === 'final_answer';
      this.#openAnswer(timeNs).parts.push({ type: 'text', content: messageText });
    }
    if (role === 'user' && !this.#hasUserEvents && !isInstruction(promptText(messageText)))
      this.#addPrompt(messageText, timeNs);
  }

  /** A message of another agent of the team; the first such message is a subagent's task. */
  #addTeamMessage(payload: JsonObject, timeNs: bigint): void {
    const messageText = teamMessage(payload);
    if (messageText === '') return;
    this.#closeAnswer();
    if (this.meta.parentId !== null) this.#root.attributes[MISSTEP.task] ??= messageText;
    this.#messageStep(this.#momentId('agent_message', timeNs), 'agent_message', messageText, timeNs);
  }

  #addTeamActivity({ kind, agent_path: path }: JsonObject, timeNs: bigint): void {
    const name = ['subagent', textOf(kind), textOf(path)].filter((word) => word !== null).join(' ');
    this.#step(name, timeNs, 'other', {});
  }

  #openAnswer(timeNs: bigint): { span: Span; parts: Part[] } {
    if (this.#answer === null) {
      const span = this.#step('chat', timeNs, 'llm', CHAT);
      span.attributes[MISSTEP.messageId] = span.spanId;
      if (this.#model !== null) span.attributes['gen_ai.request.model'] = this.#model;
      this.#answer = { span, parts: [] };
      this.#uncounted = span;
    }
    this.#answer.span.endNs = timeNs;
    return this.#answer;
  }

  #closeAnswer(): void {
    const { span, parts } = this.#answer ?? {};
    if (span && parts && parts.length > 0)
      span.attributes['gen_ai.output.messages'] = JSON.stringify([{ role: 'assistant', parts }]);
    this.#answer = null;
  }

  #openCall(kind: string, payload: JsonObject, timeNs: bigint): void {
    const id = textOf(payload.call_id) ?? textOf(payload.id) ?? this.#momentId(kind, timeNs);
    if (this.#tools.has(id)) return;
    this.#hasFinalAnswer = false;
    const name = textOf(payload.name) ?? CALL_NAMES[kind] ?? kind.replace(/_call$/, '');
    const given = payload.arguments ?? payload.input ?? payload.action ?? null;
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    this.#openAnswer(timeNs).parts.push({ type: 'tool_call', id, name, arguments: text });
    this.#tools.open(id, name, text, timeNs);
  }

  #toolSpan(call: { id: string; name: string; arguments: string; timeNs: bigint }): Span {
    const span = this.#span(toolSpanId(this.#session.id, call.id), call.timeNs, call.name, 'tool', {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': call.name,
      'gen_ai.tool.call.id': call.id,
      'gen_ai.tool.call.arguments': call.arguments,
      ...(this.#answer === null ? {} : { [MISSTEP.messageId]: this.#answer.span.spanId }),
    });
    this.#steps.push(span);
    return span;
  }

  #closeCall(payload: JsonObject, timeNs: bigint): void {
    // A new answer begins after a result, even without a token count in between.
    this.#closeAnswer();
    const { output, tools } = payload;
    const found = tools === undefined ? null : JSON.stringify(tools).slice(0, MAX_TOOL_LIST_LENGTH);
    this.#tools.close(textOf(payload.call_id) ?? '', output ?? found, timeNs);
  }

  /** A token count follows its answer. Without a written answer, the count alone makes a model call. */
  #addUsage({ info }: JsonObject, timeNs: bigint): void {
    const usage = this.#usage.usageOf(info);
    if (usage === null) {
      if (this.#compaction !== null && this.#usage.contextTokens !== null)
        this.#compaction.attributes[MISSTEP.compactionTokensAfter] = this.#usage.contextTokens;
      this.#compaction = null;
      return;
    }
    const span = this.#uncounted ?? this.#openAnswer(timeNs).span;
    Object.assign(span.attributes, usage);
    this.#uncounted = null;
    this.#closeAnswer();
  }

  #addCompaction(timeNs: bigint): void {
    this.#closeAnswer();
    this.#uncounted = null;
    this.#compaction = this.#step('compaction', timeNs, 'other', {});
    const { contextTokens } = this.#usage;
    if (contextTokens !== null) this.#compaction.attributes[MISSTEP.compactionTokensBefore] = contextTokens;
  }

  #addAbort({ reason }: JsonObject, timeNs: bigint): void {
    if (reason === 'replaced') return;
    this.#fail('interruption', timeNs, 'other', 'interrupted', reason);
    this.#end = reason === 'budget_limited' ? 'limit' : 'interrupted';
  }

  #addError(payload: JsonObject, timeNs: bigint): void {
    const span = this.#fail('chat', timeNs, 'llm', 'model_error', payload.message);
    this.#end = endOfError(payload);
    this.#root.status = span.status;
  }

  #fail(name: string, timeNs: bigint, kind: StepKind, type: string, messageJson: Json | undefined): Span {
    this.#closeAnswer();
    const span = this.#step(name, timeNs, kind, { 'error.type': type });
    span.status = { code: 2, message: (textOf(messageJson) ?? type).slice(0, MAX_MESSAGE_LENGTH) };
    return span;
  }

  #step(name: string, timeNs: bigint, kind: StepKind, attributes: Attributes): Span {
    const span = this.#span(this.#momentId(name, timeNs), timeNs, name, kind, { ...attributes });
    this.#steps.push(span);
    return span;
  }

  #momentId(name: string, timeNs: bigint): string {
    const moment = `${name} ${timeNs}`;
    const count = this.#moments.get(moment) ?? 0;
    this.#moments.set(moment, count + 1);
    return spanIdOf(this.#session.id, 'step', moment, count);
  }

  #span(spanId: string, timeNs: bigint, name: string, kind: StepKind, attributes: Attributes): Span {
    const parentId = sessionRootId(this.#session.id);
    const step = { spanId, parentId, name, timeNs, directory: this.#directory };
    return transcriptSpan(this.#session, step, {
      [MISSTEP.stepKind]: kind,
      [MISSTEP.sessionId]: this.#session.id,
      'gen_ai.agent.name': this.meta.nickname ?? AGENT,
      ...attributes,
    });
  }
}

const CALL_NAMES: Readonly<Record<string, string>> = { local_shell_call: 'shell', function_call: 'function' };
