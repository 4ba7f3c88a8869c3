import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { conversationName, modelOf, readExchange, responseFacts } from './chat-completions.ts';
import type { ReadConversation } from './conversation.ts';
import { labelOf } from './labels.ts';
import { TurnCollector, type TurnKind } from './turn-collector.ts';
import { readUsage } from './usage.ts';

const KINDS: Readonly<Record<string, TurnKind>> = { system: 'message', user: 'message', assistant: 'llm' };

/** Anthropic's messages: bare, in a request with its `system` prompt, with its response or alone. */
export function readChatCompletionsB(data: Json): ReadConversation {
  const turns = new TurnCollector({
    kindOf: (role) => (Object.hasOwn(KINDS, role) ? KINDS[role]! : null),
    agentOf: () => 'assistant',
  });
  const object: JsonObject = isJsonObject(data) ? data : {};
  const { request, requestAt, response, responseAt } = readExchange(object, isResponse);
  const { system, messages } = request;
  if (system !== undefined && system !== null && system !== '')
    turns.add({ role: 'system', content: system }, `${requestAt}/system`);
  if (Array.isArray(data)) turns.addAll(data, '');
  else if (messages !== undefined || response === null) turns.addAll(messages, `${requestAt}/messages`);
  if (response !== null) readResponse(turns, response, responseAt);
  turns.setModel(modelOf(request) ?? modelOf(object));
  return {
    format: 'chat-completions-b',
    traceId: labelOf(object.trace_id),
    name: conversationName(object) ?? conversationName(request),
    framework: labelOf(object.framework)?.toLowerCase() ?? null,
    task: labelOf(object.task),
    tools: Array.isArray(request.tools) ? request.tools : [],
    turns: turns.turns,
    rejections: turns.rejections,
  };
}

function isResponse({ type, role, content }: JsonObject): boolean {
  return type === 'message' && role === 'assistant' && content !== undefined;
}

function readResponse(turns: TurnCollector, response: JsonObject, at: string) {
  const { content, usage: _, ...rest } = response;
  if (content === undefined) return turns.reject(`${at}/content`, 'must be a text or a list of blocks');
  turns.add({ ...rest, role: 'assistant', content }, at);
  turns.closeAnswer(responseFacts(response, readUsage(response), response.stop_reason));
}
