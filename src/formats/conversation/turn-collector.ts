import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Rejection } from '../../core/span.ts';
import { answerText, type Part, readParts, type ToolAnswer, textOf } from './content-parts.ts';
import type { ReadTurn, RequestedTool } from './conversation.ts';
import { readTimeNs } from './time-of.ts';
import { readTool } from './tool-request.ts';
import { readUsage } from './usage.ts';

export type TurnKind = ReadTurn['kind'];

export interface CollectorOptions {
  /** Kind of a role; null if the format has no such role. */
  kindOf(role: string): TurnKind | null;
  /** Agent of an unnamed assistant. */
  agentOf(role: string): string;
}

/**
 * Creates turns from messages one by one. An unreadable message only affects itself; tool results are joined with their
 * calls.
 */
export class TurnCollector {
  readonly turns: ReadTurn[] = [];
  readonly rejections: Rejection[] = [];
  private readonly options: CollectorOptions;
  private pending: { call: RequestedTool; agent: string | null }[] = [];
  private agent: string | null = null;

  constructor(options: CollectorOptions) {
    this.options = options;
  }

  reject(pointer: string, message: string): void {
    this.rejections.push({ pointer, message });
  }

  /** Messages of a list; any other value is rejected. */
  addAll(messages: Json | undefined, pointer: string) {
    if (!Array.isArray(messages)) return this.reject(pointer, 'must be a list of messages');
    for (const [at, message] of messages.entries()) this.add(message, `${pointer}/${at}`);
  }

  add(message: Json, pointer: string) {
    if (!isJsonObject(message)) return this.reject(pointer, 'a message must be an object');
    const { role, content } = message;
    if (typeof role !== 'string' || role === '') return this.reject(`${pointer}/role`, 'must be a text');
    const kind = this.options.kindOf(role);
    if (kind === null) return this.reject(`${pointer}/role`, `unknown role ${role.slice(0, 40)}`);
    if (typeof content === 'number' || typeof content === 'boolean')
      return this.reject(`${pointer}/content`, 'must be a text or a list of parts');
    const head = this.headOf(message, role, kind);
    if (kind === 'tool') this.addAnswer(message, head, answerOf(message));
    else this.addParts(message, head, this.readableParts(readParts(content), `${pointer}/content`), pointer);
  }

  /** A turn without a message: an item of the responses API. */
  addCall(call: JsonObject, pointer: string, name?: string) {
    const read = readTool(name === undefined ? call : { ...call, name });
    if (read === null) return this.reject(pointer, 'a tool call must have a name');
    const last = this.turns.at(-1);
    if (last?.kind === 'llm') last.toolCalls.push(read);
    else this.turns.push({ ...this.headOf({}, 'assistant', 'llm'), toolCalls: [read] });
    this.pending.push({ call: read, agent: this.agent });
  }

  addCallAnswer(item: JsonObject, callId: string | null): void {
    const answer = { callId, content: answerText(item.output), isError: item.status === 'failed' };
    this.addAnswer(item, this.headOf({}, 'tool', 'tool'), answer);
  }

  /** The provider's facts about its answer belong to the last model turn. */
  closeAnswer(facts: Pick<ReadTurn, 'model' | 'usage' | 'finishReason' | 'atNs'>): void {
    const last = this.turns.findLast(({ kind }) => kind === 'llm');
    if (last === undefined) return;
    last.model = facts.model ?? last.model;
    last.usage = facts.usage ?? last.usage;
    last.finishReason = facts.finishReason ?? last.finishReason;
    last.atNs = last.atNs ?? facts.atNs;
  }

  /** The model of all turns without a model name. */
  setModel(model: string | null): void {
    for (const turn of this.turns) if (turn.kind === 'llm') turn.model ??= model;
  }

