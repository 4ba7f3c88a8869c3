import { describe, expect, it } from 'vitest';
import { makeSpan } from '../../../test/support/make-span.ts';
import { TraceBuilder } from '../../../test/support/trace-builder.ts';
import type { Span } from '../../core/span.ts';
import type { Trace } from '../../core/trace.ts';
import { EMPTY_CATALOG } from '../../formats/model-catalog/catalog.ts';
import { buildTrace } from '../../formats/trace-model/build-trace.ts';
import { MAX_EDGES, MAX_NODES } from './graph-bounds.ts';
import { graphOf, traceGraphRecord } from './trace-graph.ts';

/** `planner -call-> search 2` */
function edgesOf(trace: Trace): string[] {
  const { nodes, edges } = traceGraphRecord.parse(graphOf('t', trace));
  const nameOf = new Map(nodes.map(({ id, name }) => [id, name]));
  return edges
    .map(({ from, to, kind, count, errors }) => {
      const failed = errors > 0 ? ` (${errors} failed)` : '';
      return `${nameOf.get(from)} -${kind}-> ${nameOf.get(to)} ${count}${failed}`;
    })
    .toSorted();
}

const AGENT = { kind: 'agent' } as const;
const failure = { error: { type: 'Timeout', message: 'no answer' } };

const CHAT = { 'gen_ai.operation.name': 'chat' };
const FAILED = { code: 2, message: 'no answer' } as const;
const usage = (input: number, output: number, cost: number) => ({
  'gen_ai.usage.input_tokens': input,
  'gen_ai.usage.output_tokens': output,
  'gen_ai.usage.cost': cost,
});
const agentSpan: Partial<Span> = {
  spanId: 'a',
  attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'planner', ...usage(30, 3, 0.5) },
};
const traceOf = (spans: Partial<Span>[]) => buildTrace(spans.map(makeSpan), { models: EMPTY_CATALOG, isSettled: true });

