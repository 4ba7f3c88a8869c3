import { describe, expect, test } from 'vitest';
import { jsonLines, outlineOf, readSession } from '../../../test/support/read-session.ts';

const T = 1_791_000_000_000;
const head = {
  version: 1,
  session_id: 'k1',
  started_at: '2026-10-02T10:40:00.000Z',
  ended_at: '2026-10-02T10:41:00.000Z',
  status: 'cancelled',
  cwd: '/w/boat/deck',
  workspace_root: '/w/boat',
  prompt: 'Caulk the hull',
  metadata: { title: 'Caulk the hull', git: { branch: 'dock' } },
  messages_path: '/home/u/.cline/k1.messages.json',
};
const metrics = { inputTokens: 40, outputTokens: 4, cacheReadTokens: 25, cacheWriteTokens: 1 };
const user = (id: string, at: number, ...content: object[]) => ({ id, role: 'user', ts: T + at, content });
const text = (words: string) => ({ type: 'text', text: words });
const answer = (id: string, at: number, ...content: object[]) => ({
  id,
  role: 'assistant',
  ts: T + at,
  content,
  modelInfo: { id: 'gpt-5.1', provider: 'openai' },
  metrics,
});
const call = (id: string, name: string, input: object = {}) => ({ type: 'tool_use', id, name, input });
const result = (tool_use_id: string, content: unknown, more = {}) => ({
  type: 'tool_result',
  tool_use_id,
  content,
  ...more,
});
const session = (...messages: unknown[]) => ({
  version: 1,
  updated_at: '2026-10-02T10:41:00.000Z',
  agent: 'lead',
  sessionId: 'k1',
  messages,
});

const whole = session(
  user('m1', 0, text('<user_input mode="yolo">Caulk the hull</user_input>')),
  user('m2', 1, text('[SYSTEM] Call submit_and_exit at the end.')),
  answer('m3', 2, call('c1', 'run_commands', { commands: ['caulk'] })),
  user(
    'm4',
    3,
    result('c1', [{ query: 'caulk', result: 'no tar', error: 'Command exited with code 4', success: false }]),
  ),
  answer('m5', 4, call('c2', 'submit_and_exit', { summary: 'The hull is tight.' })),
  user('m6', 5, result('c2', 'Submission recorded.')),
);

describe('a session of Cline', () => {
  test('has prompt, model calls, tools and usage in its messages', () => {
    const { format, trace } = readSession(JSON.stringify(whole, null, 2));
    expect(format).toBe('cline-session');
    expect(outlineOf(trace)).toEqual([
      'agent Caulk the hull',
      'message user "Caulk the hull"',
      'llm chat',
      'tool run_commands failed exit 4',
      'llm chat',
      'tool submit_and_exit',
    ]);
    expect(trace).toMatchObject({
      framework: 'cline',
      finalOutput: 'The hull is tight.',
      tokens: { input: 80, output: 8, cacheRead: 50, cacheWrite: 2 },
      codingSession: { endedBy: 'completed' },
    });
  });

  test('has project, branch and end in its other file', () => {
    const { format, trace } = readSession(JSON.stringify(head));
    expect(format).toBe('cline-session');
    expect(trace).toMatchObject({
      name: 'Caulk the hull',
      task: 'Caulk the hull',
      codingSession: { title: null, project: '/w/boat', branch: 'dock', endedBy: 'interrupted' },
    });
  });

  test.each([
    ['first', [head, whole]],
    ['last', [whole, head]],
  ])('is one trace of both files, with the file without messages %s', (_, files) => {
    const { trace } = readSession(jsonLines(...files));
    expect(trace.codingSession).toMatchObject({ project: '/w/boat', branch: 'dock' });
    expect(trace.steps).toHaveLength(6);
  });

  test.each<[string, unknown, object, string]>([
    ['JSON as text', JSON.stringify({ query: 'q', result: 'fine', success: true }), {}, 'tool edit'],
    ['JSON that reports a failure', JSON.stringify({ query: 'q', result: '', success: false }), {}, 'tool edit failed'],
    ['a flagged text', 'no such file', { is_error: true }, 'tool edit failed'],
    ['a text about an exit code', 'Command exited with code 4', {}, 'tool edit'],
  ])('a result that is %s', (_, content, more, step) => {
    const body = session(
      user('m1', 0, text('Go')),
      answer('m2', 1, call('c1', 'edit')),
      user('m3', 2, result('c1', content, more)),
    );
    expect(outlineOf(readSession(JSON.stringify(body)).trace)[3]).toBe(step);
  });

  test('a broken message is rejected alone', () => {
    const { trace, rejected } = readSession(JSON.stringify(session('odd', user('m1', 0, text('Go')))));
    expect(rejected).toEqual(['/messages/0/ts']);
    expect(trace.task).toBe('Go');
  });
});
