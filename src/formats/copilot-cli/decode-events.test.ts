import { describe, expect, test } from 'vitest';
import { jsonLines, outlineOf, readSession } from '../../../test/support/read-session.ts';

let clock = 0;
const event = (type: string, data: object) => {
  clock += 1;
  const timestamp = `2026-05-01T10:00:${String(clock % 60).padStart(2, '0')}.000Z`;
  return { type, data, id: `e${clock}`, timestamp };
};
const start = (more = {}) =>
  event('session.start', {
    sessionId: 's1',
    context: { cwd: '/w/app/src', gitRoot: '/w/app', branch: 'main' },
    ...more,
  });
const say = (content: string, more = {}) => event('user.message', { content, ...more });
const answer = (content: string, calls: object[] = [], more = {}) =>
  event('assistant.message', { messageId: `m${clock}`, model: 'gpt-5.1', content, toolRequests: calls, ...more });
const call = (toolCallId: string, name: string, input: object) => ({ toolCallId, name, arguments: input });
const begin = (toolCallId: string, toolName: string, more = {}) =>
  event('tool.execution_start', { toolCallId, toolName, arguments: {}, ...more });
const end = (toolCallId: string, data: object) => event('tool.execution_complete', { toolCallId, ...data });
const usage = (apiCallId: string) =>
  event('session.usage_record', {
    usage: { apiCallId, inputTokens: 100, outputTokens: 10, cacheReadTokens: 60, cacheWriteTokens: 5, duration: 250 },
  });

describe('events.jsonl of Copilot CLI', () => {
  test('is a session with prompt, model calls, tools and usage', () => {
    const { format, trace } = readSession(
      jsonLines(
        start(),
        say('Fix the roof'),
        say('Use these tools', { source: 'system' }),
        usage('a1'),
        answer('', [call('c1', 'bash', { command: 'make roof' })], { apiCallId: 'a1' }),
        begin('c1', 'bash'),
        end('c1', { success: true, result: { content: 'leaks\n<shellId: 0 completed with exit code 1>' } }),
        answer('The roof is tight.', [], { apiCallId: 'a2' }),
        usage('a2'),
      ),
    );
    expect(format).toBe('copilot-events');
    expect(outlineOf(trace)).toEqual([
      'agent Fix the roof',
      'message user "Fix the roof"',
      'llm chat',
      'tool bash failed exit 1',
      'llm chat',
    ]);
    expect(trace).toMatchObject({
      framework: 'copilot-cli',
      tokens: { input: 200, output: 20, cacheRead: 120, cacheWrite: 10 },
      codingSession: { project: '/w/app', branch: 'main', endedBy: 'completed' },
    });
    expect(trace.steps[3]?.toolOutcome).toEqual({ isError: null, exitCode: 1 });
    expect(trace.steps[2]!.endMs! - trace.steps[2]!.startMs!).toBe(250);
  });

  test('the last words of a read file are not an exit code', () => {
    const { trace } = readSession(
      jsonLines(
        start(),
        say('Read'),
        answer('', [call('c1', 'view', {})]),
        end('c1', { success: true, result: { content: 'Command exited with code 1' } }),
      ),
    );
    expect(outlineOf(trace)[3]).toBe('tool view');
  });

  test.each<[string, object, string]>([
    ['by the user', { kind: 'denied-interactively-by-user', feedback: 'no' }, 'tool bash failed refused by user: no'],
    ['by a rule', { kind: 'denied-by-rules' }, 'tool bash failed refused by policy'],
    ['not at all', { kind: 'approved' }, 'tool bash failed'],
  ])('a call is refused %s', (_, result, line) => {
    const { trace } = readSession(
      jsonLines(
        start(),
        say('Go'),
        answer('', [call('c1', 'bash', {})]),
        event('permission.completed', { toolCallId: 'c1', result }),
        end('c1', { success: false, error: { message: 'not run', code: 'failure' } }),
      ),
    );
    expect(outlineOf(trace)[3]).toBe(line);
  });

  test('subagents, compactions, aborts, titles and errors are read', () => {
    const { trace } = readSession(
      jsonLines(
        start(),
        say('Go'),
        event('session.title_changed', { title: 'The long way' }),
        answer('', [call('c1', 'task', {})]),
        event('subagent.started', { toolCallId: 'c1', agentName: 'scout' }),
        answer('', [call('c2', 'grep', {})], { parentToolCallId: 'c1' }),
        end('c2', { success: true, result: 'one' }),
        event('subagent.completed', { toolCallId: 'c1' }),
        event('session.compaction_complete', { success: true, preCompactionTokens: 900, postCompactionTokens: 90 }),
        event('session.error', { message: 'rate limited' }),
        event('abort', { reason: 'user' }),
      ),
    );
    const inner = trace.steps.find(({ tool }) => tool?.name === 'grep');
    expect(inner?.agent).toBe('scout');
    expect(outlineOf(trace)).toContain('other compaction null 900');
    expect(trace).toMatchObject({ name: 'The long way', codingSession: { endedBy: 'interrupted' } });
  });

  test('the totals at the end are used if no call has usage', () => {
    const metrics = { 'gpt-5.1': { usage: { inputTokens: 70, outputTokens: 9 } } };
    const { trace } = readSession(
      jsonLines(start(), say('Go'), answer('Done'), event('session.shutdown', { modelMetrics: metrics })),
    );
    expect(trace.tokens).toMatchObject({ input: 70, output: 9 });
  });

  test('an API answer that is split over messages counts once, and its empty parts give no steps', () => {
    const { trace } = readSession(
      jsonLines(
        start(),
        say('Go'),
        answer('', [], { apiCallId: 'a1' }),
        answer('Well', [], { apiCallId: 'a1' }),
        answer('Done', [], { apiCallId: 'a1', outputTokens: 40 }),
        answer('Done', [], { apiCallId: 'a1', outputTokens: 40 }),
      ),
    );
    expect(trace.tokens.output).toBe(40);
    expect(trace.steps.filter(({ kind }) => kind === 'llm')).toHaveLength(3);
  });

  test('a call with only output tokens has no cost', () => {
    const { trace } = readSession(jsonLines(start(), say('Go'), answer('Done', [], { outputTokens: 40 })));
    expect(trace).toMatchObject({ tokens: { input: null, output: 40 }, costUsd: null });
  });

  test('a broken line is rejected alone', () => {
    const body = `${jsonLines(start(), say('Go'))}{"type":\n${jsonLines({ type: 'abort', data: {} })}`;
    expect(readSession(body).rejected).toEqual(['line 3', 'line 4/timestamp']);
  });
});
