import { expect, test } from 'vitest';
import { makeSpan } from '../../../test/support/make-span.ts';
import { createModelCatalog } from '../model-catalog/catalog.ts';
import { buildTrace } from './build-trace.ts';
import { summarizeAgents, summarizeTrace } from './summarize.ts';

const at = (ms: number) => 1_790_000_000_000_000_000n + BigInt(ms) * 1_000_000n;
const task = 'x'.repeat(3000);
const trace = buildTrace(
  [
    makeSpan({
      spanId: 'r',
      name: 'run',
      startNs: at(0),
      endNs: at(100),
      resource: { 'service.name': 'shop' },
      attributes: { 'misstep.step.kind': 'chain', 'misstep.task': task },
    }),
    makeSpan({
      spanId: 'a',
      parentSpanId: 'r',
      startNs: at(10),
      endNs: at(40),
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'clerk' },
    }),
    makeSpan({
      spanId: 'l',
      parentSpanId: 'a',
      startNs: at(11),
      endNs: at(30),
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.usage.input_tokens': 1000,
        'gen_ai.usage.output_tokens': 100,
      },
    }),
    makeSpan({
      spanId: 't',
      parentSpanId: 'a',
      startNs: at(31),
      endNs: at(39),
      status: { code: 2, message: 'no' },
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'x' },
    }),
    makeSpan({
      spanId: 'b',
      parentSpanId: 'r',
      startNs: at(50),
      endNs: at(60),
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'clerk' },
    }),
  ],
  { models: createModelCatalog(), isSettled: true },
);

test('summarizeTrace', () => {
  expect(summarizeTrace(trace)).toEqual({
    framework: 'unknown',
    serviceName: 'shop',
    name: 'run',
    task: task.slice(0, 2000),
    status: 'ok',
    sessionId: null,
    threadId: null,
    startedAtMs: 1_790_000_000_000,
    endedAtMs: 1_790_000_000_100,
    durationMs: 100,
    spanCount: 5,
    stateCount: 0,
    agentIds: ['clerk'],
    totalTokens: 1100,
    inputTokens: 1000,
    outputTokens: 100,
    costUsd: 0.0035,
    models: ['gpt-4o'],
    codingSession: null,
  });
});

test('summarizeAgents takes the latency of an agent from its turns, not from the steps within them', () => {
  expect(summarizeAgents(trace)).toEqual([
    {
      agentId: 'clerk',
      stepCount: 4,
      tokensUsed: 1100,
      latencySumMs: 40,
      latencyCount: 2,
      lastActiveAtMs: 1_790_000_000_060,
      errorCount: 1,
    },
  ]);
});
