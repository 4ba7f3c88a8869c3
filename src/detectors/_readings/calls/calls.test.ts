import { describe, expect, it } from 'vitest';
import type { Message, ToolCall } from '../../../core/trace.ts';
import { parseTrace } from '../../_testing/notation.ts';
import { addStep, emptyDraft, finishTrace } from '../../_testing/trace-draft.ts';
import { earlierCalls, isLookup, toolUses, unansweredCalls } from './calls.ts';

function message(role: string, content: string, toolCalls: ToolCall[] = [], toolCallId: string | null = null): Message {
  return { role, name: null, content, toolCalls, toolCallId };
}

function call(id: string | null, name: string, args = {}): ToolCall {
  return { id, name, arguments: args, result: null };
}

describe('toolUses', () => {
  it('reads spans and ignores the same calls in messages', () => {
    const uses = toolUses(parseTrace('agent a\nllm m calls search {"q":1}\ntool search {"q":1} -> "x"'));
    expect(uses.map(({ step, name, resultText, isError }) => [step, name, resultText, isError])).toEqual([
      [1, 'search', 'x', false],
    ]);
  });

  it.each([
    ['with ids', 'c1'],
    ['without ids', null],
  ])('reads messages if there are no spans, %s', (_, id) => {
    const draft = emptyDraft();
    const called = message('assistant', '', [call(id, 'search', { q: 1 })]);
    const result = message('tool', 'found', [], id);
    addStep(draft, { kind: 'llm', agent: 'a', inputMessages: [message('user', 'go')], outputMessages: [called] });
    addStep(draft, {
      kind: 'llm',
      agent: 'a',
      inputMessages: [message('user', 'go'), called, result],
      outputMessages: [message('assistant', 'done')],
    });
    addStep(draft, {
      kind: 'llm',
      agent: 'a',
      inputMessages: [message('user', 'go'), called, result, message('assistant', 'done')],
    });
    expect(toolUses(finishTrace(draft)).map(({ step, name, resultText }) => [step, name, resultText])).toEqual([
      [0, 'search', 'found'],
    ]);
  });

  it('reads the history if there is nothing else', () => {
    const draft = emptyDraft();
    const history = [message('assistant', '', [call('c1', 'search')]), message('tool', 'found', [], 'c1')];
    addStep(draft, { kind: 'llm', inputMessages: history });
    expect(toolUses(finishTrace(draft)).map((use) => use.resultText)).toEqual(['found']);
  });

  it('the answer of an agent span with the whole conversation adds no calls to those of its model calls', () => {
    const draft = emptyDraft();
    const called = message('assistant', '', [call('c1', 'search')]);
    const result = message('tool', 'found', [], 'c1');
    addStep(draft, { kind: 'agent', agent: 'a', outputMessages: [called, result, message('assistant', 'done')] });
    addStep(draft, { kind: 'llm', agent: 'a', inputMessages: [message('user', 'go')], outputMessages: [called] });
    addStep(draft, { kind: 'llm', agent: 'a', inputMessages: [message('user', 'go'), called, result] });
    expect(toolUses(finishTrace(draft)).map(({ step, resultText }) => [step, resultText])).toEqual([[1, 'found']]);
  });

  it('a result without an id belongs to a call of the agent that receives it', () => {
    const draft = emptyDraft();
    const [asked, counted] = [
      message('assistant', '', [call(null, 'ask')]),
      message('assistant', '', [call(null, 'count')]),
    ];
    addStep(draft, { kind: 'llm', agent: 'lead', outputMessages: [asked] });
    addStep(draft, { kind: 'llm', agent: 'clerk', outputMessages: [counted] });
    addStep(draft, { kind: 'llm', agent: 'clerk', inputMessages: [counted, message('tool', '41')] });
    addStep(draft, { kind: 'llm', agent: 'lead', inputMessages: [asked, message('tool', 'All are well.')] });
    expect(toolUses(finishTrace(draft)).map(({ name, resultText }) => [name, resultText])).toEqual([
      ['ask', 'All are well.'],
      ['count', '41'],
    ]);
  });

  it('the first recorded model call shows the calls before it, since the last message of the user', () => {
    const draft = emptyDraft();
    const messages = [
      message('user', 'go'),
      message('assistant', '', [call('c0', 'list')]),
      message('tool', 'of the turn before', [], 'c0'),
      message('user', 'go on'),
      message('assistant', '', [call('c1', 'search')]),
      message('tool', 'found', [], 'c1'),
    ];
    const next = message('assistant', '', [call('c2', 'search')]);
    addStep(draft, { kind: 'llm', agent: 'a', inputMessages: messages, outputMessages: [next] });
    const trace = finishTrace(draft);
    expect(earlierCalls(trace).map(({ name, resultText }) => [name, resultText])).toEqual([['search', 'found']]);
    expect(toolUses(trace).map(({ name, hasResult }) => [name, hasResult])).toEqual([['search', false]]);
    expect(unansweredCalls(trace).size).toBe(1);
  });

  it('an answer after the calls of the history: they are earlier calls only', () => {
    const draft = emptyDraft();
    const inputMessages = [message('assistant', '', [call('c1', 'search')]), message('tool', 'found', [], 'c1')];
    addStep(draft, { kind: 'llm', inputMessages, output: 'done', outputMessages: [message('assistant', 'done')] });
    const trace = finishTrace(draft);
    expect([earlierCalls(trace).length, toolUses(trace).length]).toEqual([1, 0]);
  });

  it('a requested call without a result did not run if the results of other calls are recorded', () => {
    const draft = emptyDraft();
    const called = message('assistant', '', [call('c1', 'search')]);
    addStep(draft, { kind: 'llm', agent: 'a', outputMessages: [called] });
    const input = [called, message('tool', 'found', [], 'c1')];
    const again = message('assistant', '', [call('c2', 'search')]);
    addStep(draft, { kind: 'llm', agent: 'a', inputMessages: input, outputMessages: [again] });
    expect([...unansweredCalls(finishTrace(draft))].map(({ step }) => step)).toEqual([1]);
    const withoutResults = emptyDraft();
    addStep(withoutResults, { kind: 'llm', agent: 'a', outputMessages: [called] });
    expect([...unansweredCalls(finishTrace(withoutResults))]).toEqual([]);
  });

  it('calls that differ only in argument order, ids and times are equal', () => {
    const [a, b, other] = toolUses(
      parseTrace(`
tool f {"a":1,"b":2,"request_id":"x"} -> "at 2026-01-01T10:00:00Z in 12 ms"
tool f {"b":2,"a":1,"request_id":"y"} -> "at 2026-01-01T11:30:09Z in 9 ms"
tool f {"b":2,"a":1} -> "on 2026-01-02"`),
    );
    expect([b!.argumentsText, b!.resultHash]).toEqual([a!.argumentsText, a!.resultHash]);
    expect(other!.resultHash).not.toBe(a!.resultHash);
  });

  it('distinguishes lookups from writes, and shell commands by their effect', () => {
    const uses = toolUses(
      parseTrace(
        'tool get_order {}\ntool cancel_order {}\ntool bash {"command":"ls -la"}\ntool bash {"command":"rm x"}',
      ),
    );
    expect(uses.map((use) => use.changesState)).toEqual([false, true, false, true]);
    expect(uses[2]!.command).toBe('ls -la');
  });

  it('an error text in the output of a shell is not a failure of the call', () => {
    expect(toolUses(parseTrace('tool bash {"command":"python t.py"} -> "ValueError: bad"'))[0]!.isError).toBe(false);
  });
});

describe('isLookup', () => {
  it.each([
    ['get_order', true],
    ['searchBooks', true],
    ['web_search', true],
    ['page_down', true],
    ['functions.read_file', true],
    ['save_search', false],
    ['update_status', false],
    ['book_flight', false],
    ['frobnicate', false],
  ])('%s: %s', (name, expected) => {
    expect(isLookup(name.slice(name.lastIndexOf('.') + 1))).toBe(expected);
  });
});

it('subagents of one name are different actors in a coding session, and one actor elsewhere', () => {
  const draft = (session: string) =>
    parseTrace(
      `${session}agent dev\nrepeat 2\n  agent explorer\n  span part{n}\n    tool Read {"file_path":"a"} -> "x"`,
    );
  const actors = (session: string) => {
    const trace = draft(session);
    for (const step of trace.steps) if (step.name.startsWith('part')) step.kind = 'agent';
    return new Set(toolUses(trace).map(({ actor }) => actor)).size;
  };
  expect([actors('session {"endedBy":"completed"}\n'), actors('')]).toEqual([2, 1]);
});
