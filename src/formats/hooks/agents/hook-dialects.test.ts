import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../core/json.ts';
import { createModelCatalog } from '../../model-catalog/catalog.ts';
import { buildTrace } from '../../trace-model/build-trace.ts';
import { decodeRecords } from '../decode-records.ts';

const T = 1_791_000_000_000;
const at = (second: number) => new Date(T + second * 1000).toISOString();

function traceOf(records: Json[]) {
  const { spans, rejected } = decodeRecords(records, T);
  expect(rejected).toBe(0);
  return buildTrace(spans, { models: createModelCatalog(), isSettled: true });
}

function outlineOf(records: Json[]) {
  return traceOf(records).steps.map(({ kind, name, status, toolOutcome, startMs, endMs }) => {
    const exit = toolOutcome?.exitCode == null ? '' : ` exit ${toolOutcome.exitCode}`;
    const seconds = endMs === null ? 'open' : `${(endMs - (startMs ?? endMs)) / 1000} s`;
    return `${kind} ${name}${status === 'error' ? ' failed' : ''}${exit} ${seconds}`;
  });
}

describe('hooks of Gemini CLI', () => {
  const gemini = (second: number, hook_event_name: string, more: JsonObject = {}) => ({
    session_id: 'g',
    cwd: '/w',
    timestamp: at(second),
    hook_event_name,
    ...more,
  });
  const shell = (second: number, event: string, command: string, llmContent?: string) =>
    gemini(second, event, {
      tool_name: 'run_shell_command',
      tool_input: { command },
      ...(llmContent === undefined ? {} : { tool_response: { llmContent, returnDisplay: '' } }),
    });
  const failed = 'Output: no\nExit Code: 1\nProcess Group PGID: 77\n</untrusted_context>';
  const start = gemini(0, 'BeforeAgent', { prompt: 'Sweep' });
  const end = gemini(20, 'AfterAgent', { prompt: 'Sweep', prompt_response: 'Swept.' });

  test('a check for compression is not a compaction, an exit code is a failure', () => {
    const records = [start, gemini(1, 'PreCompress', { trigger: 'auto' }), shell(3, 'AfterTool', 'sweep', failed), end];
    expect(outlineOf(records)).toEqual([
      'agent gemini-cli 20 s',
      'message prompt 0 s',
      'tool run_shell_command failed exit 1 0 s',
      'llm answer 0 s',
    ]);
  });

  test('a compression that the user requested is a compaction', () => {
    expect(outlineOf([start, gemini(1, 'PreCompress', { trigger: 'manual' }), end])).toContain('other compaction 0 s');
  });

  test('an exit code in the text of a file is not a failure', () => {
    const read = gemini(2, 'AfterTool', {
      tool_name: 'read_file',
      tool_input: {},
      tool_response: { llmContent: failed },
    });
    expect(outlineOf([start, read, end])).toContain('tool read_file 0 s');
  });

  test('equal calls are joined with their starts in order, and an unfinished call stays open', () => {
    const records = [
      start,
      shell(1, 'BeforeTool', 'sweep'),
      shell(3, 'AfterTool', 'sweep', 'one'),
      shell(4, 'BeforeTool', 'sweep'),
      shell(9, 'AfterTool', 'sweep', 'two'),
      shell(10, 'BeforeTool', 'mop'),
    ];
    const tools = (list: Json[]) => outlineOf(list).filter((line) => line.startsWith('tool'));
    const expected = ['tool run_shell_command 2 s', 'tool run_shell_command 5 s', 'tool run_shell_command open'];
    expect(tools(records)).toEqual(expected);
    expect(tools(records.toReversed())).toEqual(expected);
  });

  describe('a model call', () => {
    const request = { llm_request: { model: 'gemini-2.5-pro' } };
    const usage = (promptTokenCount: number, candidatesTokenCount: number) => ({
      promptTokenCount,
      candidatesTokenCount,
      cachedContentTokenCount: 30,
      totalTokenCount: promptTokenCount + candidatesTokenCount,
    });
    /** Gemini CLI calls the hook for each part of a streamed response. */
    const part = (second: number, finishReason: string | null, usageMetadata: JsonObject | null) =>
      gemini(second, 'AfterModel', {
        ...request,
        llm_response: {
          candidates: [
            { content: { role: 'model', parts: ['x'] }, ...(finishReason === null ? {} : { finishReason }) },
          ],
          ...(usageMetadata === null ? {} : { usageMetadata }),
        },
      });
    const asks = (second: number) => gemini(second, 'BeforeModel', request);
    const whole = (second: number) => part(second, 'STOP', usage(90, 4));

    test.each<[string, Json[], string[], number]>([
      ['has its duration and tokens', [asks(2), whole(6)], ['llm chat 4 s'], 94],
      ['has those of the last part', [asks(2), part(3, null, usage(90, 1)), whole(6)], ['llm chat 4 s'], 94],
      ['needs no tokens in its parts', [asks(2), part(3, null, null), whole(6)], ['llm chat 4 s'], 94],
      [
        'is one call if each part has an end',
        [asks(2), part(3, 'STOP', usage(90, 1)), part(4, 'STOP', usage(90, 3)), whole(6)],
        ['llm chat 4 s'],
        94,
      ],
      [
        'has tokens that arrive after its end',
        [asks(2), part(5, 'STOP', null), part(6, null, usage(90, 4))],
        ['llm chat 4 s'],
        94,
      ],
      [
        'has tokens that arrive before its end',
        [asks(2), part(5, null, usage(90, 4)), part(6, 'STOP', null)],
        ['llm chat 4 s'],
        94,
      ],
      [
        'is a new call after another request',
        [asks(2), whole(6), asks(7), whole(8)],
        ['llm chat 4 s', 'llm chat 1 s'],
        188,
      ],
      ['that is requested again counts once', [asks(1), asks(2), whole(6), asks(7)], ['llm chat 4 s'], 94],
      ['without an end is not a step', [asks(2), part(3, null, usage(90, 1)), asks(4), whole(6)], ['llm chat 2 s'], 94],
      ['counts if no request is recorded', [whole(6), whole(8)], ['llm chat 0 s', 'llm chat 0 s'], 188],
    ])('%s', (_title, records, steps, total) => {
      for (const inAnyOrder of [records, records.toReversed()]) {
        expect(outlineOf([start, ...inAnyOrder]).slice(2)).toEqual(steps);
        expect(traceOf([start, ...inAnyOrder])).toMatchObject({
          tokens: { total, cacheRead: 30 * steps.length },
          models: ['gemini-2.5-pro'],
        });
      }
    });
  });
});