describe('the graph of a trace', () => {
  it.each<[string, TraceBuilder, string[]]>([
    [
      'calls of tools, with failures',
      new TraceBuilder()
        .agent('planner')
        .tool('search', {}, 'a')
        .tool('search', {}, null, failure)
        .tool('pay', {}, 'b'),
      ['planner -call-> pay 1', 'planner -call-> search 2 (1 failed)'],
    ],
    ['a tool that no agent called', new TraceBuilder().tool('search', {}, 'a'), ['run -call-> search 1']],
    [
      'a tool and an agent of one name',
      new TraceBuilder().agent('search').tool('search', {}, 'a'),
      ['search -call-> search 1'],
    ],
    [
      'agents that act one after the other',
      new TraceBuilder().agent('planner').llm('a').llm('b').agent('writer').llm('c').agent('planner').llm('d'),
      ['planner -handoff-> writer 1', 'writer -handoff-> planner 1'],
    ],
    [
      'agents that act at the same time',
      new TraceBuilder().agent('planner').llm('a', { durationMs: 5_000 }).agent('writer').llm('c'),
      [],
    ],
    [
      'nodes of a graph without agents, and a node that runs again',
      new TraceBuilder()
        .step({ kind: 'chain', name: 'graph' })
        .step({ kind: 'chain', name: 'load', node: 'load', parent: 0 })
        .step({ kind: 'chain', name: 'price', node: 'price', parent: 0 })
        .step({ kind: 'chain', name: 'inside', node: 'price', parent: 2 })
        .step({ kind: 'chain', name: 'price', node: 'price', parent: 0 }),
      ['load -handoff-> price 1', 'price -handoff-> price 1'],
    ],
    [
      'agents under spans that name none',
      new TraceBuilder()
        .step({ kind: 'chain', name: 'graph' })
        .step({ kind: 'chain', name: 'plan', parent: 0 })
        .step({ kind: 'llm', agent: 'planner', parent: 1 })
        .step({ kind: 'chain', name: 'write', parent: 0 })
        .step({ kind: 'llm', agent: 'writer', parent: 3 }),
      ['planner -handoff-> writer 1'],
    ],
    [
      'agents inside of another one, which are no hand-offs between each other',
      new TraceBuilder()
        .step({ ...AGENT, agent: 'boss' })
        .step({ ...AGENT, agent: 'planner', parent: 0 })
        .step({ kind: 'llm', agent: 'planner', parent: 1 })
        .step({ ...AGENT, agent: 'writer', parent: 0 })
        .step({ ...AGENT, agent: 'planner', parent: 0 }),
      ['boss -delegation-> planner 2', 'boss -delegation-> writer 1'],
    ],
    [
      'a hand-off to an agent that never acts',
      new TraceBuilder().agent('planner').tool('transfer_to_billing', {}, 'ok').llm('done'),
      ['planner -call-> transfer_to_billing 1', 'planner -handoff-> billing 1 (1 failed)'],
    ],
    [
      'a hand-off that spells the agent in another way, once',
      new TraceBuilder().agent('planner').tool('transfer_to_billing', {}, 'ok').agent('Billing Agent').llm('done'),
      ['planner -call-> transfer_to_billing 1', 'planner -handoff-> Billing Agent 1'],
    ],
    ['no steps', new TraceBuilder(), []],
  ])('shows %s', (_name, builder, expected) => {
    expect(edgesOf(builder.build())).toEqual(expected);
  });

  it('sums steps, failures, tokens and cost of a node', () => {
    // Like many senders, the agent repeats the usage of its calls.
    const trace = traceOf([
      agentSpan,
      { spanId: 'b', parentSpanId: 'a', attributes: { ...CHAT, ...usage(10, 1, 0.25) } },
      { spanId: 'c', parentSpanId: 'a', attributes: { ...CHAT, ...usage(20, 2, 0.25) }, status: FAILED },
      { spanId: 'd', parentSpanId: 'a', attributes: { 'gen_ai.tool.name': 'search' } },
    ]);
    expect(graphOf('t', trace).nodes).toEqual([
      {
        id: 'n0',
        kind: 'agent',
        name: 'planner',
        members: 1,
        steps: 4,
        errors: 1,
        tokens: 33,
        cost_usd: 0.5,
        first_step: 0,
      },
      {
        id: 'n1',
        kind: 'tool',
        name: 'search',
        members: 1,
        steps: 1,
        errors: 0,
        tokens: 0,
        cost_usd: null,
        first_step: 3,
      },
    ]);
  });

  it('counts the tokens and cost of an agent whose calls have no spans', () => {
    expect(graphOf('t', traceOf([agentSpan])).nodes).toMatchObject([{ name: 'planner', tokens: 33, cost_usd: 0.5 }]);
  });

  it('joins the rarest agents and tools of a trace with too many, and loses no call', () => {
    const builder = new TraceBuilder();
    for (let at = 0; at < 3_000; at += 1) builder.agent(`agent ${at % 300}`).tool(`tool ${at % 150}`, {}, 'a');
    builder.repeat(50, (each) => each.agent('agent 299').tool('tool 149', {}, 'a'));
    const graph = graphOf('t', builder.build());
    expect(graph.nodes.length).toBeLessThanOrEqual(MAX_NODES);
    const joined = graph.nodes.filter(({ name }) => name === null);
    expect(joined.map(({ kind, members }) => `${kind} ${members}`).toSorted()).toEqual(['agent 252']);
    expect(graph.nodes.reduce((sum, { members }) => sum + members, 0)).toBe(450);
    const calls = graph.edges.filter(({ kind }) => kind === 'call');
    expect(calls.reduce((sum, { count }) => sum + count, 0)).toBe(3_050);
    const ids = new Set(graph.nodes.map(({ id }) => id));
    for (const { from, to } of graph.edges) expect([ids.has(from), ids.has(to)]).toEqual([true, true]);
    expect(graph.note).toBe('252 agents with the fewest steps are one node.');
  });

  it('leaves out the rarest edges above the limit', () => {
    const builder = new TraceBuilder();
    for (let agent = 0; agent < 50; agent += 1)
      for (let tool = 0; tool < 30; tool += 1) builder.agent(`agent ${agent}`).tool(`tool ${tool}`, {}, 'a');
    const { edges, edges_left_out: leftOut, note } = graphOf('t', builder.build());
    expect(edges).toHaveLength(MAX_EDGES);
    expect([leftOut, note]).toEqual([549, '549 edges with the lowest counts are left out.']);
  });

  it('cuts a name that is very long', () => {
    const trace = new TraceBuilder().agent('😀'.repeat(10_000)).llm('a').build();
    expect(graphOf('t', trace).nodes[0]!.name).toBe(`${'😀'.repeat(150)}…`);
  });
});
