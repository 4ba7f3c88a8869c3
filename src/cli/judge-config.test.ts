import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { toJudgeConfig } from './judge-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'misstep-judge-'));
afterAll(() => rmSync(folder, { recursive: true }));

const LOCAL = { MISSTEP_JUDGE_URL: 'http://127.0.0.1:11434/v1', MISSTEP_JUDGE_MODEL: 'small' };

describe('the judge’s endpoint', () => {
  it('is none by default', () => {
    expect(toJudgeConfig({}, {})).toEqual({ endpoint: null, budget: { calls: 100, tokens: 200_000 } });
  });

  it.each([
    [
      'from the environment',
      {},
      LOCAL,
      { provider: 'openai', url: LOCAL.MISSTEP_JUDGE_URL, model: 'small', apiKey: null },
    ],
    [
      'from flags above it',
      { judgeUrl: 'https://judge.example/v1', judgeModel: 'large', judgeProvider: 'anthropic' },
      LOCAL,
      { provider: 'anthropic', url: 'https://judge.example/v1', model: 'large' },
    ],
    [
      'of a provider’s own service',
      { judgeModel: 'm', judgeProvider: 'anthropic' },
      {},
      { url: 'https://api.anthropic.com' },
    ],
    ['with a key', {}, { ...LOCAL, MISSTEP_JUDGE_API_KEY: ' sk-1 ' }, { apiKey: 'sk-1' }],
  ])('%s', (_name, flags, env, expected) => {
    expect(toJudgeConfig(flags, env).endpoint).toMatchObject(expected);
  });

  it('with a key from a file', () => {
    const file = join(folder, 'key');
    writeFileSync(file, 'sk-2\nanother line\n');
    expect(toJudgeConfig({}, { ...LOCAL, MISSTEP_JUDGE_API_KEY_FILE: file }).endpoint?.apiKey).toBe('sk-2');
  });

  it.each([
    ['a URL without a model', { MISSTEP_JUDGE_URL: 'http://127.0.0.1/v1' }, '--judge-model'],
    ['a model without an address', { MISSTEP_JUDGE_MODEL: 'm' }, '--judge-url'],
    ['another provider', { ...LOCAL, MISSTEP_JUDGE_PROVIDER: 'other' }, 'openai or anthropic'],
    ['no URL', { ...LOCAL, MISSTEP_JUDGE_URL: 'localhost' }, 'takes an address'],
    ['a file', { ...LOCAL, MISSTEP_JUDGE_URL: 'file:///etc/passwd' }, 'takes an address'],
    ['a password in it', { ...LOCAL, MISSTEP_JUDGE_URL: 'http://a:b@host/v1' }, 'no password'],
    ['a query', { ...LOCAL, MISSTEP_JUDGE_URL: 'http://host/v1?key=1' }, 'no query'],
    ['a key with a line end', { ...LOCAL, MISSTEP_JUDGE_API_KEY: 'a\nb' }, 'contains invalid characters'],
    ['a budget in words', { ...LOCAL, MISSTEP_JUDGE_DAILY_BUDGET: 'many' }, 'MISSTEP_JUDGE_DAILY_BUDGET takes'],
    ['a negative budget', { ...LOCAL, MISSTEP_JUDGE_DAILY_TOKENS: '-1' }, 'MISSTEP_JUDGE_DAILY_TOKENS takes'],
  ])('%s is refused', (_name, env, message) => {
    expect(() => toJudgeConfig({}, env)).toThrow(message);
  });

  it('has the budget that is asked for', () => {
    const env = { ...LOCAL, MISSTEP_JUDGE_DAILY_BUDGET: '7', MISSTEP_JUDGE_DAILY_TOKENS: '0' };
    expect(toJudgeConfig({}, env).budget).toEqual({ calls: 7, tokens: 0 });
  });
});
