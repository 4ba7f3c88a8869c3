import { describe, expect, it } from 'vitest';
import type { Fields } from './json-value.ts';
import { recount } from './recount.ts';
import type { SessionCount } from './session-count.ts';
import { parseSession } from './session-file.ts';

function counted(records: readonly Fields[]): SessionCount {
  const count = recount(parseSession(records.map((record) => JSON.stringify(record)).join('\n')));
  if (!count) throw new Error('not recognised');
  return count;
}

function claude(type: string, second: number, fields: Fields): Fields {
  const time = { timestamp: `2026-03-01T10:00:${String(second).padStart(2, '0')}.000Z` };
  return {
    type,
    sessionId: 's-1',
    uuid: `u${second}`,
    parentUuid: second === 0 ? null : `u${second - 1}`,
    ...time,
    ...fields,
  };
}

function reply(second: number, id: string, output: number, content: unknown[]): Fields {
  const usage = { input_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: output };
  return claude('assistant', second, { message: { id, model: 'claude-haiku-4-5-20251001', usage, content } });
}

const prompt = claude('user', 0, { message: { content: 'tidy the module' } });
const use = (id: string, name = 'Bash') => ({ type: 'tool_use', id, name, input: {} });
const answer = (second: number, id: string, content: string, isError = true) =>
  claude('user', second, {
    message: { content: [{ type: 'tool_result', tool_use_id: id, is_error: isError, content }] },
  });
const messageOf = (text: string) => ({ type: 'text', text });

describe('recount of a Claude Code transcript', () => {
  it('counts a message once, with its last usage, although each block repeats it', () => {
    const count = counted([prompt, reply(1, 'm1', 2, [messageOf('First')]), reply(2, 'm1', 50, [use('t1')])]);
    expect(count.tokens).toMatchObject({ input: 10, output: 50 });
    expect(count.costUsd).toBeCloseTo((10 * 1 + 50 * 5) / 1e6, 9);
  });

  it('counts history only once if a resume wrote it again', () => {
    const first = [prompt, reply(1, 'm1', 5, [use('t1')]), answer(2, 't1', 'Exit code 1')];
    const again = first.map((line) => ({ ...line, uuid: `again-${line.uuid}` }));
    const count = counted([...first, ...again]);
    expect([count.toolCalls, count.failedCalls, count.tokens?.output, count.origin]).toEqual([1, 1, 5, 'resumed']);
  });

  it('counts calls of subagents in progress lines and shows them separately', () => {
    const inner = { ...reply(3, 'm9', 7, [use('t9')]), type: 'assistant' };
    const progress = claude('progress', 3, { data: { type: 'agent_progress', message: inner } });
    const count = counted([prompt, reply(1, 'm1', 5, [use('t1', 'Task')]), progress]);
    expect([count.toolCalls, count.subagentToolCalls, count.tokens?.output]).toEqual([2, 1, 12]);
    expect(count.subagentCostUsd).toBeCloseTo((10 * 1 + 7 * 5) / 1e6, 9);
  });

  const outcomes: [string, string, Partial<SessionCount>][] = [
    ['a failure', 'Exit code 1\nno such file', { failedCalls: 1, userRefusals: 0, cancelledCalls: 0 }],
    [
      'a refusal',
      "The user doesn't want to proceed with this tool use. The tool use was rejected",
      { failedCalls: 0, userRefusals: 1, endedBy: 'refused' },
    ],
    ['a plan that the user refused', 'User chose to stay in plan mode', { failedCalls: 0, userRefusals: 1 }],
    [
      'a call cancelled with its sibling',
      '<tool_use_error>Sibling tool call errored</tool_use_error>',
      { failedCalls: 0, cancelledCalls: 1 },
    ],
    ['a denied permission', 'Permission to use Bash has been denied.', { failedCalls: 1, policyRefusals: 1 }],
    ['a failure that mentions a refusal', 'Exit code 1\nThe user doesn’t want', { failedCalls: 1, userRefusals: 0 }],
  ];
  it.each(outcomes)('reads %s', (_, content, expected) => {
    expect(counted([prompt, reply(1, 'm1', 5, [use('t1')]), answer(2, 't1', content)])).toMatchObject(expected);
  });

  it('does not read a sentence of refusal in a result without the flag', () => {
    const text = "The user doesn't want to proceed with this tool use.";
    expect(counted([prompt, reply(1, 'm1', 5, [use('t1')]), answer(2, 't1', text, false)]).userRefusals).toBe(0);
  });

  const interrupt = (second: number) =>
    claude('user', second, { message: { content: [messageOf('[Request interrupted by user]')] } });
  const ends: [string, Fields[], Partial<SessionCount>][] = [
    ['a final text', [reply(1, 'm1', 5, [messageOf('Done.')])], { endedBy: 'completed' }],
    [
      'an interrupt',
      [reply(1, 'm1', 5, [messageOf('I start')]), interrupt(2)],
      { endedBy: 'interrupted', interrupts: 1 },
    ],
    ['a call without a result', [reply(1, 'm1', 5, [use('t1')])], { endedBy: 'unknown' }],
    [
      'an API error',
      [{ ...reply(1, 'm1', 0, [messageOf('API Error: 500')]), isApiErrorMessage: true }],
      { endedBy: 'api_error' },
    ],
    [
      'a limit',
      [{ ...reply(1, 'm1', 0, [messageOf('You have hit your session limit')]), isApiErrorMessage: true }],
      { endedBy: 'limit' },
    ],
    [
      'a local command after the answer',
      [
        reply(1, 'm1', 5, [messageOf('Done.')]),
        claude('user', 2, { message: { content: '<command-name>/exit</command-name>' } }),
      ],
      { endedBy: 'completed' },
    ],
    [
      'structured output',
      [reply(1, 'm1', 5, [use('t1', 'StructuredOutput')]), answer(2, 't1', 'ok', false)],
      { endedBy: 'completed' },
    ],
  ];
  it.each(ends)('reads the end from %s', (_, lines, expected) => {
    expect(counted([prompt, ...lines])).toMatchObject(expected);
  });
});

