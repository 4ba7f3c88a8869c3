import { describe, expect, test } from 'vitest';
import { makeSpan } from '../../../test/support/make-span.ts';
import type { Attributes, AttributeValue } from '../../core/span.ts';
import { readStepFacts } from './read-step-facts.ts';
import type { StepFacts } from './step-facts.ts';

const facts = (attributes: Attributes, name = 'step') => readStepFacts(makeSpan({ attributes, name }));

test.each<[string, Attributes, Partial<StepFacts>]>([
  [
    'the documented keys take precedence',
    {
      'graphruntime.node.name': 'n',
      'gen_ai.usage.prompt_tokens': 9,
      'llm.token_count.prompt': 8,
      'openinference.span.kind': 'LLM',
    },
    { node: 'n', kind: 'llm', tokens: { input: 9 } },
  ],
  [
    'families complete each other',
    { 'gen_ai.usage.input_tokens': 9, 'ai.operationId': 'ai.generateText.doGenerate', 'ai.usage.cachedInputTokens': 4 },
    { tokens: { input: 9, cacheRead: 4 }, kind: 'llm' },
  ],
  [
    'exact 64-bit counts',
    { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': { $int64: '77' } },
    { tokens: { input: 77 } },
  ],
  [
    'a framework sent as the provider',
    { 'gen_ai.system': 'crewai', 'gen_ai.operation.name': 'chat' },
    { framework: 'crewai' },
  ],
  ['provider with API', { 'gen_ai.system': 'openai.chat', 'gen_ai.operation.name': 'chat' }, { provider: 'openai' }],
  [
    'a provider name with a dot',
    { 'gen_ai.system': 'aws.bedrock', 'gen_ai.operation.name': 'chat' },
    { provider: 'aws.bedrock' },
  ],
  [
    'an unknown operation does not set the kind',
    { 'gen_ai.operation.name': 'brew', 'traceloop.span.kind': 'tool', 'traceloop.entity.name': 'kettle' },
    { kind: 'tool' },
  ],
  [
    'a model call without a model name',
    { 'llm.request.type': 'chat', 'gen_ai.agent.name': 'porter', 'gen_ai.completion.0.content': 'done' },
    { kind: 'llm' },
  ],
  ['an embedding without a model name', { 'llm.request.type': 'embedding' }, { kind: 'embedding' }],
  ['a request of unknown type', { 'llm.request.type': 'unknown', 'gen_ai.request.model': 'm' }, { kind: 'llm' }],
  [
    'documents found',
    {
      'openinference.span.kind': 'RETRIEVER',
      'retrieval.documents.0.document.id': 'a',
      'retrieval.documents.0.document.score': 0.5,
      'retrieval.documents.1.document.content': 'b',
    },
    {
      kind: 'retrieval',
      documents: [
        { id: 'a', content: '', score: 0.5 },
        { id: null, content: 'b', score: null },
      ],
    },
  ],
  ['a session of a plain span', { 'session.id': 's' }, { sessionId: 's' }],
  [
    'a declared graph',
    { 'graphruntime.graph': '{"nodes":[{"name":"a","isEntry":true}],"edges":[{"source":"a","target":"b"}]}' },
    { graph: { nodes: [{ name: 'a', type: '', isEntry: true }], edges: [{ from: 'a', to: 'b' }] } },
  ],
])('%s', (_, attributes, expected) => {
  expect(facts(attributes)).toMatchObject(expected);
});

test('a framework is not a provider', () => {
  expect(facts({ 'gen_ai.system': 'crewai', 'gen_ai.operation.name': 'chat' }).provider).toBeUndefined();
});

test.each(['constructor', 'toString', '__proto__'])('%s is not a kind', (name) => {
  expect(
    facts({ 'gen_ai.operation.name': name, 'langsmith.span.kind': name, 'traceloop.span.kind': name }).kind,
  ).toBeUndefined();
  expect(readStepFacts(makeSpan({ scope: { name, version: '' } })).framework).toBeUndefined();
});

describe('values of other types', () => {
  const keys = [
    'gen_ai.input.messages',
    'gen_ai.usage.input_tokens',
    'gen_ai.tool.name',
    'metadata',
    'input.value',
    'output.value',
    'ai.prompt',
    'ai.operationId',
    'ai.response.toolCalls',
    'traceloop.entity.input',
    'langsmith.usage_metadata',
    'openinference.span.kind',
    'graphruntime.state',
    'llm.input_messages.0.message.role',
    'gen_ai.prompt.0.content',
    'gen_ai.prompt',
    'gen_ai.system_instructions',
    'retrieval.documents.0.document.content',
    'crewai.agent.role',
    'misstep.step.kind',
  ];
  const values: AttributeValue[] = [
    '',
    '{',
    '[]',
    '{}',
    '[[]]',
    'null',
    null,
    0,
    -1,
    true,
    [],
    [null],
    {},
    { $int64: 'x' },
    { $bytes: 'AA==' },
    '[{"role":null}]',
    '{"messages":7}',
    '{"kwargs":null,"lc":1}',
    'constructor',
    '__proto__',
  ];
  test('no reader throws', () => {
    for (const key of keys)
      for (const value of values) {
        for (const kind of ['LLM', 'TOOL', 'AGENT', 'CHAIN'])
          expect(() => facts({ 'openinference.span.kind': kind, [key]: value })).not.toThrow();
        expect(() =>
          facts({ 'ai.operationId': 'ai.toolCall', 'traceloop.span.kind': 'tool', [key]: value }),
        ).not.toThrow();
      }
  });
});
