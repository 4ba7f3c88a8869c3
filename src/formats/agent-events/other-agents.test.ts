import { describe, expect, it } from 'vitest';
import { logsJson, type SentLog } from '../../../test/support/log-bodies.ts';
import { mergeSpans } from '../../core/merge-spans.ts';
import type { Span } from '../../core/span.ts';
import { decodeHook } from '../hooks/decode-hook.ts';
import { modelCallSpanId, promptSpanId, sessionTraceId, toolSpanId } from '../hooks/session-span.ts';
import { createModelCatalog } from '../model-catalog/catalog.ts';
import { decodeLogsJson } from '../otlp/decode-logs-json.ts';
import { buildTrace } from '../trace-model/build-trace.ts';
import { decodeAgentEvents } from './decode-agent-events.ts';

const NOW = 1_800_000_000_000;

function decode(serviceName: string, records: readonly SentLog[]) {
  return decodeAgentEvents(decodeLogsJson(logsJson({ serviceName, scope: 'x', records })).records, NOW);
}

const traceOf = (spans: readonly Span[]) =>
  buildTrace(mergeSpans(spans), { models: createModelCatalog(), isSettled: true });
const stepsOf = (spans: readonly Span[]) =>
  traceOf(spans).steps.map(({ kind, name, status }) => `${kind} ${name} ${status}`);

