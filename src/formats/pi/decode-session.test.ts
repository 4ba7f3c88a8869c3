import { describe, expect, test } from 'vitest';
import { jsonLines, outlineOf, readSession } from '../../../test/support/read-session.ts';

const at = (second: number) => `2026-03-02T08:00:${String(second).padStart(2, '0')}.000Z`;
const head = (more = {}) => ({ type: 'session', id: 'pi-1', timestamp: at(0), cwd: '/w/shop', ...more });
const message = (second: number, content: object) => ({ type: 'message', timestamp: at(second), message: content });
const user = (second: number, words: string) =>
  message(second, { role: 'user', content: [{ type: 'text', text: words }] });
const cost = { total: 0.5 };
const answer = (second: number, content: object[], more = {}) =>
  message(second, {
    role: 'assistant',
    content,
    provider: 'anthropic',
    model: 'claude-opus-4-5',
    usage: { input: 3, output: 4, cacheRead: 20, cacheWrite: 10, cost },
    stopReason: 'stop',
    ...more,
  });
const call = (id: string, name: string) => ({ type: 'toolCall', id, name, arguments: { path: 'a' } });
const result = (second: number, toolCallId: string, toolName: string, text: string, isError: boolean) =>
  message(second, { role: 'toolResult', toolCallId, toolName, content: [{ type: 'text', text }], isError });

describe.each([
  ['an older session, without version and ids', {}],
  ['a newer session', { version: 3 }],
])('%s of Pi', (_, version) => {
  test('has prompt, model calls, tools and usage', () => {
    const { format, trace } = readSession(
      jsonLines(
        head(version),
        user(1, '/model'),
        user(2, 'Count the apples'),
        answer(3, [call('c1', 'bash'), call('c2', 'read')], { stopReason: 'toolUse' }),
        result(4, 'c1', 'bash', 'none\n\nCommand exited with code 3', true),
        result(5, 'c2', 'read', 'Command exited with code 3', false),
        answer(6, [{ type: 'text', text: 'Six.' }]),
      ),
    );
    expect(format).toBe('pi-session');
    expect(outlineOf(trace)).toEqual([
      'agent Count the apples',
      'message user "/model"',
      'message user "Count the apples"',
      'llm chat',
      'tool bash failed exit 3',
      'tool read',
      'llm chat',
    ]);
    expect(trace).toMatchObject({
      framework: 'pi',
      task: 'Count the apples',
      costUsd: 1,
      tokens: { input: 66, output: 8, cacheRead: 40, cacheWrite: 20 },
      codingSession: { project: '/w/shop', endedBy: 'completed' },
    });
    expect(trace.steps[4]?.messageId).toBe(trace.steps[5]?.messageId);
  });
});

describe('a session of Pi', () => {
  test.each<[string, object, string]>([
    ['was aborted', { stopReason: 'aborted' }, 'interrupted'],
    ['failed', { stopReason: 'error', errorMessage: '529 overloaded' }, 'api_error'],
    ['was cut', { stopReason: 'length' }, 'limit'],
  ])('whose last answer %s has that end', (_, more, endedBy) => {
    const { trace } = readSession(jsonLines(head(), user(1, 'Go'), answer(2, [{ type: 'text', text: 'We' }], more)));
    expect(trace.codingSession?.endedBy).toBe(endedBy);
  });

  test('has its parent, title and compactions; a command of the user is not a prompt', () => {
    const { trace } = readSession(
      jsonLines(
        head({ branchedFrom: '/home/u/.pi/agent/sessions/--w--/2026-03-01_pi-0.jsonl' }),
        user(1, 'Go'),
        { type: 'compaction', timestamp: at(2), tokensBefore: 175_000, summary: 'so far' },
        message(3, { role: 'bashExecution', command: 'ls', output: 'a b', exitCode: 0 }),
        { type: 'session_info', timestamp: at(4), name: 'Apples' },
        { type: 'session', id: 'pi-9', timestamp: at(5), cwd: '/' },
      ),
    );
    expect(outlineOf(trace)).toEqual([
      'agent Apples',
      'message user "Go"',
      'other compaction null 175000',
      'message shell "! ls\\na b"',
    ]);
    expect(trace.codingSession).toMatchObject({ parentId: 'pi-0', title: 'Apples' });
  });

  test.each([
    ['a newer version of the file', jsonLines(head({ version: 4 }), { ...user(1, 'Go'), id: 'e1' })],
    [
      'its own folder',
      jsonLines(head({ version: 3, cwd: '/home/u/.openclaw/workspace' }), { ...user(1, 'Go'), id: 'e1' }),
    ],
    [
      'an own entry type',
      jsonLines(
        head({ version: 3 }),
        { type: 'custom', customType: 'model-snapshot', id: 'e0', timestamp: at(1), data: {} },
        { ...user(1, 'Go'), id: 'e1' },
      ),
    ],
  ])('is one of OpenClaw by %s', (_, body) => {
    expect(readSession(body)).toMatchObject({ format: 'openclaw', trace: { framework: 'openclaw' } });
  });
});
