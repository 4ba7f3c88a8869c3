import type { ConversationFormat } from '../../core/conversation.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Decoded } from '../../core/span.ts';
import { readChatCompletionsA } from './chat-completions-a.ts';
import { readChatCompletionsB } from './chat-completions-b.ts';
import type { ReadConversation } from './conversation.ts';
import { readGeneric } from './generic.ts';
import { readTaxonomyData } from './taxonomy-data.ts';
import { turnSpans } from './turn-spans.ts';

const READERS: Readonly<Record<ConversationFormat, (data: Json) => ReadConversation>> = {
  'taxonomy-data': readTaxonomyData,
  'chat-completions-a': readChatCompletionsA,
  'chat-completions-b': readChatCompletionsB,
  generic: readGeneric,
};

/** A conversation of a known format as spans, one per turn. Never throws; no usable turn gives no spans. */
export function decodeConversation(format: ConversationFormat, data: Json, receivedAtMs: number): Decoded {
  const conversation = READERS[format](data);
  return { spans: turnSpans(conversation, receivedAtMs), rejections: conversation.rejections };
}

/** The format of a document; null if it is not a conversation. */
export function conversationFormatOf(value: Json): ConversationFormat | null {
  if (Array.isArray(value)) return areMessages(value) ? messageFormat(value, {}) : null;
  if (!isJsonObject(value)) return null;
  if (typeof value.mas_name === 'string' && 'trace' in value) return 'taxonomy-data';
  if (Array.isArray(value.turns) && areMessages(value.turns)) return 'generic';
  return exchangeFormat(value);
}

function exchangeFormat(value: JsonObject): ConversationFormat | null {
  const request = [value.request, value.body, value]
    .filter(isJsonObject)
    .map((part) => (isJsonObject(part.body) ? part.body : part));
  const holder = request.find(
    ({ messages, input }) => areMessages(messages) || (areMessages(input) && 'model' in value),
  );
  if (holder !== undefined) return messageFormat((holder.messages ?? holder.input) as Json[], holder);
  if (
    Array.isArray(value.choices) &&
    value.choices.some((choice) => isJsonObject(choice) && isJsonObject(choice.message))
  )
    return 'chat-completions-a';
  if (value.object === 'response' && Array.isArray(value.output)) return 'chat-completions-a';
  return value.type === 'message' && value.role === 'assistant' && Array.isArray(value.content)
    ? 'chat-completions-b'
    : null;
}

const ROLES: ReadonlySet<string> = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function', 'human']);

function areMessages(value: Json | undefined): value is Json[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.some(
    (item) => isJsonObject(item) && ROLES.has(`${item.role}`) && ('content' in item || 'tool_calls' in item),
  );
}

const ANTHROPIC_BLOCKS: ReadonlySet<string> = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'image',
  'document',
]);

/** Decided by what only one of the two formats contains: a `system` next to the messages, blocks of certain types. */
function messageFormat(messages: readonly Json[], holder: JsonObject): ConversationFormat {
  if (typeof holder.system === 'string' || Array.isArray(holder.system)) return 'chat-completions-b';
  const blocks = messages.flatMap((message) =>
    isJsonObject(message) && Array.isArray(message.content) ? message.content : [],
  );
  const isAnthropic = blocks.some((block) => isJsonObject(block) && ANTHROPIC_BLOCKS.has(`${block.type}`));
  return isAnthropic ? 'chat-completions-b' : 'chat-completions-a';
}
