import type { ConversationFormat } from '../../core/conversation.ts';
import type { Json } from '../../core/json.ts';
import type { Rejection } from '../../core/span.ts';
import type { TokenUsage } from '../../core/trace.ts';

/** A conversation read from one of the formats, before it becomes spans. */
export interface ReadConversation {
  format: ConversationFormat;
  /** Trace id as sent; null if one must be derived. */
  traceId: string | null;
  /** The sender's name of the conversation; the same name is the same conversation. */
  name: string | null;
  framework: string | null;
  /** Null: the first user message. */
  task: string | null;
  /** Offered tools, as sent. */
  tools: Json[];
  turns: ReadTurn[];
  rejections: Rejection[];
}

export interface ReadTurn {
  /** As sent. */
  role: string;
  kind: 'llm' | 'tool' | 'message';
  /** The speaker: a person, an agent, a tool. */
  participant: string;
  /** Agent that acted; null for people and systems. */
  agent: string | null;
  /** Text, with placeholders such as `[image]` for other content. */
  content: string;
  thinking: string;
  toolCalls: RequestedTool[];
  /** For a tool result: its call. */
  answered: RequestedTool | null;
  isError: boolean;
  /** Unix nanoseconds; null if no usable time was sent. */
  atNs: bigint | null;
  model: string | null;
  usage: Partial<TokenUsage> | null;
  finishReason: string | null;
}

export interface RequestedTool {
  id: string | null;
  name: string;
  arguments: Json;
}
