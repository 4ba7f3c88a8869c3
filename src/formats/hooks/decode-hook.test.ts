import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Json, type JsonObject, parseJson } from '../../core/json.ts';
import { mergeSpans } from '../../core/merge-spans.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { encodeSpanLine } from '../misstep/span-line.ts';
import { decodeHook } from './decode-hook.ts';
import { sessionTraceId } from './session-span.ts';

const NOW = 1_800_000_000_000;
const claude = (event: string, fields: JsonObject = {}): JsonObject => ({
  session_id: 's-1',
  transcript_path: '/home/ada/.claude/projects/-work/s-1.jsonl',
  cwd: '/work',
  hook_event_name: event,
  ...fields,
});
const decode = (record: Json, at = NOW) => decodeHook(record, at).spans[0]!;
const tool = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 'toolu_1' };

describe('a Claude Code session', () => {
  test('decodes to the spans of its fixture', () => {
    const fixtures = new URL('../../../test/fixtures/hooks/', import.meta.url);
    const read = (name: string) => readFileSync(new URL(name, fixtures), 'utf8');
    const calls = read('claude-code-session.jsonl').trim().split('\n');
    const spans = calls.flatMap((line, at) => decodeHook(parseJson(line)!, NOW + at * 1000).spans);
    const expected = parseJson(read('claude-code-session.spans.json'));
    expect(mergeSpans(spans).map((span) => parseJson(encodeSpanLine(span)))).toEqual(expected);
  });

  test.each([
    ['in order', false],
    ['with the start after the end', true],
  ] as const)('has the duration that the agent measured, without the time of its hooks, %s', (_, isReversed) => {
    const spans = [
      decode(claude('PreToolUse', tool)),
      decode(claude('PostToolUse', { ...tool, tool_response: { stdout: 'ok' }, duration_ms: 8 }), NOW + 109),
    ];
    const [merged] = mergeSpans(isReversed ? spans.reverse() : spans);
    expect((merged!.endNs! - merged!.startNs) / 1_000_000n).toBe(8n);
  });

  test.each<[string, JsonObject, object]>([
    [
      'a failed command',
      { hook_event_name: 'PostToolUseFailure', error: 'Exit code 2\nno such file' },
      { 'misstep.tool.is_error': true, 'misstep.tool.exit_code': 2 },
    ],
    [
      'a call that passed',
      { hook_event_name: 'PostToolUse', tool_response: { stdout: 'Exit code 2' } },
      { 'misstep.tool.is_error': false },
    ],
    [
      'a refused call',
      {
        hook_event_name: 'PostToolUseFailure',
        error:
          "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nnot on Fridays",
      },
      { 'misstep.refused_by': 'user', 'misstep.refusal_reason': 'not on Fridays' },
    ],
    [
      'a denied call',
      { hook_event_name: 'PermissionDenied', reason: 'not in this mode' },
      { 'misstep.refused_by': 'policy', 'misstep.refusal_reason': 'not in this mode' },
    ],
    [
      'a subagent',
      { hook_event_name: 'PostToolUse', tool_response: { agentId: 'a1', content: [] } },
      { 'misstep.subagent.id': 'a1' },
    ],
  ])('keeps the outcome of %s', (_, fields, attributes) => {
    expect(decode(claude('', { ...tool, ...fields })).attributes).toMatchObject(attributes);
  });

  test.each<[string, JsonObject[], string]>([
    ['runs', [claude('UserPromptSubmit', { prompt: 'Add.' })], 'unknown'],
    [
      'stopped',
      [claude('UserPromptSubmit', { prompt: 'Add.' }), claude('Stop', {}), claude('SessionEnd', {})],
      'completed',
    ],
    ['failed', [claude('StopFailure', { error: 'rate_limit' })], 'api_error'],
    ['used up its credit', [claude('StopFailure', { error: 'billing_error' })], 'limit'],
    ['continues', [claude('Stop', {}), claude('UserPromptSubmit', { prompt: 'More.' })], 'unknown'],
  ])('records the end of a session that %s', (_, calls, endedBy) => {
    const roots = calls
      .flatMap((call, at) => decodeHook(call, NOW + at * 1000).spans)
      .filter((span) => span.parentSpanId === null);
    expect(mergeSpans(roots)[0]!.attributes).toMatchObject({ 'misstep.session.ended_by': endedBy });
  });

  test('has one trace, and the end of a tool replaces its start', () => {
    const before = decode(claude('PreToolUse', tool));
    const after = decode(
      claude('PostToolUse', { ...tool, tool_response: { stdout: 'ok' }, duration_ms: 1500 }),
      NOW + 2000,
    );
    expect(before).toMatchObject({ traceId: sessionTraceId('s-1'), endNs: null, startNs: BigInt(NOW) * 1_000_000n });
    expect(after).toMatchObject({ traceId: before.traceId, spanId: before.spanId, parentSpanId: before.parentSpanId });
    expect(after.endNs! - after.startNs).toBe(1_500_000_000n);
    expect(after.attributes).toMatchObject({
      'gen_ai.tool.name': 'Bash',
      'gen_ai.tool.call.arguments': '{"command":"npm test"}',
      'gen_ai.tool.call.result': 'ok',
      'gen_ai.agent.name': 'claude-code',
      [MISSTEP.framework]: 'claude-code',
    });
  });

  test('separates repeated calls', () => {
    const again = decode(claude('PostToolUse', { ...tool, tool_use_id: 'toolu_2' }));
    expect(again.spanId).not.toBe(decode(claude('PostToolUse', tool)).spanId);
  });

  test("puts a subagent's tools under the subagent", () => {
    const start = decode(claude('SubagentStart', { agent_id: 'a1', agent_type: 'Explore' }));
    const inner = decode(claude('PreToolUse', { ...tool, agent_id: 'a1', agent_type: 'Explore' }));
    const stop = decode(
      claude('SubagentStop', { agent_id: 'a1', agent_type: 'Explore', last_assistant_message: 'Found.' }),
    );
    expect(inner).toMatchObject({ parentSpanId: start.spanId, attributes: { 'gen_ai.agent.name': 'Explore' } });
    expect(stop).toMatchObject({ spanId: start.spanId, parentSpanId: decode(claude('SessionStart')).spanId });
  });

  test.each<[string, JsonObject, JsonObject]>([
    [
      'a failed tool',
      claude('PostToolUseFailure', { ...tool, error: 'exit 1' }),
      { code: 2, message: 'exit 1', type: 'tool_error' },
    ],
    [
      'an interrupted tool',
      claude('PostToolUseFailure', { ...tool, error: '', is_interrupt: true }),
      { code: 2, message: '', type: 'interrupted' },
    ],
    [
      'a refused tool',
      claude('PermissionDenied', { ...tool, reason: 'not allowed' }),
      { code: 2, message: 'not allowed', type: 'permission_denied' },
    ],
    [
      'a failed model call',
      claude('StopFailure', { error: 'rate_limit', error_details: 'try later' }),
      { code: 2, message: 'try later', type: 'rate_limit' },
    ],
    [
      'a result that is an error',
      claude('PostToolUse', { ...tool, tool_response: { is_error: true, content: 'no' } }),
      { code: 2, message: 'no', type: 'tool_error' },
    ],
  ])('%s has an error', (_, record, { code, message, type }) => {
    expect(decode(record)).toMatchObject({ status: { code, message }, attributes: { 'error.type': type } });
  });

  test.each(['Notification', 'PermissionRequest', 'PostToolBatch', 'FileChanged', 'NeverHeardOf'])(
    '%s gives no step',
    (event) => {
      expect(decodeHook(claude(event, { message: 'x' }), NOW)).toEqual({ spans: [], rejections: [] });
    },
  );
});