const meta = (fields: Fields = {}) => ({
  type: 'session_meta',
  payload: { id: '019f0000-0000-7000-8000-000000000002', ...fields },
});
const context = { type: 'turn_context', payload: { model: 'gpt-5.6-sol' } };
const started = (turn: string) => ({ type: 'event_msg', payload: { type: 'task_started', turn_id: turn } });
const tokenCount = (total: number, input: number, cached: number) => ({
  type: 'event_msg',
  timestamp: '2026-08-01T10:00:00.000Z',
  payload: {
    type: 'token_count',
    info: {
      total_token_usage: { total_tokens: total },
      last_token_usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: 10 },
    },
  },
});
const item = (payload: Fields) => ({ type: 'response_item', payload });
/** A script of code mode that prints the exit code with a template. */
const PRINTS_CODE = ['text(`CODE=$', '{r.exit_code}`)'].join('');
const exec = (id: string, input: string) => item({ type: 'custom_tool_call', name: 'exec', call_id: id, input });
const output = (id: string, ...parts: string[]) =>
  item({ type: 'custom_tool_call_output', call_id: id, output: parts.map((text) => ({ type: 'input_text', text })) });

describe('recount of a Codex rollout', () => {
  it('counts a repeated token event once and takes cached tokens out of the input', () => {
    const count = counted([meta(), context, tokenCount(1010, 1000, 900), tokenCount(1010, 1000, 900)]);
    expect(count.tokens).toMatchObject({ input: 100, cacheRead: 900, output: 10 });
    expect(count.costUsd).toBeCloseTo((100 * 5 + 900 * 0.5 + 10 * 30) / 1e6, 9);
  });

  it('leaves out the history that a fork copied from its parent', () => {
    const count = counted([
      meta({ forked_from_id: 'p' }),
      meta({ id: 'p' }),
      context,
      started('019f0000-0000-7000-8000-000000000001'),
      exec('c1', 'text(1)'),
      output('c1', 'Script failed\n'),
      tokenCount(1010, 1000, 0),
      started('019f0000-0000-7000-8000-000000000003'),
      tokenCount(3020, 2000, 0),
    ]);
    expect([count.tokens?.input, count.toolCalls, count.failedCalls, count.origin]).toEqual([2000, 0, 0, 'forked']);
    expect(count.copiedCostUsd).toBeCloseTo((1000 * 5 + 10 * 30) / 1e6, 9);
  });

  const ran = 'Script completed\nWall time 1 seconds\nOutput:\n';
  const json = 'text(JSON.stringify(r))';
  const failures: [string, string, string[], number][] = [
    ['a script that failed', json, ['Script failed\n', 'Script error: write_stdin failed'], 1],
    ['a result object with an exit code', json, [ran, '{"wall_time_seconds":0.1,"exit_code":2,"output":"x"}'], 1],
    ['exit code 0', json, [ran, '{"wall_time_seconds":0.1,"exit_code":0,"output":"x"}'], 0],
    [
      'an exit code inside the output',
      json,
      [ran, '{"wall_time_seconds":0.1,"exit_code":0,"output":"{\\"exit_code\\":1}"}'],
      0,
    ],
    ['a printed template', PRINTS_CODE, [ran, 'some output', 'CODE=3'], 1],
    ['a template that prints 0', PRINTS_CODE, [ran, 'some output', 'CODE=0'], 0],
    ['a file that holds an exit code', 'text(r.output)', [ran, '{"exit_code":1} exit code 4'], 0],
    ['the header of a command', '', ['Chunk ID: 1\nWall time: 1\nProcess exited with code 2\nOutput:\nx'], 1],
    [
      'such a header inside the output',
      '',
      ['Chunk ID: 1\nProcess exited with code 0\nOutput:\nProcess exited with code 2'],
      0,
    ],
    ['a rejected patch', '', ['apply_patch verification failed: no such line'], 1],
    ['the header of a patch', '', ['Exit code: 1\nOutput:\n'], 1],
  ];
  it.each(failures)('reads %s', (_, script, parts, expected) => {
    expect(counted([meta(), exec('c1', script), output('c1', ...parts)]).failedCalls).toBe(expected);
  });

  it('reads the exit code of a script that is waited for', () => {
    const wait = item({ type: 'function_call', name: 'wait', call_id: 'c2', arguments: '{"cell_id":"7"}' });
    const lines = [exec('c1', PRINTS_CODE), output('c1', 'Script running with cell ID 7\n'), wait];
    expect(counted([meta(), ...lines, output('c2', ran, 'CODE=1')]).failedIds).toEqual(['c2']);
  });

  it('finds the call that started a process whose failure a poll reported', () => {
    const wait = item({ type: 'function_call', name: 'wait', call_id: 'c2', arguments: '{"cell_id":"7"}' });
    const poll = exec('c3', 'text(JSON.stringify(await tools.write_stdin({session_id:55,chars:""})))');
    const count = counted([
      meta(),
      exec('c1', json),
      output('c1', 'Script running with cell ID 7\n'),
      wait,
      output('c2', ran, '{"wall_time_seconds":0.1,"session_id":55,"output":""}'),
      poll,
      output('c3', ran, '{"wall_time_seconds":0.1,"exit_code":1,"output":""}'),
    ]);
    expect([count.failedIds, count.failedStartIds]).toEqual([['c3'], ['c1']]);
  });

  it('counts a policy refusal as a failed call, but not a refusal by the user', () => {
    const policy = output('c1', 'Script failed\n', 'exec_command failed: rejected: rm is not permitted');
    const user = output('c2', 'Script failed\n', 'exec_command failed: rejected by user');
    expect(counted([meta(), exec('c1', json), policy, exec('c2', json), user])).toMatchObject({
      failedCalls: 1,
      policyRefusals: 1,
      userRefusals: 1,
    });
  });

  it('marks the running script failed when an MCP call inside it failed', () => {
    const ended = {
      type: 'event_msg',
      payload: { type: 'mcp_tool_call_end', call_id: 'x', result: { Ok: { isError: true } } },
    };
    expect(counted([meta(), exec('c1', json), ended, output('c1', ran, '{}')]).failedIds).toEqual(['c1']);
  });
});

