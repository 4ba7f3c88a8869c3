import { expect, test } from 'vitest';
import { makeSpan } from '../../../test/support/make-span.ts';
import type { Attributes } from '../../core/span.ts';
import { senderIdsOf } from './sender-ids.ts';

const LANGGRAPH = { 'langgraph.run_id': 'r-1', 'langgraph.thread_id': 't-1' };

test.each<[string, string, Attributes, object[]]>([
  [
    'a run of a LangGraph server',
    'langgraph-server',
    LANGGRAPH,
    [
      { name: 'run_id', id: 'r-1' },
      { name: 'thread_id', id: 't-1' },
    ],
  ],
  ['a run without a thread', 'langgraph-server', { 'langgraph.run_id': 'r-1' }, [{ name: 'run_id', id: 'r-1' }]],
  ['spans that the program itself sent', '@arizeai/openinference', LANGGRAPH, []],
  [
    'an execution of n8n',
    'misstep.n8n',
    { 'misstep.framework': 'n8n', 'misstep.record.id': '84' },
    [{ name: 'execution', id: '84' }],
  ],
  [
    'a run of Dify',
    'misstep.dify',
    { 'misstep.framework': 'dify', 'misstep.record.id': 'w-7' },
    [{ name: 'workflow run', id: 'w-7' }],
  ],
  [
    'a session',
    'claude-code.hooks',
    { 'misstep.framework': 'claude-code', 'misstep.session.id': 's-3' },
    [{ name: 'session', id: 's-3' }],
  ],
  ['any other span', 'x', { 'session.id': 's-3' }, []],
])('%s', (_, scope, attributes, ids) => {
  expect(senderIdsOf(makeSpan({ scope: { name: scope, version: '' }, attributes }))).toEqual(ids);
});