describe('other spellings', () => {
  test.each<[string, JsonObject, JsonObject]>([
    [
      'Codex',
      claude('PostToolUse', { ...tool, turn_id: 't1', transcript_path: null, model: 'gpt-x', tool_response: 'ok' }),
      { framework: 'codex', model: 'gpt-x', result: 'ok' },
    ],
    [
      'Gemini CLI',
      {
        session_id: 's',
        transcript_path: '/h/.gemini/x',
        cwd: '/w',
        hook_event_name: 'AfterTool',
        timestamp: '2026-05-01T00:00:00Z',
        tool_name: 'read_file',
        tool_input: { path: 'a' },
        tool_response: { llmContent: 'x' },
      },
      { framework: 'gemini-cli', result: 'x' },
    ],
    [
      'Cursor',
      {
        conversation_id: 'c',
        generation_id: 'g',
        hook_event_name: 'afterShellExecution',
        workspace_roots: ['/w'],
        command: 'ls',
        output: 'a',
        duration: 12,
      },
      { framework: 'cursor', result: 'a' },
    ],
    [
      'our own endpoint',
      {
        session_id: 's',
        hook_type: 'PostToolUse',
        timestamp: 1_790_000_000,
        tool_name: 'Bash',
        tool_input: {},
        tool_output: 'done',
        working_dir: '/w',
        tokens_in: 5,
        cost_usd: 0.01,
      },
      { framework: 'claude-code', result: 'done' },
    ],
  ])('%s', (_, record, expected) => {
    const { attributes } = decode(record);
    expect({
      framework: attributes[MISSTEP.framework],
      result: attributes['gen_ai.tool.call.result'],
      ...('model' in expected ? { model: attributes['gen_ai.request.model'] } : {}),
    }).toEqual(expected);
    expect(attributes[MISSTEP.workingDirectory]).toMatch(/^\/w/);
  });

  test('the time of the sender takes precedence over that of receipt', () => {
    const record = { session_id: 's', hook_type: 'Stop', timestamp: '2026-05-01T00:00:00Z' };
    expect(decode(record).endNs).toBe(1_777_593_600_000_000_000n);
    expect(decode({ ...record, timestamp: 1_777_593_600 }).endNs).toBe(1_777_593_600_000_000_000n);
    expect(decode({ ...record, timestamp: 'soon' }).endNs).toBe(BigInt(NOW) * 1_000_000n);
  });

  test('the start of a tool call without an id gives no step', () => {
    const call = { session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'ls', tool_input: {} };
    expect(decodeHook(call, NOW)).toEqual({ spans: [], rejections: [] });
    expect(decode({ ...call, hook_event_name: 'PostToolUse' }, NOW).spanId).not.toBe(
      decode({ ...call, hook_event_name: 'PostToolUse' }, NOW + 1).spanId,
    );
  });

  test('a record without an event is a tool call or a model call', () => {
    expect(decode({ session_id: 's', tool_name: 'Bash' }).attributes[MISSTEP.stepKind]).toBe('tool');
    expect(decode({ session_id: 's', model: 'm', tokens_in: 3 }).attributes).toMatchObject({
      [MISSTEP.stepKind]: 'llm',
      'gen_ai.usage.input_tokens': 3,
    });
  });
});

