import { createHash } from 'node:crypto';
import type { ConversationFormat } from '../../core/conversation.ts';
import { canonicalJson, type Json } from '../../core/json.ts';
import { decodeConversation } from '../../formats/conversation/decode-conversation.ts';
import { BODY_LIMITS } from '../_kit/body-limits.ts';
import { checkBody } from '../_kit/check-body.ts';
import { parseJsonBody } from '../_kit/parse-json-body.ts';
import type { BodyDecoder } from '../ingest/prepare.ts';
import { conversationBody } from './conversation.body.ts';

export interface ConversationParams {
  /** Unix milliseconds, for turns without a time. */
  receivedAtMs: number;
}

export interface ConversationFacts {
  /** SHA-256 of format and content, hex. */
  contentHash: string;
}

/** The body of `POST …/conversations/ingest`. Errors point into it. */
export const conversationTurns: BodyDecoder<ConversationParams, ConversationFacts> = {
  name: 'conversation',
  maxInlineNodes: 4_000,
  decode(body, { receivedAtMs }) {
    const { format, data } = checkBody(conversationBody, parseJsonBody(body, BODY_LIMITS.conversations));
    const { spans, rejections } = decodeConversation(format, data, receivedAtMs);
    const inBody = rejections.map(({ pointer, message }) => ({ pointer: `/data${pointer}`, message }));
    return { spans, rejections: inBody, facts: { contentHash: hashOf(format, data) } };
  },
};

function hashOf(format: ConversationFormat, data: Json): string {
  return createHash('sha256').update(format).update(canonicalJson(data)).digest('hex');
}
