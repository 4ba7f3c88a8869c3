/** Formats in which conversations are sent: MAST trace records, OpenAI messages, Anthropic messages, plain turns. */
export const CONVERSATION_FORMATS = ['taxonomy-data', 'chat-completions-a', 'chat-completions-b', 'generic'] as const;
export type ConversationFormat = (typeof CONVERSATION_FORMATS)[number];

/** A conversation without the fields that only the store knows. */
export interface ConversationFigures {
  format: ConversationFormat;
  framework: string;
  /** Speakers in order of first appearance. */
  participants: string[];
  turnCount: number;
  /** Sum over the turns: as reported, otherwise estimated. */
  totalTokens: number;
  /** Unix milliseconds; null if no turn has a time. */
  startedAtMs: number | null;
  endedAtMs: number | null;
}
