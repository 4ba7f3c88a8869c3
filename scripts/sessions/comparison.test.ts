import { describe, expect, it } from 'vitest';
import { compare } from './comparison.ts';
import { report } from './comparison-report.ts';
import { type ProductSession, productSession } from './product-session.ts';
import { recount } from './recount.ts';
import type { SessionCount } from './session-count.ts';
import { parseSession } from './session-file.ts';

const usage = {
  input_tokens: 1000,
  cache_read_input_tokens: 100_000,
  cache_creation_input_tokens: 3000,
  cache_creation: { ephemeral_5m_input_tokens: 1000, ephemeral_1h_input_tokens: 2000 },
  output_tokens: 400,
};
const at = (second: number) => ({ sessionId: 's-1', timestamp: `2026-03-01T10:00:0${second}.000Z` });
const SESSION = [
  { ...at(0), type: 'user', uuid: 'u1', message: { role: 'user', content: 'rename the option' } },
  {
    ...at(1),
    type: 'assistant',
    uuid: 'a1',
    parentUuid: 'u1',
    message: {
      id: 'm1',
      model: 'claude-opus-4-5-20251101',
      usage,
      content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'make' } }],
    },
  },
  {
    ...at(2),
    type: 'user',
    uuid: 'u2',
    parentUuid: 'a1',
    message: { content: [{ type: 'tool_result', tool_use_id: 't1', is_error: true, content: 'Exit code 2' }] },
  },
  {
    ...at(3),
    type: 'assistant',
    uuid: 'a2',
    parentUuid: 'u2',
    message: { id: 'm2', model: 'claude-opus-4-5-20251101', usage, content: [{ type: 'text', text: 'It fails.' }] },
  },
];

function counted(): SessionCount {
  const count = recount(parseSession(SESSION.map((line) => JSON.stringify(line)).join('\n')));
  if (!count) throw new Error('the sample session is not recognised');
  return count;
}

const shown = {
  cost_usd: 2 * 0.09125,
  total_tokens: 2 * 104_400,
  framework: 'claude-code',
  spans: [
    { status: { code: 0 }, step: { kind: 'agent' }, attributes: { 'misstep.session.ended_by': 'completed' } },
    { status: { code: 2 }, step: { kind: 'tool' }, attributes: { 'gen_ai.tool.call.id': 't1' } },
  ],
};
const same: ProductSession = productSession([shown]);

describe('comparison of a recount with the product', () => {
  it('agrees when every figure agrees', () => {
    expect(compare('a', counted(), same).differences).toEqual([]);
  });

  // Each row must be reported, which shows that the comparison works.
  const rows: [string, Partial<ProductSession>, string][] = [
    ['a cost 3 % too high', { costUsd: 0.1825 * 1.03 }, 'cost $0.1825 / $0.1880'],
    ['no cost', { costUsd: null }, 'cost $0.1825 / none'],
    ['tokens that are missing', { totalTokens: 104_400 }, 'tokens 208800 / 104400'],
    ['a failure that is missing', { failedIds: [] }, '1 failed calls missed'],
    ['a failure without a flag', { failedIds: ['t1', 't9'] }, '1 calls marked failed without a flag'],
    ['a call that is missing', { toolCalls: 0 }, 'tool calls 1 / 0'],
    ['a refusal that did not happen', { userRefusals: 1 }, 'refusals 0 / 1'],
    ['another end', { endedBy: 'unknown' }, 'end completed / unknown'],
    ['a session in two traces', { traces: 2 }, '2 traces'],
    ['a file that was not read', { isRead: false }, 'not read'],
  ];
  it.each(rows)('reports %s', (_, change, difference) => {
    const comparison = compare('made-up.jsonl', counted(), { ...same, ...change });
    expect(comparison.differences).toEqual([difference]);
    expect(report([comparison])).toMatch(/made-up\.jsonl .*DIFFERENT: /);
  });

  it('shows a session that agrees and one that differs, and counts both', () => {
    const differing = compare('b', counted(), { ...same, costUsd: 1 });
    const text = report([compare('a', counted(), same), differing]);
    expect(text).toMatch(/^a .*same$/m);
    expect(text).toMatch(/^b .*DIFFERENT: cost \$0\.1825 \/ \$1\.0000$/m);
    expect(text).toContain('cost within 2 % in 1 of 2');
  });

  it('accepts a failure that the runner states if no exit code is recorded', () => {
    const count = { ...counted(), failedBySummaryIds: ['t9'] };
    expect(compare('a', count, { ...same, failedIds: ['t1', 't9'] }).differences).toEqual([]);
  });

  it('counts the calls of one script as one call', () => {
    const call = (id: string, code: number) => ({
      status: { code },
      step: { kind: 'tool' },
      attributes: { 'gen_ai.tool.call.id': id },
    });
    const product = productSession([{ spans: [call('c1/0', 0), call('c1/1', 2), call('c2', 0)] }]);
    expect([product.toolCalls, product.failedIds]).toEqual([2, ['c1']]);
  });

  it('names the part of the cost that the product left out or added', () => {
    const count = { ...counted(), subagentCostUsd: 0.1, copiedCostUsd: 0.5 };
    const costOf = (costUsd: number) => compare('a', count, { ...same, costUsd }).differences[0];
    expect(costOf(0.0825)).toContain('(without subagents)');
    expect(costOf(0.6825)).toContain('(with copied history)');
  });
});
