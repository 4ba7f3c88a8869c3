import { describe, expect, test } from 'vitest';
import { outlineOf, readSession } from '../../../test/support/read-session.ts';

const step = (action: string, observation: string) => ({
  action,
  observation,
  thought: `I try ${action.trim()}.`,
  response: `I try it.\n\`\`\`\n${action}\`\`\``,
  state: JSON.stringify({ open_file: 'n/a', working_dir: '/repo' }),
});
const run = (info: object, ...trajectory: unknown[]) =>
  JSON.stringify({
    environment: 'env',
    trajectory,
    history: [
      { role: 'system', content: 'You are an agent.' },
      { role: 'user', content: 'Here is a demonstration.', is_demo: true },
      { role: 'user', content: 'Solve this issue.\nISSUE:\nBell rings twice\nAt noon.\n\nINSTRUCTIONS:\nEdit.' },
    ],
    info,
  });

describe('a trajectory of SWE-agent', () => {
  test('has the task, answers and actions in order', () => {
    const stats = { tokens_sent: 900, tokens_received: 30, instance_cost: 0.75 };
    const { format, trace } = readSession(
      run(
        { exit_status: 'submitted', model_stats: stats },
        step('open bell.py\n', '1: ring()'),
        step('python bell.py\n', 'ring'),
        step('submit\n', 'diff'),
      ),
    );
    expect(format).toBe('swe-agent');
    expect(outlineOf(trace)).toEqual([
      'agent Bell rings twice',
      expect.stringMatching(/^message user "Solve this issue/),
      'llm chat',
      'tool open',
      'llm chat',
      'tool bash',
      'llm chat',
      'tool submit',
    ]);
    expect(trace).toMatchObject({
      framework: 'swe-agent',
      tokens: { input: 900, output: 30 },
      costUsd: 0.75,
      codingSession: { title: 'Bell rings twice', project: '/repo', endedBy: 'completed' },
    });
    expect(trace.steps.every(({ startMs }) => startMs === null)).toBe(true);
  });

  test.each([
    ['submitted', 'completed'],
    ['submitted (exit_cost)', 'limit'],
    ['exit_context', 'limit'],
    ['exit_error', 'api_error'],
    ['exit_format', 'unknown'],
    [null, 'unknown'],
  ])('with the status %j has the expected end', (exit_status, endedBy) => {
    expect(readSession(run({ exit_status }, step('ls', 'a'))).trace.codingSession?.endedBy).toBe(endedBy);
  });

  test('has a stable id, and a broken step is rejected alone', () => {
    const body = run({}, step('ls', 'a'), 'odd');
    expect(readSession(body).trace.traceId).toBe(readSession(body).trace.traceId);
    expect(readSession(body).rejected).toEqual(['/trajectory/1']);
  });
});
