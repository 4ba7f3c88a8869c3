import { expect, it } from 'vitest';
import { TraceBuilder } from '../../../test/support/trace-builder.ts';
import type { Failure } from './failure.ts';
import { retryChange } from './retry-code.ts';

const RULE = { attempts: 3, timeoutSeconds: 30, on: 'retry on 5xx' };

it.each<[string, Failure['what'], string, string | null, RegExp]>([
  ['langgraph', 'step', 'load', null, /add_node\("load", load, retry_policy=RetryPolicy\(max_attempts=3/],
  ['langgraph', 'tool', 'load', null, /^@retry\(stop=stop_after_attempt\(3\)/],
  ['vercel-ai', 'tool', 'load', null, /pRetry\(\(\) => load\(input\), \{ retries: 2 \}\)/],
  ['vercel-ai', 'model', 'gpt-4o', null, /maxRetries: 2/],
  ['unknown', 'model', 'gpt-4o', 'openai', /OpenAI\(max_retries=2, timeout=30\)/],
  ['unknown', 'tool', 'load', null, /^at most 3 attempts/],
  ['crewai', 'tool', 'load the file', null, /^at most 3 attempts/],
])('%s %s %s', (framework, what, name, provider, code) => {
  const trace = new TraceBuilder().framework(framework).llm('', { agent: null }).build();
  trace.steps[0]!.provider = provider;
  const change = retryChange(trace, { step: 0, what, name } as Failure, RULE);
  expect(change.after).toMatch(code);
});

it.each<[string, Failure['what'], string, string | null, string]>([
  [
    'langgraph',
    'step',
    'load',
    null,
    '.addNode("load", load, { retryPolicy: { maxAttempts: 3, backoffFactor: 2, jitter: true } })',
  ],
  ['langgraph', 'tool', 'load', null, 'pRetry(() => load(input), { retries: 2 })'],
  ['langchain', 'model', 'gpt-4o', 'openai', 'new OpenAI({ maxRetries: 2, timeout: 30_000 })'],
])('%s %s %s in JavaScript', (framework, what, name, provider, code) => {
  const trace = new TraceBuilder().framework(framework).llm('', { agent: null }).build();
  trace.steps[0]!.provider = provider;
  trace.language = 'javascript';
  const change = retryChange(trace, { step: 0, what, name } as Failure, RULE);
  expect(change.after).toContain(code);
  expect(`${change.before} ${change.after}`).not.toMatch(/def |@retry|max_|add_node/);
});