describe('recount of other products', () => {
  it('leaves out the history of a Pi branch', () => {
    const message = (timestamp: string, input: number) => ({
      type: 'message',
      timestamp,
      message: {
        role: 'assistant',
        model: 'claude-opus-4-5',
        stopReason: 'stop',
        usage: { input, output: 1 },
        content: [],
      },
    });
    const header = { type: 'session', id: 'p', cwd: '/w', timestamp: '2026-01-02T00:00:00Z', branchedFrom: 'other' };
    const copied = message('2026-01-01T00:00:00Z', 500);
    expect(counted([header, copied, message('2026-01-03T00:00:00Z', 20)]).tokens?.input).toBe(20);
    expect(counted([header, copied]).tokens?.input).toBe(500);
  });

  it('reads the end of a Pi session before a shell command of the user', () => {
    const message = (role: string) => ({
      type: 'message',
      timestamp: '2026-01-03',
      message: { role, stopReason: 'stop' },
    });
    const header = { type: 'session', id: 'p', cwd: '/w', timestamp: '2026-01-02' };
    expect(counted([header, message('assistant'), message('bashExecution')]).endedBy).toBe('completed');
    expect(counted([header, message('assistant'), message('user')]).endedBy).toBe('unknown');
  });

  it('reads the exit code of an OpenCode shell call that is marked completed', () => {
    const part = (id: string, exit: number) => ({
      type: 'tool',
      callID: id,
      state: { status: 'completed', metadata: { exit } },
    });
    const info = {
      role: 'assistant',
      modelID: 'm-free',
      finish: 'stop',
      time: { created: 0 },
      tokens: { input: 1, output: 2, reasoning: 3 },
    };
    const count = counted([{ info: { id: 'ses_1' }, messages: [{ info, parts: [part('c1', 0), part('c2', 2)] }] }]);
    expect(count).toMatchObject({ failedIds: ['c2'], toolCalls: 2, costUsd: 0, endedBy: 'completed' });
    expect(count.tokens?.output).toBe(5);
  });

  it('reads failures and refusals of Copilot CLI', () => {
    const event = (type: string, data: Fields) => ({ type, data });
    const count = counted([
      event('session.start', { sessionId: 'c' }),
      event('tool.execution_start', { toolCallId: 't1' }),
      event('tool.execution_complete', { toolCallId: 't1', success: false }),
      event('permission.completed', { toolCallId: 't2', result: { kind: 'denied-interactively-by-user' } }),
      event('tool.execution_start', { toolCallId: 't2' }),
      event('tool.execution_complete', { toolCallId: 't2', success: false }),
      event('assistant.message', { model: 'm', outputTokens: 4, toolRequests: [] }),
    ]);
    expect(count).toMatchObject({ failedIds: ['t1'], userRefusals: 1, costUsd: null, endedBy: 'completed' });
  });

  it('takes the figures of a SWE-agent trajectory from its totals', () => {
    const info = { exit_status: 'submitted', model_stats: { instance_cost: 0.5, tokens_sent: 10, tokens_received: 2 } };
    const count = counted([{ info, trajectory: [{ action: 'ls' }] }]);
    expect(count).toMatchObject({ costUsd: 0.5, toolCalls: 1, failedCalls: null, endedBy: 'completed' });
  });

  it('has no cost for a model without a published price', () => {
    const count = counted([
      prompt,
      { ...reply(1, 'm1', 5, [messageOf('x')]), message: { id: 'm', model: 'unknown-1', usage: { output_tokens: 1 } } },
    ]);
    expect(count.costUsd).toBeNull();
    expect(count.notes).toEqual(['no published price for unknown-1']);
  });
});
