import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Message, ToolCall } from '../../core/trace.ts';
import { asText, entryOf, jsonOrText, toText } from './attribute-values.ts';

/**
 * Messages in any form that senders use: OpenAI chat and responses, Anthropic content blocks, OTel `parts`, Vercel
 * `tool-call` parts, Gemini parts, LangChain constructors and dictionaries. The value is one message, a list, a list of
 * lists (only the first is read), an object with `messages`, or a plain text.
 */
export function readMessages(value: Json | undefined, defaultRole = 'user'): Message[] {
  if (isJsonObject(value)) {
    return Array.isArray(value.messages) ? readMessages(value.messages, defaultRole) : readOne(value, defaultRole);
  }
  if (!Array.isArray(value)) return typeof value === 'string' ? readOne(value, defaultRole) : [];
  const list = Array.isArray(value[0]) ? value[0] : value;
  const messages: Message[] = [];
  for (const item of list) for (const message of readOne(item, defaultRole)) messages.push(message);
  return messages;
}

/** Whether a value is a message or a list of messages, and not any other object. */
export function looksLikeMessages(value: Json | undefined): boolean {
  const first = Array.isArray(value) ? (Array.isArray(value[0]) ? value[0][0] : value[0]) : value;
  if (!isJsonObject(first)) return false;
  if (isLangChainConstructor(first)) return first.id.at(-1)?.toString().includes('Message') ?? false;
  if (typeof first.role === 'string') return 'content' in first || 'parts' in first || 'tool_calls' in first;
  return (
    typeof first.type === 'string' && Object.hasOwn(ROLE_NAMES, first.type) && ('content' in first || 'data' in first)
  );
}

export function toMessage(role: string, content: string, extra: Partial<Message> = {}): Message {
  return { role: roleName(role), name: null, content, toolCalls: [], toolCallId: null, ...extra };
}

/** Content of the last message with content. */
export function lastContent(messages: Message[]): string {
  return messages.findLast((message) => message.content !== '')?.content ?? '';
}

export function firstUserContent(messages: Message[]): string | undefined {
  return messages.find((message) => message.role === 'user' && message.content !== '')?.content;
}

const ROLE_NAMES: Record<string, string> = {
  human: 'user',
  HumanMessage: 'user',
  ai: 'assistant',
  AIMessage: 'assistant',
  AIMessageChunk: 'assistant',
  model: 'assistant',
  system: 'system',
  SystemMessage: 'system',
  tool: 'tool',
  function: 'tool',
  ToolMessage: 'tool',
  FunctionMessage: 'tool',
  'tool-response': 'tool',
};

export function roleName(role: string): string {
  return entryOf(ROLE_NAMES, role) ?? role;
}

interface LangChainConstructor extends JsonObject {
  id: Json[];
  kwargs: JsonObject;
}

export function isLangChainConstructor(value: Json | undefined): value is LangChainConstructor {
  return isJsonObject(value) && value.lc === 1 && Array.isArray(value.id) && isJsonObject(value.kwargs);
}

function readOne(item: Json, defaultRole: string): Message[] {
  if (typeof item === 'string') return item === '' ? [] : [toMessage(defaultRole, item)];
  if (!isJsonObject(item)) return [];
  if (isLangChainConstructor(item)) return readBody(item.kwargs, String(item.id.at(-1) ?? defaultRole));
  if (item.type === 'function_call') return [toMessage('assistant', '', { toolCalls: [readToolCall(item)] })];
  if (item.type === 'function_call_output') {
    return [toMessage('tool', toText(item.output), { toolCallId: asText(item.call_id) ?? null })];
  }
  if (isJsonObject(item.message)) return readOne(item.message, defaultRole);
  const role = asText(item.role) ?? asText(item.type) ?? defaultRole;
  return readBody(isJsonObject(item.data) ? item.data : item, role);
}

