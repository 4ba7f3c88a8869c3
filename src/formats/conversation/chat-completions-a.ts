import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { conversationName, modelOf, readExchange, responseFacts } from './chat-completions.ts';
import type { ReadConversation } from './conversation.ts';
import { labelOf } from './labels.ts';
import { TurnCollector, type TurnKind } from './turn-collector.ts';
import { readUsage } from './usage.ts';

const KINDS: Readonly<Record<string, TurnKind>> = {
  system: 'message',
  developer: 'message',
  user: 'message',
  assistant: 'llm',
  tool: 'tool',
  function: 'tool',
};

/** OpenAI's messages: bare, in a chat-completions or responses request, with its response or alone. */
export function readChatCompletionsA(data: Json): ReadConversation {
  const turns = new TurnCollector({
    kindOf: (role) => (Object.hasOwn(KINDS, role) ? KINDS[role]! : null),
    agentOf: () => 'assistant',
  });
  const object: JsonObject = isJsonObject(data) ? data : {};
  const { request, requestAt, response, responseAt } = readExchange(object, isResponse);
  if (Array.isArray(data)) addItems(turns, data, '');
  else readRequest(turns, request, requestAt, response !== null);
  if (response !== null) readResponse(turns, response, responseAt);
  turns.setModel(modelOf(request) ?? modelOf(object));
  return {
    format: 'chat-completions-a',
    traceId: labelOf(object.trace_id),
    name: conversationName(object) ?? conversationName(request),
    framework: labelOf(object.framework)?.toLowerCase() ?? null,
    task: labelOf(object.task),
    tools: [request.tools, request.functions].find(Array.isArray) ?? [],
    turns: turns.turns,
    rejections: turns.rejections,
  };
}

function isResponse(value: JsonObject): boolean {
  return Array.isArray(value.choices) || (Array.isArray(value.output) && value.object === 'response');
}

function readRequest(turns: TurnCollector, request: JsonObject, at: string, hasResponse: boolean): void {
  const { messages, input, instructions } = request;
  if (typeof instructions === 'string' && instructions !== '')
    turns.add({ role: 'system', content: instructions }, `${at}/instructions`);
  if (typeof input === 'string') turns.add({ role: 'user', content: input }, `${at}/input`);
  else if (Array.isArray(input)) addItems(turns, input, `${at}/input`);
  if (Array.isArray(messages)) addItems(turns, messages, `${at}/messages`);
  else if (messages !== undefined || (input === undefined && !hasResponse))
    turns.reject(`${at}/messages`, 'must be a list of messages');
}

function readResponse(turns: TurnCollector, response: JsonObject, at: string) {
  const { choices, output } = response;
  if (Array.isArray(output)) addItems(turns, output, `${at}/output`);
  const first = Array.isArray(choices) ? choices[0] : undefined;
  if (isJsonObject(first) && isJsonObject(first.message))
    turns.add({ role: 'assistant', ...first.message }, `${at}/choices/0/message`);
  else if (Array.isArray(choices)) turns.reject(`${at}/choices/0/message`, 'must be a message');
  const finish = isJsonObject(first) ? first.finish_reason : response.status;
  turns.closeAnswer(responseFacts(response, readUsage(response), finish));
}

/** Messages, and the items of the responses API that include messages. */
function addItems(turns: TurnCollector, items: readonly Json[], at: string): void {
  for (const [place, item] of items.entries()) addItem(turns, item, `${at}/${place}`);
}

function addItem(turns: TurnCollector, item: Json, at: string) {
  if (!isJsonObject(item) || typeof item.role === 'string' || typeof item.type !== 'string') return turns.add(item, at);
  const { type } = item;
  const callId = typeof item.call_id === 'string' ? item.call_id : null;
  // Model reasoning is not a turn, and a reference is useless without its target.
  if (type === 'reasoning' || type === 'item_reference') return;
  if (type.endsWith('_call_output')) turns.addCallAnswer(item, callId);
  else if (type === 'function_call' || type === 'custom_tool_call') turns.addCall(item, at);
  else if (type.endsWith('_call')) turns.addCall(item, at, type.slice(0, -'_call'.length));
  else turns.add(item, at);
}
