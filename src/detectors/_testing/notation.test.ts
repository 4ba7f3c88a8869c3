import { describe, expect, it } from 'vitest';
import { parseTrace } from './notation.ts';

describe('parseTrace', () => {
  it('reads every kind of line', () => {
    const trace = parseTrace(`
# a comment
framework langgraph
task "find it"
offers search {"type":"object"}
graph start -> planner
user "hello"
agent researcher
llm gpt-4o 1200/50 cost 0.02 finish stop -> "thinking: [1]" calls search {"q":"a -> b"}
tool search {"q":"x"} -> {"hits":[1,2]}
tool fetch {} !! TimeoutError: too slow
retrieval "query" -> ["one","two"]
node router goto writer
  node inner -> "text"
state {"a":1}
state {"a":1,"b":2}`);
    expect(trace).toMatchObject({
      framework: 'langgraph',
      task: 'find it',
      status: 'ok',
      finalOutput: 'thinking: [1]',
    });
    expect(trace.agents).toEqual(['user', 'researcher', 'router', 'inner']);
    expect(trace.tokens.total).toBe(1250);
    expect(trace.steps.map((step) => [step.kind, step.agent, step.parent])).toEqual([
      ['message', 'user', null],
      ['llm', 'researcher', null],
      ['tool', 'researcher', null],
      ['tool', 'researcher', null],
      ['retrieval', 'researcher', null],
      ['chain', 'router', null],
      ['chain', 'inner', 5],
    ]);
    expect(trace.steps[1]!.outputMessages[0]!.toolCalls[0]).toMatchObject({
      name: 'search',
      arguments: { q: 'a -> b' },
    });
    expect(trace.steps[2]!.tool).toMatchObject({ arguments: { q: 'x' }, result: { hits: [1, 2] } });
    expect(trace.steps[3]).toMatchObject({ status: 'error', error: { type: 'TimeoutError', message: 'too slow' } });
    expect(trace.steps[4]!.documents.map((document) => document.content)).toEqual(['one', 'two']);
    expect(trace.steps[5]!.goto).toEqual(['writer']);
    expect(trace.states.map((state) => state.delta)).toEqual([null, { b: 2 }]);
    expect(trace.graph!.edges).toEqual([{ from: 'start', to: 'planner' }]);
  });

  it('repeats a block with the number of each round', () => {
    const trace = parseTrace('span top\n  repeat 2\n    tool next {"n":{n}} -> "item {n}"\nllm m -> "end"');
    expect(trace.steps.map((step) => [step.output, step.parent])).toEqual([
      ['', null],
      ['item 1', 0],
      ['item 2', 0],
      ['end', null],
    ]);
  });

  it.each([
    ['an unknown word', 'sing "x"'],
    ['text after the end of a line', 'user "x" y'],
    ['a text without quotes', 'user hello'],
    ['broken JSON', 'state {"a":'],
  ])('rejects %s', (_, text) => {
    expect(() => parseTrace(text)).toThrow('notation');
  });
});
