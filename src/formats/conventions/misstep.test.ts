import { expect, test } from 'vitest';
import type { Attributes, Span } from '../../core/span.ts';
import { readMisstep } from './misstep.ts';

const span = (attributes: Attributes): Span => ({
  traceId: 't',
  spanId: 's',
  parentSpanId: null,
  name: 'x',
  kind: 1,
  startNs: 1n,
  endNs: 2n,
  status: { code: 0, message: '' },
  attributes,
  events: [],
  links: [],
  resource: {},
  scope: { name: '', version: '' },
});

test.each([
  ['a kind alone', { 'misstep.step.kind': 'message' }, { kind: 'message' }],
  [
    'all of it',
    {
      'misstep.step.kind': 'retrieval',
      'misstep.framework': 'shop',
      'misstep.task': 'Refund',
      'misstep.session.id': 's1',
      'misstep.cost_usd': 0.5,
      'misstep.state': '{"cart":1}',
      'misstep.goto': ['Runner'],
      'misstep.documents': '[{"id":"d","content":"bees","score":0.5},{"content":7}]',
    },
    {
      kind: 'retrieval',
      framework: 'shop',
      task: 'Refund',
      sessionId: 's1',
      costUsd: 0.5,
      stateAfter: { cart: 1 },
      goto: ['Runner'],
      documents: [{ id: 'd', content: 'bees', score: 0.5 }],
    },
  ],
  ['broken documents', { 'misstep.step.kind': 'llm', 'misstep.documents': '[{' }, { kind: 'llm' }],
  ['an unknown kind', { 'misstep.step.kind': 'dream' }, null],
  ['no `misstep` key', { 'gen_ai.operation.name': 'chat' }, null],
] as [string, Attributes, object | null][])('%s', (_, attributes, facts) => {
  expect(readMisstep(span(attributes))).toEqual(facts);
});
