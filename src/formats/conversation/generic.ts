import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { conversationName, modelOf } from './chat-completions.ts';
import type { ReadConversation } from './conversation.ts';
import { labelOf } from './labels.ts';
import { TurnCollector, type TurnKind } from './turn-collector.ts';

/** Roles with a fixed meaning; any other role is the name of an agent. */
const KINDS: ReadonlyMap<string, TurnKind> = new Map([
  ['system', 'message'],
  ['developer', 'message'],
  ['user', 'message'],
  ['human', 'message'],
  ['customer', 'message'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);
/** Roles of a model that do not name an agent. */
const MODEL_ROLES: ReadonlySet<string> = new Set(['assistant', 'ai', 'bot', 'model', 'agent']);

/** Plain turns: `{turns: [{role, content, name?, timestamp?}]}`, also with `tool_calls`, `tool_call_id` and `tokens`. */
export function readGeneric(data: Json): ReadConversation {
  const object: JsonObject = isJsonObject(data) ? data : {};
  const turns = new TurnCollector({
    kindOf: (role) => KINDS.get(role.toLowerCase()) ?? 'llm',
    agentOf: (role) => (MODEL_ROLES.has(role.toLowerCase()) ? 'assistant' : role),
  });
  turns.addAll(Array.isArray(data) ? data : object.turns, Array.isArray(data) ? '' : '/turns');
  turns.setModel(modelOf(object));
  return {
    format: 'generic',
    traceId: labelOf(object.trace_id),
    name: conversationName(object),
    framework: labelOf(object.framework)?.toLowerCase() ?? null,
    task: labelOf(object.task),
    tools: Array.isArray(object.tools) ? object.tools : [],
    turns: turns.turns,
    rejections: turns.rejections,
  };
}
