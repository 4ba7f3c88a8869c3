import { describe, expect, test } from 'vitest';
import { readSession } from '../../../test/support/read-session.ts';

const at = (second: number) => `2026-05-01T09:00:${String(second).padStart(2, '0')}.000Z`;
const T = 1_790_000_000_000;

const claude = (second: number, type: string, content: object[] | string) => ({
  type,
  sessionId: 's1',
  uuid: `u${second}`,
  timestamp: at(second),
  message: { id: `m${second}`, role: type, model: 'claude-sonnet-4-5', content },
});
const codex = (second: number, type: string, payload: object) => ({ timestamp: at(second), type, payload });
const codexAnswer = (second: number, text: string) =>
  codex(second, 'response_item', {
    type: 'message',
    role: 'assistant',
    phase: 'final_answer',
    content: [{ type: 'output_text', text }],
  });
const copilot = (second: number, type: string, data: object) => ({
  type,
  data,
  id: `e${second}`,
  timestamp: at(second),
});
const gemini = (second: number, type: string, content: string) => ({
  id: `g${second}`,
  timestamp: at(second),
  type,
  content,
});
const qwen = (second: number, type: string, role: string, text: string) => ({
  uuid: `q${second}`,
  sessionId: 'q1',
  timestamp: at(second),
  type,
  message: { role, parts: [{ text }] },
});
const pi = (second: number, role: string, text: string) => ({
  type: 'message',
  timestamp: at(second),
  message: { role, content: [{ type: 'text', text }] },
});
const openCode = (id: string, role: string, second: number) => ({
  info: { id, role, time: { created: T + second, completed: T + second } },
  parts: [{ type: 'text', text: id }],
});
const cline = (id: string, role: string, second: number) => ({
  id,
  role,
  ts: T + second,
  content: [{ type: 'text', text: `<user_input>${id}</user_input>` }],
});
const trajectoryStep = (action: string) => ({ action, observation: 'done', response: action });

/** The records of a session, and how a file contains them. A null stands for a broken record. */
type File = { records: object[]; write: (records: (object | null)[]) => string };
const lines = (head: object | null, records: object[]): File => ({
  records,
  write: (written) =>
    [...(head === null ? [] : [head]), ...written]
      .map((record) => (record === null ? '{"broken' : JSON.stringify(record)))
      .join('\n'),
});

/** Each session has a request, an answer, another request and another answer. */
const SESSIONS: Record<string, File> = {
  'Claude Code': lines(null, [
    claude(1, 'user', 'Fix it'),
    claude(2, 'assistant', [{ type: 'text', text: 'Fixed.' }]),
    claude(3, 'user', 'And the other?'),
    claude(4, 'assistant', [{ type: 'text', text: 'Fixed, too.' }]),
  ]),
  Codex: lines(codex(0, 'session_meta', { id: 'c1', cwd: '/w' }), [
    codex(1, 'event_msg', { type: 'user_message', message: 'Fix it' }),
    codexAnswer(2, 'Fixed.'),
    codex(3, 'event_msg', { type: 'user_message', message: 'And the other?' }),
    codexAnswer(4, 'Fixed, too.'),
  ]),
  'Copilot CLI': lines(copilot(0, 'session.start', { sessionId: 's1', context: { cwd: '/w' } }), [
    copilot(1, 'user.message', { content: 'Fix it' }),
    copilot(2, 'assistant.message', { messageId: 'm2', model: 'm', content: 'Fixed.', toolRequests: [] }),
    copilot(3, 'user.message', { content: 'And the other?' }),
    copilot(4, 'assistant.message', { messageId: 'm4', model: 'm', content: 'Fixed, too.', toolRequests: [] }),
  ]),
  'Gemini CLI': lines({ sessionId: 'g1', projectHash: 'ab12', startTime: at(0) }, [
    gemini(1, 'user', 'Fix it'),
    gemini(2, 'gemini', 'Fixed.'),
    gemini(3, 'user', 'And the other?'),
    gemini(4, 'gemini', 'Fixed, too.'),
  ]),
  'Qwen Code': lines(null, [
    qwen(1, 'user', 'user', 'Fix it'),
    qwen(2, 'assistant', 'model', 'Fixed.'),
    qwen(3, 'user', 'user', 'And the other?'),
    qwen(4, 'assistant', 'model', 'Fixed, too.'),
  ]),
  Pi: lines({ type: 'session', id: 'pi-1', timestamp: at(0), cwd: '/w' }, [
    pi(1, 'user', 'Fix it'),
    pi(2, 'assistant', 'Fixed.'),
    pi(3, 'user', 'And the other?'),
    pi(4, 'assistant', 'Fixed, too.'),
  ]),
  OpenCode: {
    records: [
      openCode('a', 'user', 1),
      openCode('b', 'assistant', 2),
      openCode('c', 'user', 3),
      openCode('d', 'assistant', 4),
    ],
    write: (messages) => JSON.stringify({ info: { id: 'ses_1', directory: '/w', time: { created: T } }, messages }),
  },
  Cline: {
    records: [cline('a', 'user', 1), cline('b', 'assistant', 2), cline('c', 'user', 3), cline('d', 'assistant', 4)],
    write: (messages) => JSON.stringify({ version: 1, updated_at: at(5), agent: 'lead', sessionId: 'k1', messages }),
  },
  'SWE-agent': {
    records: ['open a', 'edit a', 'open b', 'submit'].map(trajectoryStep),
    write: (trajectory) =>
      JSON.stringify({ environment: 'env', trajectory, history: [], info: { exit_status: 'submitted' } }),
  },
};

describe.each(Object.entries(SESSIONS))('a session of %s', (_, { records, write }) => {
  const read = (broken: number | null) =>
    readSession(write(records.map((record, at) => (at === broken ? null : record))));

  test('that is whole has no rejected records', () => {
    const { trace } = read(null);
    expect([trace.rejectedRecords, trace.codingSession?.endedBy]).toEqual([undefined, 'completed']);
  });

  test('without a record in the middle still ended with an answer', () => {
    const { trace, rejected } = read(2);
    expect(rejected).toHaveLength(1);
    expect(trace.rejectedRecords).toMatchObject({ count: 1, isEndMissing: false });
    expect(trace.rejectedRecords!.afterStep).toBeLessThan(trace.steps.length - 1);
    expect(trace.codingSession?.endedBy).toBe('completed');
  });

  test('without its last record has no known end', () => {
    const { trace, rejected } = read(3);
    expect(rejected).toHaveLength(1);
    expect(trace.rejectedRecords).toEqual({ count: 1, afterStep: trace.steps.length - 1, isEndMissing: true });
    expect([trace.codingSession?.endedBy, trace.finalOutput]).toEqual(['unknown', null]);
  });
});