describe('events of Codex', () => {
  const event = (name: string, second: number, attributes: SentLog['attributes'] = {}): SentLog => ({
    atMs: NOW + second * 1000,
    eventName: 'event otel/src/x.rs:1',
    attributes: { 'event.name': `codex.${name}`, 'conversation.id': 's', model: 'gpt-5.5', ...attributes },
  });
  const completed = (second: number) =>
    event('sse_event', second, {
      'event.kind': 'response.completed',
      input_token_count: '120',
      output_token_count: 30,
      cached_token_count: 100,
      cache_write_token_count: 0,
      reasoning_token_count: 7,
    });
  const result = (second: number, call_id: string, attributes: SentLog['attributes']) =>
    event('tool_result', second, {
      call_id,
      tool_name: 'exec_command',
      success: 'true',
      duration_ms: '50',
      ...attributes,
    });
  const output = (code: number, text: string) =>
    `Chunk ID: a${code}\nWall time: 0.1 seconds\nProcess exited with code ${code}\nOutput:\n${text}`;

  it('are the steps of their session, with tokens and exit codes', () => {
    const { spans, ignored, rejections } = decode('codex_exec', [
      event('conversation_starts', 0),
      event('user_prompt', 1, { prompt: 'Sort it.' }),
      event('api_request', 2, { 'http.response.status_code': 200 }),
      event('sse_event', 2, { 'event.kind': 'response.created' }),
      completed(3),
      event('tool_decision', 4, { call_id: 'c1', tool_name: 'exec_command', decision: 'approved', source: 'Config' }),
      result(5, 'c1', { arguments: '{"cmd":"npm test"}', output: output(1, '1 failed') }),
      completed(6),
    ]);
    expect({ ignored, rejections }).toEqual({ ignored: 0, rejections: [] });
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([sessionTraceId('s')]));
    const trace = traceOf(spans);
    expect(trace).toMatchObject({
      framework: 'codex',
      task: 'Sort it.',
      status: 'ok',
      tokens: { input: 240, output: 60, cacheRead: 200 },
    });
    expect(stepsOf(spans)).toEqual([
      'agent codex unset',
      'message prompt unset',
      'llm chat unset',
      'tool exec_command error',
      'llm chat unset',
    ]);
    expect(trace.steps[3]).toMatchObject({ toolOutcome: { isError: true, exitCode: 1 }, output: '1 failed' });
  });

  it('add the exit code to the hook of a call, in any order', () => {
    const base = {
      session_id: 's',
      turn_id: 't',
      cwd: '/w',
      transcript_path: '/x/.codex/a',
      tool_name: 'Bash',
      tool_use_id: 'c1',
      tool_input: { command: 'npm test' },
    };
    const hooks = ['PreToolUse', 'PostToolUse'].flatMap(
      (hook_event_name, at) =>
        decodeHook({ ...base, hook_event_name, ...(at === 1 ? { tool_response: '1 failed' } : {}) }, NOW + at * 100)
          .spans,
    );
    const events = decode('codex_exec', [
      result(1, 'c1', { arguments: '{"cmd":"npm test"}', output: output(1, '1 failed') }),
    ]).spans;
    for (const both of [
      [...hooks, ...events],
      [...events, ...hooks],
    ]) {
      const call = mergeSpans(both).find(({ spanId }) => spanId === toolSpanId('s', 'c1'));
      expect(call).toMatchObject({
        status: { code: 2 },
        attributes: { 'misstep.tool.exit_code': 1, 'gen_ai.tool.call.result': '1 failed' },
      });
    }
  });

  it.each<[string, SentLog, string[]]>([
    [
      'a script whose calls have separate events',
      result(1, 'c', {
        tool_name: 'exec',
        arguments: 'await tools.exec_command({cmd: "ls"})',
        output: 'Script completed\nWall time 0.1 seconds\nOutput:\n\na',
      }),
      [],
    ],
    [
      'a script with its own error',
      result(1, 'c', {
        tool_name: 'exec',
        success: 'false',
        arguments: 'tools.exec_command({cmd: ls})',
        output: 'Script failed\nWall time 0 seconds\nOutput:\n\nScript error:\nReferenceError: ls is not defined',
      }),
      ['tool exec error'],
    ],
    [
      'a call that did not run',
      result(1, 'c', { success: 'false', output: 'no such tool' }),
      ['tool exec_command error'],
    ],
    [
      'a refusal by the user',
      event('tool_decision', 1, { call_id: 'c', tool_name: 'shell', decision: 'Denied', source: 'User' }),
      ['tool shell error'],
    ],
    [
      'a refused request',
      event('api_request', 1, { 'http.response.status_code': 429, 'error.message': 'slow down' }),
      ['llm chat error'],
    ],
    [
      'a failed answer',
      event('sse_event', 1, { 'event.kind': 'response.failed', 'error.message': 'overloaded' }),
      ['llm chat error'],
    ],
  ])('%s', (_title, record, expected) => {
    const { spans } = decode('codex_exec', [event('user_prompt', 0), record]);
    expect(stepsOf(spans).slice(2)).toEqual(expected);
  });

  it('keep the party that refused a call', () => {
    const { spans } = decode('codex_exec', [
      event('tool_decision', 1, { call_id: 'c', tool_name: 'shell', decision: 'denied', source: 'User' }),
    ]);
    expect(spans[0]!.attributes).toMatchObject({ 'misstep.refused_by': 'user', 'error.type': 'permission_denied' });
  });

  it('of a session are running between a result and the next answer', () => {
    const { spans } = decode('codex_exec', [completed(1), result(2, 'c', { output: output(0, '') })]);
    expect(traceOf(spans).status).toBe('running');
  });

  it('without a session are refused', () => {
    const { rejections } = decode('codex_exec', [{ atMs: NOW, attributes: { 'event.name': 'codex.user_prompt' } }]);
    expect(rejections).toEqual([
      { pointer: '/resourceLogs/0/scopeLogs/0/logRecords/0/attributes', message: 'conversation.id must be a text' },
    ]);
  });
});

