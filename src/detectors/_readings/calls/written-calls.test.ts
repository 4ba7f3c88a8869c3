import { describe, expect, it } from 'vitest';
import type { Trace } from '../../../core/trace.ts';
import { parseTrace } from '../../_testing/notation.ts';
import { toolUses } from './calls.ts';
import { writtenCalls } from './written-calls.ts';

const json = JSON.stringify;

/** A run that alternates between answers and replies. */
function chat(turns: readonly (readonly [answer: string, reply: string | null])[], replyBy = 'message env'): Trace {
  const lines = turns.flatMap(([answer, reply]) => [
    'agent solver',
    `llm m -> ${json(answer)}`,
    ...(reply === null ? [] : ['agent env', `${replyBy} ${json(reply)}`]),
  ]);
  return parseTrace(['user "Find the fox."', ...lines].join('\n'));
}

const SEARCHES = [
  ['Thought: a\nAction: Search[fox]', 'No results'],
  ['Thought: b\nAction: Search[red fox]', 'A fox is an animal.'],
  ['Thought: c\nAction: Lookup[fur]', 'Its fur is red.'],
] as const;

const COMMANDS = [
  ['I list.\n```bash\nls\n```', 'a.txt'],
  ['I read.\n```bash\ncat a.txt\n```', 'red'],
  ['I count.\n```bash\nwc -l a.txt\n```', '1'],
] as const;

describe('writtenCalls', () => {
  it('pairs the calls of the answers with the replies', () => {
    const calls = writtenCalls(chat([...SEARCHES, ['Finish: the fur is red.', null]]));
    expect(calls.map(({ name, arguments: args, result, agent }) => [name, args, result, agent])).toEqual([
      ['Search', 'fox', 'No results', 'solver'],
      ['Search', 'red fox', 'A fox is an animal.', 'solver'],
      ['Lookup', 'fur', 'Its fur is red.', 'solver'],
    ]);
    expect(calls[0]).toMatchObject({ requestedAt: 1, step: 2 });
  });

  it('reads replies from the history of the next model call', () => {
    const trace = chat(SEARCHES.map(([answer]) => [answer, null]));
    const [, first, second, third] = trace.steps;
    const message = (role: string, content: string) => ({ role, content, name: null, toolCalls: [], toolCallId: null });
    second!.inputMessages = [message('assistant', first!.output), message('user', 'Observation: none')];
    third!.inputMessages = [message('assistant', second!.output), message('user', 'Observation: a fox')];
    trace.steps.push({
      ...third!,
      index: 4,
      output: 'Action: Finish[red]',
      inputMessages: [message('assistant', third!.output), message('user', 'Observation: red')],
    });
    expect(writtenCalls(trace).map(({ result }) => result)).toEqual([
      'Observation: none',
      'Observation: a fox',
      'Observation: red',
      null,
    ]);
  });

  it('reads commands that a program answers', () => {
    const uses = toolUses(chat(COMMANDS));
    expect(uses.map(({ command, resultText }) => [command, resultText])).toEqual([
      ['ls', 'a.txt'],
      ['cat a.txt', 'red'],
      ['wc -l a.txt', '1'],
    ]);
  });

  it.each([
    ['fewer than three calls', chat(SEARCHES.slice(0, 2))],
    ['commands that a person answers', chat(COMMANDS, 'user')],
    [
      'answers of which most have no call',
      chat([...SEARCHES, ['Hello.', 'a'], ['How are you?', 'b'], ['I see.', 'c']]),
    ],
    [
      'several agents',
      parseTrace(
        [...SEARCHES].map(([answer], at) => `agent a${at}\nllm m -> ${json(answer)}\nmessage env "x"`).join('\n'),
      ),
    ],
  ])('is empty for %s', (_name, trace) => {
    expect(writtenCalls(trace)).toEqual([]);
  });

  it('is not used where calls are recorded', () => {
    const trace = parseTrace(
      [
        'agent solver',
        ...SEARCHES.flatMap(([answer, reply]) => [`llm m -> ${json(answer)}`, `tool env {} -> ${json(reply)}`]),
      ].join('\n'),
    );
    expect(toolUses(trace).map(({ name }) => name)).toEqual(['env', 'env', 'env']);
  });

  it('reads commands in the role of the user with a common frame', () => {
    const framed = chat(
      COMMANDS.map(([answer, reply]) => [answer, `<returncode>0</returncode>\n${reply}`]),
      'user',
    );
    expect(toolUses(framed)).toHaveLength(3);
  });
});
