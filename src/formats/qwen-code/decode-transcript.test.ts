import { describe, expect, test } from 'vitest';
import { jsonLines, outlineOf, readSession } from '../../../test/support/read-session.ts';
import { promptSpanId } from '../hooks/session-span.ts';

let count = 0;
const line = (type: string, more: object) => {
  count += 1;
  const timestamp = `2026-06-05T07:00:${String(count % 60).padStart(2, '0')}.000Z`;
  return { uuid: `u${count}`, sessionId: 'q1', timestamp, type, cwd: '/w/mill', gitBranch: 'flour', ...more };
};
const user = (words: string, more = {}) =>
  line('user', { provenance: 'real_user', message: { role: 'user', parts: [{ text: words }] }, ...more });
const usageMetadata = {
  promptTokenCount: 30,
  candidatesTokenCount: 8,
  thoughtsTokenCount: 2,
  totalTokenCount: 38,
  cachedContentTokenCount: 12,
};
const answer = (...parts: object[]) =>
  line('assistant', { model: 'qwen3-coder-plus', message: { role: 'model', parts }, usageMetadata });
const call = (id: string, name: string) => ({ functionCall: { id, name, args: { command: 'grind' } } });
const result = (id: string, name: string, response: object, toolCallResult: object) =>
  line('tool_result', {
    message: { role: 'user', parts: [{ functionResponse: { id, name, response } }] },
    toolCallResult: { callId: id, ...toolCallResult },
  });
const telemetry = (uiEvent: object) =>
  line('system', { subtype: 'ui_telemetry', systemPayload: { uiEvent: { prompt_id: 'q1########0', ...uiEvent } } });

describe('a transcript of Qwen Code', () => {
  test('has prompt, model calls, tools and usage', () => {
    const { format, trace } = readSession(
      jsonLines(
        user('Grind the wheat'),
        telemetry({ 'event.name': 'qwen-code.api_response', duration_ms: 40 }),
        answer({ text: 'I think', thought: true }, call('c1', 'run_shell_command')),
        result('c1', 'run_shell_command', { error: 'stuck' }, { status: 'error', resultDisplay: { exitCode: 7 } }),
        answer({ text: 'It is flour.' }),
      ),
    );
    expect(format).toBe('qwen-transcript');
    expect(outlineOf(trace)).toEqual([
      'agent Grind the wheat',
      'message user "Grind the wheat"',
      'llm chat',
      'tool run_shell_command failed exit 7',
      'llm chat',
    ]);
    expect(trace).toMatchObject({
      framework: 'qwen-code',
      finalOutput: 'It is flour.',
      tokens: { input: 60, output: 16, cacheRead: 24 },
      codingSession: { project: '/w/mill', branch: 'flour', endedBy: 'completed' },
    });
    expect(trace.steps[1]?.spanId).toBe(promptSpanId('q1', 'q1########0'));
    expect(trace.steps[2]!.endMs! - trace.steps[2]!.startMs!).toBe(40);
  });

  test('may begin with a prompt that exceeds the inspected bytes', () => {
    const { format, trace } = readSession(
      jsonLines(user(`Sort ${'grain '.repeat(20_000)}`), answer({ text: 'Done.' })),
    );
    expect(format).toBe('qwen-transcript');
    expect(trace.finalOutput).toBe('Done.');
  });

  test.each<[string, object, object, string, string]>([
    [
      'refused',
      { error: 'User did not allow tool call' },
      { status: 'cancelled' },
      'tool edit failed refused by user',
      'refused',
    ],
    ['stopped', { error: 'cancelled' }, { status: 'cancelled' }, 'tool edit failed', 'interrupted'],
    ['done', { output: 'Exit Code: 1' }, { status: 'success' }, 'tool edit', 'unknown'],
  ])('a call that was %s', (_, response, outcome, step, endedBy) => {
    const { trace } = readSession(
      jsonLines(user('Go'), answer(call('c1', 'edit')), result('c1', 'edit', response, outcome)),
    );
    expect(outlineOf(trace)[3]).toBe(step);
    expect(trace.codingSession?.endedBy).toBe(endedBy);
  });

  test('compressions and failed model calls are steps; texts of the program are not prompts', () => {
    const info = { originalTokenCount: 800, newTokenCount: 80 };
    const { trace } = readSession(
      jsonLines(
        user('Go'),
        user('Remember the rules', { provenance: 'system' }),
        line('system', { subtype: 'chat_compression', systemPayload: { info } }),
        telemetry({ 'event.name': 'qwen-code.api_error', error_message: '429' }),
      ),
    );
    expect(outlineOf(trace)).toEqual([
      'agent Go failed',
      'message user "Go"',
      'other compaction null 800',
      'llm chat failed',
    ]);
    expect(trace).toMatchObject({ status: 'error', codingSession: { endedBy: 'api_error' } });
  });
});
