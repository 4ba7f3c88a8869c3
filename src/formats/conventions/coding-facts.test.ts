import { expect, test } from 'vitest';
import { makeSpan } from '../../../test/support/make-span.ts';
import type { Attributes } from '../../core/span.ts';
import { codingFacts } from './coding-facts.ts';
import { readStepFacts } from './read-step-facts.ts';

test.each<[string, Attributes, object]>([
  ['nothing', {}, {}],
  [
    'a session',
    { 'misstep.session.ended_by': 'limit', 'misstep.session.title': 'Fix login', 'misstep.session.project': '/p' },
    { codingSession: { title: 'Fix login', project: '/p', branch: null, endedBy: 'limit', parentId: null } },
  ],
  ['an end that is not known', { 'misstep.session.ended_by': 'toString' }, {}],
  ['an exit code', { 'misstep.tool.exit_code': -1 }, { toolOutcome: { isError: null, exitCode: -1 } }],
  [
    'a flag next to it',
    { 'misstep.tool.is_error': false, 'misstep.tool.exit_code': 0 },
    { toolOutcome: { isError: false, exitCode: 0 } },
  ],
  ['an exit code that is text', { 'misstep.tool.exit_code': '1' }, {}],
  [
    'a refusal',
    { 'misstep.refused_by': 'user', 'misstep.refusal_reason': 'use pnpm' },
    { refusal: { by: 'user', reason: 'use pnpm' } },
  ],
  ['a refusal by an unknown party', { 'misstep.refused_by': 'moon' }, {}],
  [
    'a compaction',
    { 'misstep.compaction.trigger': 'auto', 'misstep.compaction.tokens_before': 155_000 },
    { compaction: { trigger: 'auto', tokensBefore: 155_000, tokensAfter: null } },
  ],
  ['usage that is not complete', { 'misstep.usage.is_partial': true }, { isUsagePartial: true }],
  ['a message', { 'misstep.message.id': 'msg_1' }, { messageId: 'msg_1' }],
])('%s', (_, attributes, expected) => {
  expect(codingFacts(attributes)).toEqual(expected);
});

test('a tool call of a standard convention has them without `misstep.step.kind`', () => {
  const attributes = { 'gen_ai.operation.name': 'execute_tool', 'misstep.refused_by': 'policy' };
  expect(readStepFacts(makeSpan({ attributes }))).toMatchObject({ kind: 'tool', refusal: { by: 'policy' } });
});