describe('hooks of Qwen Code', () => {
  const qwen = (second: number, hook_event_name: string, more: JsonObject = {}) => ({
    session_id: 'q',
    transcript_path: '/home/u/.qwen/projects/w/chats/q.jsonl',
    prompt_id: 'q########0',
    timestamp: at(second),
    hook_event_name,
    ...more,
  });

  test('name the agent, and the prompt comes first', () => {
    const call = {
      tool_name: 'run_shell_command',
      tool_input: { command: 'sweep' },
      tool_use_id: 'x',
      tool_call_id: 'c1',
    };
    const trace = traceOf([
      qwen(0, 'UserPromptSubmit', { prompt: 'Sweep' }),
      qwen(1, 'PreToolUse', call),
      qwen(2, 'PostToolUseFailure', { ...call, error: 'Output: no\nExit Code: 9\nSignal: (none)', duration_ms: 400 }),
      qwen(3, 'UserPromptSubmit', { prompt: '' }),
      qwen(4, 'Stop', { last_assistant_message: 'Swept.' }),
    ]);
    expect(trace).toMatchObject({ framework: 'qwen-code', task: 'Sweep', finalOutput: 'Swept.' });
    expect(trace.steps.map(({ name }) => name)).toEqual(['qwen-code', 'prompt', 'run_shell_command', 'answer']);
    expect(trace.steps[2]).toMatchObject({ status: 'error', tool: { id: 'c1' }, toolOutcome: { exitCode: 9 } });
  });
});

