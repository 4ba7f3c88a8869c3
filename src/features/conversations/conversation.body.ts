import { z } from 'zod';
import { CONVERSATION_FORMATS } from '../../core/conversation.ts';
import type { Json } from '../../core/json.ts';

/** Not validated: a parsed body can hold nothing else, and a second walk takes longer than the parsing. */
const anyJson = z.unknown() as z.ZodType<Json>;

/** A conversation as received. */
export const conversationBody = z.strictObject({
  format: z
    .enum(CONVERSATION_FORMATS)
    .describe(
      '`taxonomy-data`: a MAST trace record · `chat-completions-a`: OpenAI messages · `chat-completions-b`: Anthropic messages · `generic`: `{turns: [{role, content, name?, timestamp?}]}`',
    ),
  data: z
    .union([z.record(z.string(), anyJson), z.array(anyJson)], { error: 'must be an object or a list of messages' })
    .describe(
      "The conversation; messages may come bare or with the provider's request and response. `trace_id` or `conversation_id` name it",
    ),
});
