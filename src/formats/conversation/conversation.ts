import type { ConversationFormat } from '../../core/conversation.ts';
import type { Json } from '../../core/json.ts';
import type { Refusal } from '../../core/span.ts';
import type { TokenUsage } from '../../core/trace.ts';

/** A conversation as one of the formats tells it, before it becomes spans. */
export interface ReadConversation {
  format: ConversationFormat;
  /** Trace id as sent; null if one is made up. */
  traceId: string | null;
  /** What the sender calls the conversation; the same name is the same conversation. */
  name: string | null;
  framework: string | null;
  /** Null: what the user says first. */
  task: string | null;
  /** Tools that were offered, as sent. */
  tools: Json[];
  turns: ReadTurn[];
  refusals: Refusal[];
}

export interface ReadTurn {
  /** As sent. */
  role: string;
  kind: 'llm' | 'tool' | 'message';
  /** Who spoke: a person, an agent, a tool. */
  participant: string;
  /** Agent that acted; null for people and systems. */
  agent: string | null;
  /** Text, with placeholders such as `[image]` for what is none. */
  content: string;
  thinking: string;
  toolCalls: RequestedTool[];
  /** For a tool's answer: the call it answers. */
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