describe.each([
  ['gemini_cli.', 'gemini-cli'],
  ['qwen-code.', 'qwen-code'],
])('events %s', (prefix, framework) => {
  const event = (name: string, second: number, attributes: SentLog['attributes'] = {}): SentLog => ({
    atMs: NOW + second * 1000,
    body: 'Some words.',
    attributes: { 'event.name': prefix + name, 'session.id': 's', ...attributes },
  });
  const response = event('api_response', 2, {
    model: 'gemini-2.5-pro',
    duration_ms: 500,
    input_token_count: 100,
    output_token_count: 10,
    thoughts_token_count: 5,
    cached_content_token_count: 40,
    ...(framework === 'qwen-code' ? { response_id: 'r1' } : {}),
  });
  const call = (attributes: SentLog['attributes']) =>
    event('tool_call', 3, {
      function_name: 'run_shell_command',
      function_args: '{"command":"npm test"}',
      duration_ms: 80,
      success: true,
      decision: 'accept',
      ...attributes,
    });

  it('are the steps of their session', () => {
    const { spans, ignored } = decode(framework, [
      event('config', 0),
      event('user_prompt', 1, { prompt: 'Sort it.', prompt_id: 's########0' }),
      response,
      call({ call_id: 'c1' }),
      event('api_error', 4, { error_message: 'quota', status_code: 429 }),
    ]);
    expect(ignored).toBe(1);
    expect(traceOf(spans)).toMatchObject({
      framework,
      task: 'Sort it.',
      tokens: { input: 100, output: 15, cacheRead: 40 },
    });
    expect(stepsOf(spans)).toEqual([
      `agent ${framework} unset`,
      'message prompt unset',
      'llm chat unset',
      'tool run_shell_command unset',
      'llm chat error',
    ]);
    expect(spans.map(({ spanId }) => spanId)).toContain(promptSpanId('s', 's########0'));
    expect(spans.map(({ spanId }) => spanId)).toContain(toolSpanId('s', 'c1'));
    if (framework === 'qwen-code') expect(spans.map(({ spanId }) => spanId)).toContain(modelCallSpanId('s', 'r1'));
  });

  it.each<[string, SentLog, object]>([
    [
      'an exit code',
      call({ metadata: '{"exitCode":3,"isError":true}' }),
      { 'misstep.tool.exit_code': 3, 'misstep.tool.is_error': true },
    ],
    [
      'an exit code of success',
      call({ metadata: '{"exitCode":0}' }),
      { 'misstep.tool.exit_code': 0, 'misstep.tool.is_error': false },
    ],
    [
      'an error',
      call({ success: false, error: 'no file', error_type: 'not_found' }),
      { 'misstep.tool.is_error': true, 'error.type': 'not_found' },
    ],
    [
      'a refusal',
      call({ success: false, decision: 'reject' }),
      { 'misstep.refused_by': 'user', 'error.type': 'permission_denied' },
    ],
  ])('keep %s of a tool call', (_title, record, attributes) => {
    expect(decode(framework, [record]).spans[0]!.attributes).toMatchObject(attributes);
  });

  const chunk = (...parts: object[]) => ({ candidates: [{ index: 0, content: { role: 'model', parts } }] });
  it.each<[string, string, SentLog['attributes'], string | null]>([
    ['as text', 'It is sorted.', {}, 'It is sorted.'],
    ['that begins like JSON', '[1] is the first.', {}, '[1] is the first.'],
    [
      'as parts of a stream, without thoughts and calls',
      JSON.stringify([
        chunk({ text: 'Hm.', thought: true }, { text: 'It is ' }),
        chunk({ text: 'sorted.' }, { functionCall: { name: 'ls', args: {} } }),
        { usageMetadata: {} },
      ]),
      { role: 'main' },
      'It is sorted.',
    ],
    ['of a single call', JSON.stringify([chunk({ functionCall: { name: 'ls', args: {} } })]), {}, null],
    ['of a utility', 'A summary.', { role: 'utility_compressor' }, null],
    ['of a subagent', 'Found it.', { subagent_name: 'scout' }, null],
  ])('keep the text of an answer %s', (_title, response_text, attributes, expected) => {
    const answer = event('api_response', 2, { model: 'm', input_token_count: 1, response_text, ...attributes });
    const outputMessages = decode(framework, [answer]).spans[0]!.attributes['gen_ai.output.messages'];
    expect(outputMessages === undefined ? null : JSON.parse(String(outputMessages))[0].parts[0].content).toBe(expected);
  });

  it('do not use the session id as a prompt id', () => {
    const prompts = [1, 2].map((second) => event('user_prompt', second, { prompt: 'Go on.', prompt_id: 's' }));
    expect(stepsOf(decode(framework, prompts).spans).filter((step) => step.includes('prompt'))).toHaveLength(2);
  });
});

it('a hook of Qwen Code has the span id of its tool call in the events', () => {
  const record = {
    session_id: 's',
    hook_event_name: 'PostToolUse',
    tool_name: 'edit',
    tool_use_id: 'toolu_1',
    tool_call_id: 'call_1',
  };
  expect(decodeHook(record, NOW).spans[0]!.spanId).toBe(toolSpanId('s', 'call_1'));
});