describe('rejected records', () => {
  test.each<[string, Json]>([
    ['a text', 'x'],
    ['no session', { hook_event_name: 'Stop' }],
    ['a session that is not text', { session_id: 4, hook_event_name: 'Stop' }],
    ['only a session', { session_id: 's' }],
  ])('%s', (_, record) => {
    expect(decodeHook(record, NOW)).toEqual({ spans: [], rejections: [{ pointer: '', message: expect.any(String) }] });
  });
});

describe('merging', () => {
  const before = decode(claude('PreToolUse', tool));
  const after = decode(claude('PostToolUse', { ...tool, tool_response: 'ok' }), NOW + 900);
  test.each([
    ['in order', [before, after]],
    ['out of order', [after, before]],
  ])('%s keeps the start, the end and the result', (_, spans) => {
    expect(mergeSpans(spans)).toEqual([
      expect.objectContaining({ startNs: before.startNs, endNs: after.endNs, attributes: after.attributes }),
    ]);
  });

  test('the end of a session keeps its start', () => {
    const [root] = mergeSpans([decode(claude('SessionStart', { model: 'm' })), decode(claude('SessionEnd'), NOW + 5)]);
    expect(root).toMatchObject({
      startNs: BigInt(NOW) * 1_000_000n,
      endNs: BigInt(NOW + 5) * 1_000_000n,
      attributes: { 'gen_ai.request.model': 'm' },
    });
  });
});