/** Tool results in a body become separate messages, so that each names its call. */
function readBody(body: JsonObject, role: string): Message[] {
  const parts = new PartCollector();
  const content = body.content ?? body.parts;
  if (typeof content === 'string') parts.texts.push(content);
  else if (Array.isArray(content)) for (const part of content) parts.add(part);
  else if (isJsonObject(content)) parts.add(content);
  const calls = body.tool_calls ?? body.toolCalls;
  if (Array.isArray(calls)) for (const call of calls) parts.addCall(call);
  else if (isJsonObject(body.function_call)) parts.addCall(body.function_call);
  return parts.toMessages(
    role,
    asText(body.name) ?? null,
    asText(body.tool_call_id) ?? asText(body.toolCallId) ?? null,
  );
}

class PartCollector {
  readonly texts: string[] = [];
  readonly calls: ToolCall[] = [];
  readonly answers: Message[] = [];

  add(part: Json): void {
    if (typeof part === 'string') this.texts.push(part);
    if (!isJsonObject(part)) return;
    const type = asText(part.type) ?? '';
    if (TOOL_CALL_PARTS.has(type)) this.calls.push(readToolCall(part));
    else if (isJsonObject(part.functionCall)) this.calls.push(readToolCall(part.functionCall));
    else if (TOOL_ANSWER_PARTS.has(type)) this.addAnswer(part);
    else if (isJsonObject(part.functionResponse)) this.addAnswer(part.functionResponse);
    else if (!SILENT_PARTS.has(type)) this.texts.push(asText(part.text) ?? asText(part.content) ?? '');
  }

  addCall(call: Json): void {
    if (!isJsonObject(call)) return;
    const known = asText(call.id) ?? asText(call.toolCallId);
    if (known === undefined || !this.calls.some((other) => other.id === known)) this.calls.push(readToolCall(call));
  }

  private addAnswer(part: JsonObject): void {
    const toolCallId = asText(part.id) ?? asText(part.toolCallId) ?? asText(part.tool_use_id) ?? null;
    const result = unwrapAnswer(part.response ?? part.result ?? part.output ?? part.content ?? null);
    const answered = this.calls.find((call) => call.id !== null && call.id === toolCallId);
    if (answered) answered.result = result;
    else
      this.answers.push(
        toMessage('tool', toText(result), { name: asText(part.name ?? part.toolName) ?? null, toolCallId }),
      );
  }

  toMessages(role: string, name: string | null, toolCallId: string | null): Message[] {
    const content = this.texts.length < 2 ? (this.texts[0] ?? '') : this.texts.filter(Boolean).join('\n');
    if (this.answers.length > 0 && content === '' && this.calls.length === 0) return this.answers;
    return [...this.answers, toMessage(role, content, { name, toolCalls: this.calls, toolCallId })];
  }
}

const TOOL_CALL_PARTS = new Set(['tool_call', 'tool-call', 'tool_use', 'function_call']);
const TOOL_ANSWER_PARTS = new Set(['tool_call_response', 'tool-result', 'tool_result', 'function_call_output']);
/** Thinking is not an answer, and media has no text. */
const SILENT_PARTS = new Set([
  'reasoning',
  'thinking',
  'redacted_thinking',
  'image',
  'image_url',
  'file',
  'audio',
  'blob',
  'uri',
]);

export function readToolCall(call: JsonObject): ToolCall {
  const body = isJsonObject(call.function) ? call.function : call;
  const given = body.arguments ?? body.args ?? body.input ?? body.parameters ?? null;
  return {
    id: asText(call.id) ?? asText(call.toolCallId) ?? asText(call.call_id) ?? null,
    name: asText(body.name) ?? asText(body.toolName) ?? '',
    arguments: typeof given === 'string' ? jsonOrText(given) : given,
    result: null,
  };
}

/** Vercel wraps results as `{type, value}`; Anthropic sends text blocks. */
function unwrapAnswer(value: Json): Json {
  if (isJsonObject(value) && typeof value.type === 'string' && 'value' in value) return value.value ?? null;
  if (!Array.isArray(value) || value.length === 0) return value;
  const texts = value.map((part) => (isJsonObject(part) && part.type === 'text' ? asText(part.text) : undefined));
  return texts.every((text) => text !== undefined) ? texts.join('\n') : value;
}
