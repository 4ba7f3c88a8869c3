import { expect, test } from 'vitest';
import { makeSpan } from '../../../test/support/make-span.ts';
import { frameworkOfScope, frameworkWeight } from './framework-of-scope.ts';

test.each([
  ['ai', 'vercel-ai'],
  ['gen_ai', 'vercel-ai'],
  ['openinference.instrumentation.smolagents', 'smolagents'],
  ['openinference.instrumentation.openai_agents', 'openai-agents'],
  ['@arizeai/openinference-instrumentation-langchain', 'langchain'],
  ['@traceloop/node-server-sdk', 'traceloop'],
  ['opentelemetry.instrumentation.llamaindex', 'llamaindex'],
  ['opentelemetry.instrumentation.ollama', null],
  ['com.anthropic.claude_code.tracing', 'claude-code'],
  ['acme.tracer', null],
  ['', null],
])('%s is %s', (name, framework) => {
  expect(frameworkOfScope(makeSpan({ scope: { name, version: '' } }))).toBe(framework);
});

test('a framework that runs agents takes precedence over one that calls a model', () => {
  expect(frameworkWeight('langgraph')).toBeGreaterThan(frameworkWeight('langchain'));
  expect(frameworkWeight('langchain')).toBeGreaterThan(frameworkWeight('openai'));
});
