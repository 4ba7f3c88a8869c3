/** One request to the scripted model, in the terms that every API shares. */
export interface ModelTurn {
  model: string;
  system: string;
  /** The texts of the user's messages. */
  user: readonly string[];
  tools: readonly OfferedTool[];
  /** Tool calls in the conversation so far. */
  calls: number;
  /** Tool of the newest call in the conversation. */
  lastCall: string | null;
  wantsJson: boolean;
}

export interface OfferedTool {
  name: string;
  /** JSON Schema of its arguments. */
  schema: { properties?: Record<string, ArgumentSchema>; required?: string[] } | undefined;
  /** Accepts a text instead of arguments (custom tools of the Responses API). */
  isFree: boolean;
}

export interface ArgumentSchema {
  type?: string;
  enum?: unknown[];
  minimum?: number;
  default?: unknown;
}

/** A tool call with arguments or, for custom tools, with a text. */
export type ToolCall = { name: string; id?: string } & ({ arguments: Record<string, unknown> } | { free: string });

/** The response of the model: a text, a tool call, or an error with a status. */
export type ModelReply =
  | { text: string }
  | { call: ToolCall }
  | { refusal: { status: number; type: string; code: string; message: string } };

export type ModelScript = (turn: ModelTurn) => ModelReply;

export interface ModelUsage {
  fresh: number;
  cached: number;
  /** Written to a prompt cache; only the Anthropic API reports it. */
  written: number;
  output: number;
}

export const RATE_LIMITED: ModelReply = {
  refusal: { status: 429, type: 'requests', code: 'rate_limit_exceeded', message: 'Rate limit reached for this model' },
};
