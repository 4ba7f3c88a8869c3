import { describe, expect, test } from 'vitest';
import { mergeSpans } from '../../core/merge-spans.ts';
import type { Attributes, Span } from '../../core/span.ts';
import { decodeHook } from '../hooks/decode-hook.ts';
import { modelCallSpanId, promptSpanId, sessionTraceId, toolSpanId } from '../hooks/session-span.ts';
import { createModelCatalog } from '../model-catalog/catalog.ts';
import { buildTrace } from '../trace-model/build-trace.ts';
import { agentSpans } from './agent-spans.ts';

const SECOND = 1_000_000_000n;
const span = (
  name: string,
  id: string,
  parentSpanId: string | null,
  start: number,
  attributes: Attributes,
  more: Partial<Span> = {},
): Span => ({
  traceId: 'a'.repeat(32),
  spanId: id,
  parentSpanId,
  name: `claude_code.${name}`,
  kind: 1,
  startNs: BigInt(start) * SECOND,
  endNs: BigInt(start + 2) * SECOND,
  status: { code: 0, message: '' },
  attributes: { 'session.id': 's-1', ...attributes },
  events: [],
  links: [],
  resource: { 'service.name': 'claude-code' },
  scope: { name: 'com.anthropic.claude_code.tracing', version: '1.0.0' },
  ...more,
});
const SPANS = [
  span('llm_request', 'm', 'i', 11, {
    model: 'claude-opus-4-5',
    input_tokens: '10',
    output_tokens: '5',
    cache_read_tokens: '1000',
    cache_creation_tokens: '100',
    request_id: 'req-1',
    success: true,
  }),
  span(
    'tool.execution',
    'e',
    't',
    14,
    { tool_use_id: 'toolu-1', success: 'false', 'error.type': 'tool_error', error: 'Shell command failed' },
    { endNs: 15n * SECOND, status: { code: 2, message: 'Shell command failed' } },
  ),
  span('tool.blocked_on_user', 'b', 't', 13, { decision: 'accept', source: 'config' }),
  span(
    'tool',
    't',
    'i',
    13,
    { tool_name: 'Bash', tool_use_id: 'toolu-1', full_command: 'npm test' },
    { endNs: 16n * SECOND },
  ),
  span('tool.blocked_on_user', 'b2', 't2', 17, { decision: 'reject', source: 'user_reject' }),
  span('tool', 't2', 'i', 17, { tool_name: 'Write', tool_use_id: 'toolu-2', file_path: '/srv/a.ts' }),
  span('hook', 'h', 'i', 18, {}),
  span('interaction', 'i', null, 10, { user_prompt: 'Add a till.' }, { endNs: 20n * SECOND }),
];
const traceOf = (spans: readonly Span[]) =>
  buildTrace(
    mergeSpans(spans).filter(({ traceId }) => traceId === sessionTraceId('s-1')),
    {
      models: createModelCatalog(),
      isSettled: true,
    },
  );

describe('spans of Claude Code', () => {
  const spans = agentSpans(SPANS);
  const trace = traceOf(spans);

  test('are steps of the session, with the ids of its other sources', () => {
    expect(trace).toMatchObject({ name: 'Add a till.', task: 'Add a till.', framework: 'claude-code' });
    expect(trace.steps.slice(1).map(({ name, kind, parent }) => [name, kind, parent])).toEqual([
      ['prompt', 'message', 0],
      ['chat', 'llm', 0],
      ['Bash', 'tool', 0],
      ['Write', 'tool', 0],
    ]);
    expect(trace.steps.slice(2).map(({ spanId }) => spanId)).toEqual([
      modelCallSpanId('s-1', 'req-1'),
      toolSpanId('s-1', 'toolu-1'),
      toolSpanId('s-1', 'toolu-2'),
    ]);
  });

  test('have names, arguments, durations, failures and refusals', () => {
    const [chat, bash, write] = trace.steps.slice(2);
    expect(chat!.tokens).toMatchObject({ input: 1_110, output: 5, cacheRead: 1_000, cacheWrite: 100 });
    expect(bash).toMatchObject({
      status: 'error',
      error: { type: 'tool_error', message: 'Shell command failed' },
      tool: { arguments: { command: 'npm test' } },
      toolOutcome: { isError: true },
    });
    expect(bash!.endMs! - bash!.startMs!).toBe(1_000);
    expect(write).toMatchObject({
      status: 'error',
      refusal: { by: 'user' },
      tool: { arguments: { file_path: '/srv/a.ts' } },
    });
  });

  test('do not repeat a prompt that a hook reported', () => {
    const prompt = { session_id: 's-1', hook_event_name: 'UserPromptSubmit', prompt: 'Add a till.', prompt_id: 'p-1' };
    const hooks = decodeHook(prompt, 10_050).spans;
    for (const both of [
      [...spans, ...hooks],
      [...hooks, ...spans],
    ])
      expect(traceOf(both).steps.filter(({ name }) => name === 'prompt')).toHaveLength(1);
    expect(hooks.map(({ spanId }) => spanId)).toContain(promptSpanId('s-1', 'p-1'));
  });

  test('that are parts of others stay in their trace as bookkeeping', () => {
    const remaining = spans.filter(({ traceId }) => traceId !== sessionTraceId('s-1'));
    expect(remaining.map(({ name, attributes }) => [name, attributes['misstep.is_bookkeeping']])).toEqual(
      ['tool.execution', 'tool.blocked_on_user', 'tool.blocked_on_user', 'hook'].map((name) => [
        `claude_code.${name}`,
        true,
      ]),
    );
  });

  test('omit a redacted prompt', () => {
    const [only] = agentSpans([span('interaction', 'i', null, 10, { user_prompt: '<REDACTED>' })]);
    expect(only!.attributes).toMatchObject({ 'misstep.is_bookkeeping': true });
  });
});