describe.each([
  ['camelCase', (record: JsonObject) => record],
  [
    'PascalCase',
    ({ sessionId, timestamp, toolName, toolArgs, toolResult, event, ...more }: JsonObject) => ({
      session_id: sessionId!,
      timestamp: new Date(timestamp as number).toISOString(),
      hook_event_name: event!,
      traceparent: '00-1-2-01',
      ...(toolName === undefined ? {} : { tool_name: toolName, tool_input: toolArgs ?? null }),
      ...(toolResult === undefined
        ? {}
        : {
            tool_result: {
              result_type: (toolResult as JsonObject).resultType!,
              text_result_for_llm: (toolResult as JsonObject).textResultForLlm!,
            },
          }),
      ...more,
    }),
  ],
])('hooks of Copilot CLI in %s', (spelling, spell) => {
  const copilot = (second: number, event: string, more: JsonObject = {}) =>
    spell({ sessionId: 'c', timestamp: T + second * 1000, ...(spelling === 'camelCase' ? {} : { event }), ...more });
  const call = { toolName: 'bash', toolArgs: { command: 'sweep' } };
  const result = (resultType: string, textResultForLlm: string) => ({
    ...call,
    toolResult: { resultType, textResultForLlm },
  });
  const session = (...more: Json[]) => [
    copilot(0, 'SessionStart', { source: 'new' }),
    copilot(1, 'UserPromptSubmit', { prompt: 'Sweep' }),
    ...more,
    spelling === 'camelCase'
      ? copilot(9, 'Stop', { stopReason: 'end_turn' })
      : copilot(9, 'Stop', { stop_reason: 'end_turn' }),
  ];

  test('are read', () => {
    const records = session(
      copilot(2, 'PreToolUse', call),
      copilot(5, 'PostToolUse', result('success', 'no broom\n<shellId: 0 completed with exit code 2>')),
    );
    expect(outlineOf(records)).toEqual(['agent copilot-cli 9 s', 'message prompt 0 s', 'tool bash failed exit 2 3 s']);
    expect(traceOf(records)).toMatchObject({
      framework: 'copilot-cli',
      task: 'Sweep',
      codingSession: { endedBy: 'completed' },
    });
    expect(traceOf(records).steps[2]?.output).toContain('no broom');
  });

  test.each([
    ['failure', 'tool_error', false],
    ['denied', 'permission_denied', true],
  ])('a result of type %s is a failure', (type, error, isRefused) => {
    const { steps } = traceOf(session(copilot(5, 'PostToolUse', result(type, 'not allowed'))));
    expect(steps[2]).toMatchObject({ status: 'error', error: { type: error } });
    expect(steps[2]?.refusal !== undefined).toBe(isRefused);
  });
});

test('arguments of an older Copilot CLI are JSON text', () => {
  const record = {
    sessionId: 'c',
    timestamp: T,
    toolName: 'bash',
    toolArgs: '{"command":"sweep"}',
    toolResult: { resultType: 'success', textResultForLlm: 'ok' },
  };
  expect(traceOf([record]).steps.find(({ kind }) => kind === 'tool')?.tool?.arguments).toEqual({ command: 'sweep' });
});

test.each([
  ['Read', 'view'],
  ['Edit', 'edit'],
  ['Bash', 'bash'],
  ['count_brooms', 'count_brooms'],
])('the tool %s of Copilot CLI is %s, as in its session file', (tool_name, expected) => {
  const record = {
    hook_event_name: 'PostToolUse',
    session_id: 'c',
    timestamp: new Date(T).toISOString(),
    tool_name,
    tool_input: {},
    tool_result: { result_type: 'success', text_result_for_llm: 'ok' },
  };
  expect(traceOf([record]).steps.find(({ kind }) => kind === 'tool')?.tool?.name).toBe(expected);
});

test('a record of another program with a sessionId is not a hook', () => {
  expect(decodeRecords({ sessionId: 'c', timestamp: T, level: 'info' }, T).rejected).toBe(1);
});
