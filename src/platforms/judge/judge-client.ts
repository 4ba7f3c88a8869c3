import { setTimeout as pause } from 'node:timers/promises';
import { parseJson } from '../../core/json.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import {
  DEFAULT_DIALECT,
  type JudgeDialect,
  type JudgeEndpoint,
  JudgeError,
  type JudgePrompt,
  type JudgeProtocol,
  type JudgeProvider,
  type JudgeReply,
} from './judge-endpoint.ts';
import { openaiChat } from './openai-chat.ts';
import { retryAfterMs } from './retry-after.ts';

export interface JudgeClient {
  provider: JudgeProvider;
  model: string;
  /** @throws JudgeError for anything but an answer */
  ask(prompt: JudgePrompt): Promise<JudgeReply>;
  /** Aborts running requests. */
  close(): void;
}

/** External dependencies; the defaults are the production ones. */
export interface JudgeClientDependencies {
  sleep?(ms: number, signal: AbortSignal): Promise<void>;
  now?(): number;
}

const PROTOCOLS: Readonly<Record<JudgeProvider, JudgeProtocol>> = { openai: openaiChat, anthropic: anthropicMessages };

const MAX_TRIES = 3;
const FIRST_PAUSE_MS = 1_000;
/** An endpoint that asks for a longer delay is retried later, by the job. */
const MAX_PAUSE_MS = 20_000;
/** An answer has a few hundred bytes; thinking may make it longer. */
const MAX_BYTES = 1_000_000;

type Attempt = { reply: JudgeReply } | { dialect: JudgeDialect } | { error: JudgeError; mayTryAgain: boolean };

/**
 * Sends one question at a time to one endpoint. Redirects are not followed, so that key and prompt go nowhere else; 429, 5xx
 * and lost connections are retried, after `Retry-After` if given.
 */
export function createJudgeClient(endpoint: JudgeEndpoint, dependencies: JudgeClientDependencies = {}): JudgeClient {
  return new HttpJudgeClient(endpoint, dependencies);
}

class HttpJudgeClient implements JudgeClient {
  readonly provider: JudgeProvider;
  readonly model: string;
  readonly #endpoint: JudgeEndpoint;
  readonly #protocol: JudgeProtocol;
  readonly #sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly #now: () => number;
  readonly #closing = new AbortController();
  /** The settings that the endpoint accepts, as far as its rejections have shown. */
  #dialect = DEFAULT_DIALECT;

  constructor(endpoint: JudgeEndpoint, { sleep, now }: JudgeClientDependencies) {
    this.provider = endpoint.provider;
    this.model = endpoint.model;
    this.#endpoint = endpoint;
    this.#protocol = PROTOCOLS[endpoint.provider];
    this.#sleep = sleep ?? ((ms, signal) => pause(ms, undefined, { signal }));
    this.#now = now ?? Date.now;
  }

  async ask(prompt: JudgePrompt): Promise<JudgeReply> {
    let tries = 0;
    for (;;) {
      const result = await this.#attempt(prompt);
      if ('reply' in result) return result.reply;
      if ('dialect' in result) {
        this.#dialect = result.dialect;
        continue;
      }
      tries += 1;
      const wait = result.error.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (tries - 1);
      const isFinal = !result.mayTryAgain || this.#closing.signal.aborted;
      if (isFinal || tries === MAX_TRIES || wait > MAX_PAUSE_MS) throw result.error;
      await this.#sleep(wait, this.#closing.signal).catch(() => {
        throw result.error;
      });
    }
  }

  close(): void {
    this.#closing.abort();
  }

  async #attempt(prompt: JudgePrompt): Promise<Attempt> {
    const endpoint = this.#endpoint;
    const protocol = this.#protocol;
    let response: Response;
    let text: string;
    try {
      response = await fetch(protocol.addressOf(endpoint.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', ...protocol.headersOf(endpoint) },
        body: JSON.stringify(protocol.bodyOf(endpoint, prompt, this.#dialect)),
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(endpoint.timeoutMs), this.#closing.signal]),
      });
      text = await boundedText(response);
    } catch (error) {
      return connectionLost(error, endpoint);
    }
    return response.ok ? answerIn(text, protocol) : this.#refusalIn(response, text);
  }

  #refusalIn(response: Response, text: string): Attempt {
    const { status } = response;
    const reported = withoutKey(messageIn(text), this.#endpoint.apiKey);
    const adjusted = status === 400 ? adjustedDialect(text, this.#dialect) : null;
    if (adjusted !== null) return { dialect: adjusted };
    const message = `answered ${status}${reported === '' ? '' : `: ${reported}`}`;
    const isAboutQuestion = status === 400 || status === 413 || status === 422;
    const wait = retryAfterMs(response.headers.get('retry-after'), this.#now());
    const error = new JudgeError(isAboutQuestion ? 'refused' : 'unavailable', message, wait);
    return { error, mayTryAgain: status === 408 || status === 429 || status >= 500 };
  }
}

function answerIn(text: string, protocol: JudgeProtocol): Attempt {
  const reply = protocol.replyOf(parseJson(text));
  if (reply !== null) return { reply };
  const error = new JudgeError('unavailable', 'answered 200 with a body that is not of its protocol');
  return { error, mayTryAgain: false };
}

/** Newer models reject settings that older ones require; each rejection is remembered. */
function adjustedDialect(text: string, dialect: JudgeDialect): JudgeDialect | null {
  if (dialect.tokenLimit === 'max_tokens' && text.includes('max_completion_tokens'))
    return { ...dialect, tokenLimit: 'max_completion_tokens' };
  if (dialect.hasTemperature && text.includes('temperature')) return { ...dialect, hasTemperature: false };
  return null;
}

async function boundedText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > MAX_BYTES) throw new Error(`answered with more than ${MAX_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

const MESSAGE_LIMIT = 200;

/** Both protocols return it at `error.message`; other servers at `error` or `message`. */
function messageIn(text: string): string {
  const body = parseJson(text) as { error?: { message?: unknown } | string; message?: unknown } | undefined | null;
  const error = body?.error;
  const message = (typeof error === 'object' ? error?.message : error) ?? body?.message;
  return typeof message === 'string' ? message.replace(/\p{Cc}+/gu, ' ').slice(0, MESSAGE_LIMIT) : '';
}

function withoutKey(text: string, key: string | null): string {
  return key === null ? text : text.replaceAll(key, '***');
}

/** A timeout is not retried: a second request would only add load to a slow model. */
function connectionLost(error: unknown, { timeoutMs }: JudgeEndpoint): Attempt {
  const isSlow = error instanceof Error && error.name === 'TimeoutError';
  const message = isSlow ? `gave no answer in ${timeoutMs} ms` : `cannot be reached: ${causeOf(error)}`;
  return { error: new JudgeError('unavailable', message), mayTryAgain: !isSlow };
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause as { code?: string; message?: string } | undefined;
  return cause?.code ?? cause?.message ?? error.message;
}
