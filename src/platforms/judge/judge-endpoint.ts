export const JUDGE_PROVIDERS = ['openai', 'anthropic'] as const;
/** The endpoint's protocol; many local servers implement `openai`. */
export type JudgeProvider = (typeof JUDGE_PROVIDERS)[number];

/** The endpoint of the model. */
export interface JudgeEndpoint {
  provider: JudgeProvider;
  /** Base URL, e.g. `http://127.0.0.1:11434/v1` or `https://api.anthropic.com`. */
  url: string;
  model: string;
  /** Null if the endpoint takes none. */
  apiKey: string | null;
  /** Maximum tokens of an answer, including thinking. */
  maxTokens: number;
  timeoutMs: number;
}

/** Two texts: the instructions for the model, and its input. */
export interface JudgePrompt {
  system: string;
  user: string;
}

export interface JudgeReply {
  text: string;
  /** As the endpoint reported them; 0 if it did not. */
  inputTokens: number;
  outputTokens: number;
}

/** The endpoint returned no answer. The message contains neither the key nor the prompt. */
export class JudgeError extends Error {
  /** `unavailable`: a retry may succeed. `refused`: this question was rejected. */
  readonly kind: 'unavailable' | 'refused';
  /** Delay that the endpoint asked for; null if it did not. */
  readonly retryAfterMs: number | null;

  constructor(kind: JudgeError['kind'], message: string, retryAfterMs: number | null = null) {
    super(message);
    this.name = 'JudgeError';
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/** One protocol: how to send a question and read the answer. Pure. */
export interface JudgeProtocol {
  /** Full URL of the operation, whatever part of its path the base URL already has. */
  addressOf(baseUrl: string): string;
  headersOf(endpoint: JudgeEndpoint): Record<string, string>;
  bodyOf(endpoint: JudgeEndpoint, prompt: JudgePrompt, dialect: JudgeDialect): Record<string, unknown>;
  /** @returns null if the body does not follow this protocol */
  replyOf(body: unknown): JudgeReply | null;
}

/** Differences between models of one protocol; learned from their errors. */
export interface JudgeDialect {
  hasTemperature: boolean;
  tokenLimit: 'max_tokens' | 'max_completion_tokens';
}

export const DEFAULT_DIALECT: JudgeDialect = { hasTemperature: true, tokenLimit: 'max_tokens' };

/** The base URL without a trailing slash, and with the missing part of `path` appended. */
export function joinUrl(baseUrl: string, version: string, path: string): string {
  const base = baseUrl.replace(/\/{1,20}$/, '');
  if (base.endsWith(path)) return base;
  return base.endsWith(version) ? base + path : base + version + path;
}
