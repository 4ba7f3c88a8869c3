import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/json.ts';
import { createModelCatalog } from '../model-catalog/catalog.ts';
import { buildTrace } from '../trace-model/build-trace.ts';
import { decodeRollout, isRollout } from './decode-rollout.ts';

let second = 0;
const line = (type: string, payload: JsonObject, at = second++) =>
  JSON.stringify({ timestamp: `2026-05-01T09:00:${String(at).padStart(2, '0')}.000Z`, type, payload });
const item = (payload: JsonObject) => line('response_item', payload);
const event = (payload: JsonObject) => line('event_msg', payload);
const words = (role: string, type: string, text: string) => item({ type: 'message', role, content: [{ type, text }] });
const usage = (input_tokens: number, output_tokens: number) =>
  event({
    type: 'token_count',
    info: {
      total_token_usage: { input_tokens: input_tokens * 10, output_tokens },
      last_token_usage: { input_tokens, cached_input_tokens: 40, output_tokens, reasoning_output_tokens: 3 },
    },
  });
const call = (call_id: string, command: string) =>
  item({ type: 'function_call', name: 'shell', arguments: JSON.stringify({ command }), call_id });
const result = (call_id: string, output: string, exit_code: number) =>
  item({
    type: 'function_call_output',
    call_id,
    output: JSON.stringify({ output, metadata: { exit_code, duration_seconds: 0.1 } }),
  });

const META = line('session_meta', { id: '0199-cx', cwd: '/srv/ferry', cli_version: '0.150.0' });
const LINES = [
  META,
  line('turn_context', { model: 'gpt-5-codex', cwd: '/srv/ferry' }),
  words('user', 'input_text', '<environment_context>\n</environment_context>'),
  words('user', 'input_text', 'Sort the timetable.'),
  event({ type: 'user_message', message: 'Sort the timetable.' }),
  item({ type: 'reasoning', summary: [] }),
  words('assistant', 'output_text', 'I look at it first.'),
  call('call_1', 'cat timetable.csv'),
  usage(100, 10),
  usage(100, 10),
  result('call_1', 'cat: no such file', 1),
  item({
    type: 'custom_tool_call',
    name: 'apply_patch',
    input: '*** Begin Patch',
    call_id: 'call_2',
    status: 'completed',
  }),
  item({ type: 'custom_tool_call_output', call_id: 'call_2', output: 'Success.' }),
  line('compacted', { message: 'so far' }),
  words('assistant', 'output_text', 'The timetable is sorted.'),
  event({ type: 'agent_message', message: 'The timetable is sorted.' }),
  usage(200, 20),
  event({ type: 'task_complete', last_agent_message: 'The timetable is sorted.' }),
];

describe('a rollout', () => {
  const { spans, rejections } = decodeRollout(LINES.join('\n'));

  it('is recognized by the line that names its session', () => {
    expect(isRollout(LINES.join('\n'))).toBe(true);
    expect(isRollout(LINES.slice(1).join('\n'))).toBe(false);
    expect(isRollout('{"type":"session_meta"}\n{"type":"session","version":3}')).toBe(false);
  });

  it('is one trace with messages, tool calls and tokens', () => {
    expect(rejections).toEqual([]);
    expect(new Set(spans.map((span) => span.traceId)).size).toBe(1);
    expect(spans.map(({ name, status }) => `${name} ${status.code}`)).toEqual([
      'Codex session 0',
      'user 0',
      'chat 0',
      'shell 2',
      'chat 0',
      'apply_patch 0',
      'compaction 0',
      'chat 0',
    ]);
    const counts = spans
      .filter(({ name }) => name === 'chat')
      .map(({ attributes }) => attributes['gen_ai.usage.input_tokens'] ?? null);
    expect(counts).toEqual([100, null, 200]);
    expect(spans[2]!.attributes['gen_ai.request.model']).toBe('gpt-5-codex');
  });

  it('is read as steps of an agent with a task', () => {
    const trace = buildTrace(spans, { models: createModelCatalog(), isSettled: true });
    expect(trace).toMatchObject({
      framework: 'codex',
      task: 'Sort the timetable.',
      status: 'ok',
      sessionId: '0199-cx',
      finalOutput: 'The timetable is sorted.',
    });
    expect(trace.steps.map(({ kind }) => kind)).toEqual([
      'agent',
      'message',
      'llm',
      'tool',
      'llm',
      'tool',
      'other',
      'llm',
    ]);
    expect(trace.steps[3]).toMatchObject({ output: 'cat: no such file', status: 'error' });
  });

  it('gives the same spans when it is decoded again', () => {
    expect(decodeRollout(LINES.join('\n')).spans).toEqual(spans);
  });

  it('reads user messages from the history if no event reports them', () => {
    const { spans: bare } = decodeRollout(LINES.filter((text) => !text.includes('user_message')).join('\n'));
    expect(bare[0]!.attributes['misstep.task']).toBe('Sort the timetable.');
    expect(bare.filter(({ name }) => name === 'user')).toHaveLength(1);
  });

  it('reports interruptions and errors', () => {
    const more = [event({ type: 'turn_aborted', reason: 'interrupted' }), event({ type: 'error', message: '429' })];
    const failed = decodeRollout([...LINES, ...more].join('\n')).spans.slice(-2);
    expect(failed).toMatchObject([
      { name: 'interruption', status: { code: 2, message: 'interrupted' } },
      { name: 'chat', status: { code: 2, message: '429' } },
    ]);
  });

  it('loses only broken lines', () => {
    const broken = decodeRollout(
      [...LINES, '{"half', '7', line('event_msg', {}, 0).replace('2026-05-01', 'soon')].join('\n'),
    );
    expect(broken.rejections.map(({ pointer }) => pointer)).toEqual(['line 19', 'line 20', 'line 21/timestamp']);
    expect(broken.spans).toHaveLength(spans.length);
  });
});
