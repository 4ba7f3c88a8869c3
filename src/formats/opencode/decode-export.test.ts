import { describe, expect, test } from 'vitest';
import { outlineOf, readSession } from '../../../test/support/read-session.ts';

const T = 1_790_000_000_000;
const tokens = { input: 10, output: 5, reasoning: 2, cache: { read: 100, write: 7 } };

const user = (id: string, at: number, ...parts: object[]) => ({
  info: { id, role: 'user', time: { created: T + at } },
  parts,
});
const text = (words: string, more = {}) => ({ type: 'text', text: words, ...more });
const answer = (id: string, at: number, info: object, ...parts: object[]) => ({
  info: {
    id,
    role: 'assistant',
    time: { created: T + at, completed: T + at + 500 },
    modelID: 'gpt-5.1',
    providerID: 'openai',
    path: { cwd: '/w/app', root: '/w/app' },
    tokens,
    cost: 0.25,
    finish: 'stop',
    ...info,
  },
  parts,
});
const tool = (callID: string, name: string, state: object) => ({ type: 'tool', tool: name, callID, state });
const ran = (input: object, output: string, more: object = {}) => ({
  status: 'completed',
  input,
  output,
  time: { start: T + 100, end: T + 180 },
  ...more,
});
const failed = (error: string) => ({ status: 'error', input: {}, error, time: { start: T + 100, end: T + 110 } });

function session(info: object, ...messages: object[]): string {
  return JSON.stringify({
    info: { id: 'ses_1', title: 'Repair the clock', directory: '/w/app', time: { created: T }, ...info },
    messages,
  });
}

describe('an OpenCode export', () => {
  test('is a session with prompt, model call, tools and usage', () => {
    const { format, trace } = readSession(
      session(
        {},
        user('m1', 0, text('"Set the clock"'), text('read by the program', { synthetic: true })),
        answer(
          'm2',
          50,
          { finish: 'tool-calls' },
          tool('c1', 'bash', ran({ command: 'make' }, 'boom', { metadata: { exit: 2 } })),
        ),
        answer('m3', 600, {}, text('It ticks.')),
      ),
    );
    expect(format).toBe('opencode-export');
    expect(outlineOf(trace)).toEqual([
      'agent Repair the clock',
      'message user "Set the clock"',
      'llm chat',
      'tool bash failed exit 2',
      'llm chat',
    ]);
    expect(trace).toMatchObject({
      framework: 'opencode',
      name: 'Repair the clock',
      task: 'Set the clock',
      finalOutput: 'It ticks.',
      costUsd: 0.5,
      tokens: { input: 234, output: 14, cacheRead: 200, cacheWrite: 14, reasoning: 4 },
      codingSession: { title: 'Repair the clock', project: '/w/app', endedBy: 'completed' },
    });
    expect(trace.steps[3]).toMatchObject({
      messageId: 'm2',
      startMs: T + 100,
      endMs: T + 180,
      workingDirectory: '/w/app',
    });
  });

  test.each<[string, object, string, object]>([
    [
      'that the user refused with a reason',
      failed('The user rejected permission to use this specific tool call with the following feedback: not there'),
      'tool edit failed refused by user: not there',
      { endedBy: 'refused' },
    ],
    [
      'a rule forbids',
      failed('The user has specified a rule which prevents you from using this specific tool call'),
      'tool edit failed refused by policy: The user has specified a rule which prevents you from using this specific tool call',
      { endedBy: 'unknown' },
    ],
    ['that failed', failed('oldString not found'), 'tool edit failed', { endedBy: 'unknown' }],
    [
      'that still runs',
      { status: 'running', input: {}, time: { start: T + 100 } },
      'tool edit',
      { endedBy: 'unknown' },
    ],
  ])('a call %s', (_, state, line, end) => {
    const { trace } = readSession(
      session({}, user('m1', 0, text('Go')), answer('m2', 50, { finish: 'tool-calls' }, tool('c1', 'edit', state))),
    );
    expect(outlineOf(trace)[3]).toBe(line);
    expect(trace.codingSession).toMatchObject(end);
  });

  test.each<[string, object, string]>([
    ['an aborted message', { error: { name: 'MessageAbortedError' }, finish: undefined }, 'interrupted'],
    ['a failed one', { error: { name: 'APIError', data: { message: 'overloaded' } }, finish: undefined }, 'api_error'],
    ['one that was cut', { finish: 'length' }, 'limit'],
  ])('ends by %s', (_, info, endedBy) => {
    const { trace } = readSession(session({}, user('m1', 0, text('Go')), answer('m2', 50, info, text('Well'))));
    expect(trace.codingSession?.endedBy).toBe(endedBy);
    expect(trace.status).toBe(endedBy === 'api_error' ? 'error' : 'ok');
  });

  test.each([
    ['a placeholder', 'New session - 2026-07-24T16:27:19.319Z'],
    ['an id', 'Host 0b5c1f0e-8d3b-4a39-9a42-30a8d6b4a111'],
  ])('a title that is %s does not name the session', (_, title) => {
    const { trace } = readSession(
      session({ title, parentID: 'ses_0' }, user('m1', 0, text('Paint the fence\nin red'))),
    );
    expect(trace.name).toBe('Paint the fence');
    expect(trace.codingSession).toMatchObject({ title: null, parentId: 'ses_0', endedBy: 'unknown' });
  });

  test('usage of several steps in one message is added up, and a compaction is a step', () => {
    const step = { type: 'step-finish', tokens: { input: 1, output: 1, reasoning: 0, cache: { read: 4, write: 0 } } };
    const { trace } = readSession(
      session({}, user('m1', 0, { type: 'compaction', auto: true }), answer('m2', 50, {}, step, step, text('Done'))),
    );
    expect(trace.tokens).toMatchObject({ input: 10, output: 2, cacheRead: 8 });
    expect(outlineOf(trace)).toContain('other compaction auto null');
  });

  test('a broken message is rejected alone', () => {
    const { trace, rejected } = readSession(session({}, { info: 3 }, user('m1', 0, text('Go'))));
    expect(rejected).toEqual(['/messages/0']);
    expect(trace.task).toBe('Go');
  });
});
