import { describe, expect, test } from 'vitest';
import { jsonLines, outlineOf, readSession } from '../../../test/support/read-session.ts';

const at = (second: number) => `2026-04-03T09:00:${String(second).padStart(2, '0')}.000Z`;
const head = { sessionId: 'g1', projectHash: 'ab12', startTime: at(0), lastUpdated: at(0), kind: 'main' };
const context =
  '<session_context>\nThis is the setup.\n- **Workspace Directories:**\n  - /w/garden\n- **Directory Structure:**\n</session_context>';
const user = (id: string, second: number, words: string) => ({
  id,
  timestamp: at(second),
  type: 'user',
  content: [{ text: words }],
});
const gemini = (id: string, second: number, content: string, more = {}) => ({
  id,
  timestamp: at(second),
  type: 'gemini',
  content,
  model: 'gemini-2.5-pro',
  tokens: { input: 50, output: 6, cached: 20, thoughts: 4, tool: 0, total: 60 },
  ...more,
});
const call = (name: string, status: string, response: object, second = 5) => ({
  id: `${name}_1`,
  name,
  args: { a: 1 },
  status,
  timestamp: at(second),
  result: [{ functionResponse: { id: `${name}_1`, name, response } }],
});
const shellOutput = 'Output: dry\nExit Code: 2\nProcess Group PGID: 4711\n</untrusted_context>';
const messages = [
  user('u0', 0, context),
  user('u1', 1, 'Water the beds'),
  gemini('m1', 2, '', { toolCalls: [call('run_shell_command', 'success', { output: shellOutput })] }),
  { id: 'u2', timestamp: at(6), type: 'user', content: [{ functionResponse: { name: 'run_shell_command' } }] },
  gemini('m2', 7, 'All beds are wet.'),
];

describe.each([
  ['as one document', JSON.stringify({ ...head, messages }, null, 2)],
  ['as one line', JSON.stringify({ ...head, messages })],
  [
    'as JSON lines',
    jsonLines(
      head,
      { $set: { messages: messages.slice(0, 1), lastUpdated: at(1) } },
      messages[1],
      { ...messages[2], toolCalls: undefined },
      { $set: { lastUpdated: at(2) } },
      ...messages.slice(2),
    ),
  ],
])('a chat of Gemini CLI %s', (_, body) => {
  test('has prompt, model calls, tools and usage', () => {
    const { format, trace } = readSession(body);
    expect(format).toBe('gemini-chat');
    expect(outlineOf(trace)).toEqual([
      'agent Water the beds',
      'message user "Water the beds"',
      'llm chat',
      'tool run_shell_command failed exit 2',
      'llm chat',
    ]);
    expect(trace).toMatchObject({
      framework: 'gemini-cli',
      finalOutput: 'All beds are wet.',
      tokens: { input: 100, output: 20, cacheRead: 40, reasoning: 8 },
      codingSession: { project: '/w/garden', endedBy: 'completed' },
    });
  });
});

describe('a chat of Gemini CLI', () => {
  test.each<[string, object, string, string]>([
    [
      'the user refused',
      call('edit', 'cancelled', { error: '[Operation Cancelled] Reason: User did not allow tool call' }),
      'tool edit failed refused by user',
      'refused',
    ],
    [
      'the user stopped',
      call('edit', 'cancelled', { error: 'User cancelled the operation.' }),
      'tool edit failed',
      'interrupted',
    ],
    ['that failed', call('edit', 'error', { error: 'no such text' }), 'tool edit failed', 'unknown'],
    ['that reads an exit code', call('read_file', 'success', { output: 'Exit Code: 1' }), 'tool read_file', 'unknown'],
  ])('with a call %s', (_, toolCall, line, endedBy) => {
    const { trace } = readSession(jsonLines(head, user('u1', 1, 'Go'), gemini('m1', 2, '', { toolCalls: [toolCall] })));
    expect(outlineOf(trace)[3]).toBe(line);
    expect(trace.codingSession?.endedBy).toBe(endedBy);
  });

  test.each<[string, object, string, string]>([
    [
      'a compression',
      { type: 'info', content: 'Chat history compressed from 90,000 to 1200 tokens.' },
      'other compaction null 90000',
      'unknown',
    ],
    ['a cancelled request', { type: 'info', content: 'Request cancelled.' }, 'other interruption', 'interrupted'],
    ['an error of the API', { type: 'error', content: '[API Error: quota]' }, 'llm chat failed', 'api_error'],
  ])('with %s', (_, message, line, endedBy) => {
    const { trace } = readSession(jsonLines(head, user('u1', 1, 'Go'), { id: 'x', timestamp: at(2), ...message }));
    expect(outlineOf(trace)[2]).toBe(line);
    expect(trace.codingSession?.endedBy).toBe(endedBy);
  });

  test('keeps removed messages and is named by its summary', () => {
    const body = jsonLines(
      head,
      user('u1', 1, 'Go'),
      gemini('m1', 2, 'Left'),
      { $rewindTo: 'u1' },
      gemini('m1', 3, 'Right'),
      { $set: { summary: 'Which way' } },
    );
    const { trace } = readSession(body);
    expect(trace).toMatchObject({ name: 'Which way', finalOutput: 'Right' });
    expect(outlineOf(trace).filter((line) => line === 'llm chat')).toHaveLength(2);
  });
});
