import { DEFAULT_CONFIG, type JudgeConfig } from '../app/config.ts';
import { AppError } from '../core/app-error.ts';
import { JUDGE_PROVIDERS, type JudgeEndpoint, type JudgeProvider } from '../platforms/judge/judge-endpoint.ts';
import { assertBaseUrl } from './base-url.ts';
import type { Io } from './io.ts';
import { secretVariable } from './secret-variable.ts';

export interface JudgeFlags {
  judgeUrl?: string;
  judgeModel?: string;
  judgeProvider?: string;
}

const HOME_OF: Readonly<Record<JudgeProvider, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
};

/** Reasoning models use tokens before they answer; other models need about fifty. */
const MAX_TOKENS = 1_000;
const TIMEOUT_MS = 60_000;

/** Flags, then environment, then defaults; without a model there is no endpoint. @throws AppError `usage` */
export function toJudgeConfig(flags: JudgeFlags, env: Io['env']): JudgeConfig {
  const { budget } = DEFAULT_CONFIG.judge;
  return {
    endpoint: toEndpoint(flags, env),
    budget: {
      calls: toCount('MISSTEP_JUDGE_DAILY_BUDGET', env, budget.calls),
      tokens: toCount('MISSTEP_JUDGE_DAILY_TOKENS', env, budget.tokens),
    },
  };
}

function toEndpoint(flags: JudgeFlags, env: Io['env']): JudgeEndpoint | null {
  const model = flags.judgeModel || env.MISSTEP_JUDGE_MODEL;
  const named = flags.judgeProvider || env.MISSTEP_JUDGE_PROVIDER;
  const address = flags.judgeUrl || env.MISSTEP_JUDGE_URL;
  if (!model) {
    if (!address && !named) return null;
    throw new AppError('usage', 'The judge needs a model: set --judge-model (MISSTEP_JUDGE_MODEL).');
  }
  if (!address && !named)
    throw new AppError(
      'usage',
      'The judge lacks an address: give --judge-url, or --judge-provider for its own service.',
    );
  const provider = JUDGE_PROVIDERS.find((known) => known === (named || 'openai'));
  if (provider === undefined)
    throw new AppError(
      'usage',
      `--judge-provider takes ${JUDGE_PROVIDERS.join(' or ')}, not ${JSON.stringify(named)}.`,
    );
  const apiKey = secretVariable(env, 'MISSTEP_JUDGE_API_KEY')?.trim() || null;
  if (apiKey !== null && !/^[\x21-\x7e]{1,1000}$/.test(apiKey))
    throw new AppError('usage', 'MISSTEP_JUDGE_API_KEY contains invalid characters.');
  const url = address ? toUrl(address) : HOME_OF[provider];
  return { provider, url, model, apiKey, maxTokens: MAX_TOKENS, timeoutMs: TIMEOUT_MS };
}

function toUrl(text: string): string {
  assertBaseUrl('--judge-url', text, 'http://127.0.0.1:11434/v1');
  return new URL(text).href;
}

function toCount(name: string, env: Io['env'], otherwise: number): number {
  const text = env[name];
  if (!text) return otherwise;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new AppError('usage', `${name} takes a whole number, not ${JSON.stringify(text)}.`);
}
