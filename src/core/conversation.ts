/** Formats in which conversations are sent: MAST trace records, OpenAI messages, Anthropic messages, plain turns. */
export const CONVERSATION_FORMATS = ['taxonomy-data', 'chat-completions-a', 'chat-completions-b', 'generic'] as const;
export type ConversationFormat = (typeof CONVERSATION_FORMATS)[number];

/** A conversation without what only the store knows. */
export interface ConversationFigures {
  format: ConversationFormat;
  framework: string;
  /** Who spoke, in order of first appearance. */
  participants: string[];
  turnCount: number;
  /** Sum over the turns: as reported, else estimated. */
  totalTokens: number;
  /** Unix milliseconds; null where no turn carried a time. */
  startedAtMs: number | null;
  endedAtMs: number | null;
}
