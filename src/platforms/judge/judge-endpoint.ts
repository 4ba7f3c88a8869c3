export const JUDGE_PROVIDERS = ['openai', 'anthropic'] as const;
/** The protocol that the endpoint speaks; many local servers speak `openai`. */
export type JudgeProvider = (typeof JUDGE_PROVIDERS)[number];

/** Where the model is that may be asked. */
export interface JudgeEndpoint {
  provider: JudgeProvider;
  /** Base URL, e.g. `http://127.0.0.1:11434/v1` or `https://api.anthropic.com`. */
  url: string;
  model: string;
  /** Null where the endpoint takes none. */
  apiKey: string | null;
  /** Most tokens of an answer, those of its thinking too. */
  maxTokens: number;
  timeoutMs: number;
}

/** Two texts: what the model is told to do, and what it is shown. */
export interface JudgePrompt {
  system: string;
  user: string;
}

export interface JudgeReply {
  text: string;
  /** As the endpoint reported them; 0 where it did not. */
  inputTokens: number;
  outputTokens: number;
}

/** The endpoint gave no answer. Its message names neither the key nor the prompt. */
export class JudgeError extends Error {
  /** `unavailable`: later may be better. `refused`: this very question was not taken. */
  readonly kind: 'unavailable' | 'refused';
  /** How long the endpoint wants to be left alone; null where it did not say. */
  readonly retryAfterMs: number | null;

  constructor(kind: JudgeError['kind'], message: string, retryAfterMs: number | null = null) {
    super(message);
    this.name = 'JudgeError';
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/** One protocol: how a question is put and where the answer stands. Pure. */
export interface JudgeProtocol {
  /** Full address of the operation, whatever part of it the base URL has already. */
  addressOf(baseUrl: string): string;
  headersOf(endpoint: JudgeEndpoint): Record<string, string>;
  bodyOf(endpoint: JudgeEndpoint, prompt: JudgePrompt, dialect: JudgeDialect): Record<string, unknown>;
  /** @returns null where the body is not of this protocol */
  replyOf(body: unknown): JudgeReply | null;
}

/** What some models of a protocol want otherwise; learnt from their refusals. */
export interface JudgeDialect {
  hasTemperature: boolean;
  tokenLimit: 'max_tokens' | 'max_completion_tokens';
}

export const USUAL_DIALECT: JudgeDialect = { hasTemperature: true, tokenLimit: 'max_tokens' };

/** The base URL without a slash at its end, and with what is missing of `path` behind it. */
export function joined(baseUrl: string, version: string, path: string): string {
  const base = baseUrl.replace(/\/{1,20}$/, '');
  if (base.endsWith(path)) return base;
  return base.endsWith(version) ? base + path : base + version + path;
}