  private headOf(message: JsonObject, role: string, kind: TurnKind): ReadTurn {
    const name = typeof message.name === 'string' && message.name !== '' ? message.name : null;
    if (kind === 'llm') this.agent = name ?? this.options.agentOf(role);
    return {
      role,
      kind,
      participant: name ?? (kind === 'llm' ? this.agent! : role),
      agent: kind === 'message' ? null : this.agent,
      content: '',
      thinking: '',
      toolCalls: [],
      answered: null,
      isError: false,
      atNs: readTimeNs(message.timestamp ?? message.created_at),
      model: typeof message.model === 'string' ? message.model : null,
      usage: readUsage(message),
      finishReason: null,
    };
  }

  private readableParts(parts: readonly Part[], pointer: string): Part[] {
    return parts.filter((part, at) => {
      if (part.kind === 'rejected') this.reject(`${pointer}/${at}`, part.why);
      return part.kind !== 'rejected';
    });
  }

  /** Tool results among the parts become separate turns at their position; the rest belongs to the speaker. */
  private addParts(message: JsonObject, head: ReadTurn, parts: readonly Part[], pointer: string): void {
    let own: Part[] = [];
    let isFirst = true;
    const flush = () => {
      if (own.length > 0) this.addOwn(isFirst ? head : { ...head, usage: null }, own);
      isFirst = isFirst && own.length === 0;
      own = [];
    };
    for (const part of parts) {
      if (part.kind !== 'answer') own.push(part);
      else {
        flush();
        this.addAnswer({}, { ...head, role: 'tool', kind: 'tool', agent: this.agent, usage: null }, part.answer);
      }
    }
    own.push(...this.readableParts(callsOf(message), `${pointer}/tool_calls`), ...textBesideContent(message));
    if (parts.length === 0 && own.length === 0) this.addOwn(head, []);
    else flush();
  }

  private addOwn(head: ReadTurn, parts: readonly Part[]): void {
    const calls = parts.flatMap((part) => (part.kind === 'call' ? [part.call] : []));
    this.turns.push({ ...head, content: textOf(parts), thinking: textOf(parts, 'thinking'), toolCalls: calls });
    this.pending.push(...calls.map((call) => ({ call, agent: head.agent })));
  }

  private addAnswer({ name }: JsonObject, head: ReadTurn, { callId, content, isError }: ToolAnswer): void {
    const named = typeof name === 'string' && name !== '' ? name : null;
    const request = this.matchCall(callId, named);
    const answered = request?.call ?? { id: callId, name: named ?? 'tool', arguments: null };
    const agent = request?.agent ?? head.agent;
    this.turns.push({ ...head, agent, participant: answered.name, content, answered, isError });
  }

  /** By id; without one, the oldest open call with that name, or the oldest of all. */
  private matchCall(id: string | null, name: string | null) {
    const at = this.pending.findIndex(({ call }) =>
      id !== null && call.id !== null ? call.id === id : name === null || call.name === name,
    );
    return at < 0 ? undefined : this.pending.splice(at, 1)[0];
  }
}

function answerOf(message: JsonObject): ToolAnswer {
  const callId = [message.tool_call_id, message.tool_use_id].find((id) => typeof id === 'string');
  const isError = message.is_error === true || message.status === 'error';
  return { callId: typeof callId === 'string' ? callId : null, content: answerText(message.content), isError };
}

/** Calls outside the content: `tool_calls`, or the older `function_call`. */
function callsOf({ tool_calls: calls, function_call: single }: JsonObject): Part[] {
  const all = Array.isArray(calls) ? calls : isJsonObject(single) ? [single] : [];
  return all.map((call): Part => {
    const read = isJsonObject(call) ? readTool(call) : null;
    return read === null ? { kind: 'rejected', why: 'a tool call must have a name' } : { kind: 'call', call: read };
  });
}

/** A refusal or spoken answer outside the content. */
function textBesideContent({ refusal, audio, reasoning_content: reasoning }: JsonObject): Part[] {
  const parts: Part[] = [];
  if (typeof refusal === 'string') parts.push({ kind: 'text', text: refusal });
  if (isJsonObject(audio) && typeof audio.transcript === 'string')
    parts.push({ kind: 'text', text: `[audio] ${audio.transcript}` });
  if (typeof reasoning === 'string') parts.push({ kind: 'thinking', text: reasoning });
  return parts;
}
