import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../src/core/json.ts';
import { mergeSpans } from '../src/core/merge-spans.ts';
import type { Span } from '../src/core/span.ts';
import type { Trace } from '../src/core/trace.ts';
import { decodeAgentEvents } from '../src/formats/agent-events/decode-agent-events.ts';
import { decodeTranscript } from '../src/formats/claude-code/decode-transcript.ts';
import { decodeHook } from '../src/formats/hooks/decode-hook.ts';
import { createModelCatalog } from '../src/formats/model-catalog/catalog.ts';
import { decodeLogsJson } from '../src/formats/otlp/decode-logs-json.ts';
import { buildTrace } from '../src/formats/trace-model/build-trace.ts';
import { logsJson, type SentLog } from './support/log-bodies.ts';

/** One session of Claude Code in three of its sources: it reads a recipe, a test fails, the user refuses a push. */
const SESSION = 'bakery-1';
const START = Date.UTC(2026, 2, 1, 10);
const MODEL = 'claude-opus-4-5-20251101';
const TASK = 'Make the bread rise.';
const ANSWER = 'The bread rises now.';
const ERROR = 'Exit code 1\nthe bread is flat';
const REFUSED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\nnot before the tests pass";

const CALLS = [
  { id: 't-1', name: 'Read', input: { file_path: '/srv/bakery/recipe.md' }, result: 'flour, water', at: 3, ms: 20 },
  { id: 't-2', name: 'Bash', input: { command: 'npm test' }, result: ERROR, isError: true, at: 6, ms: 700 },
  {
    id: 't-3',
    name: 'Bash',
    input: { command: 'git push' },
    result: REFUSED,
    isError: true,
    isRefused: true,
    at: 9,
    ms: 0,
  },
] as const;
const USAGE = { input_tokens: 10, cache_read_input_tokens: 1_000, cache_creation_input_tokens: 200, output_tokens: 50 };

const line = (second: number, more: JsonObject) =>
  JSON.stringify({
    sessionId: SESSION,
    uuid: `line-${second}`,
    timestamp: new Date(START + second * 1_000).toISOString(),
    cwd: '/srv/bakery',
    gitBranch: 'rise',
    ...more,
  });
const answer = (second: number, at: number, block: JsonObject, hasRequest: boolean) =>
  line(second, {
    type: 'assistant',
    ...(hasRequest ? { requestId: `req-${at}` } : {}),
    message: { id: `msg-${at}`, role: 'assistant', model: MODEL, content: [block], usage: USAGE },
  });

function transcript(hasRequest = true): Span[] {
  const lines = [
    line(1, { type: 'user', promptId: 'p-1', message: { role: 'user', content: TASK } }),
    ...CALLS.flatMap(({ id, name, input, result, at, ...rest }) => [
      answer(at - 1, at, { type: 'tool_use', id, name, input }, hasRequest),
      line(at, {
        type: 'user',
        promptId: 'p-1',
        message: {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: id, content: result, ...('isError' in rest ? { is_error: true } : {}) },
          ],
        },
      }),
    ]),
    answer(11, 11, { type: 'text', text: ANSWER }, hasRequest),
    JSON.stringify({ type: 'ai-title', sessionId: SESSION, aiTitle: 'Rising bread' }),
  ];
  return decodeTranscript(lines.join('\n')).spans;
}

function hooks(): Span[] {
  const base = {
    session_id: SESSION,
    transcript_path: '/home/ada/.claude/projects/b/bakery-1.jsonl',
    cwd: '/srv/bakery',
    prompt_id: 'p-1',
  };
  const calls: [number, JsonObject][] = [
    [1, { hook_event_name: 'UserPromptSubmit', prompt: TASK }],
    ...CALLS.flatMap(({ id, name, input, result, at, ms, ...rest }): [number, JsonObject][] => {
      const tool = { tool_name: name, tool_input: input, tool_use_id: id };
      const end: JsonObject =
        'isError' in rest
          ? { hook_event_name: 'PostToolUseFailure', error: result }
          : { hook_event_name: 'PostToolUse', tool_response: result };
      return [
        [at - 1, { hook_event_name: 'PreToolUse', ...tool }],
        [at, { ...end, ...tool, duration_ms: ms }],
      ];
    }),
    [11, { hook_event_name: 'Stop', last_assistant_message: ANSWER }],
    [12, { hook_event_name: 'SessionEnd', reason: 'other' }],
  ];
  return calls.flatMap(([second, call]) => decodeHook({ ...base, ...call }, START + second * 1_000 + 30).spans);
}

function logs(hasRequest = true): Span[] {
  const event = (name: string, second: number, attributes: SentLog['attributes'] = {}): SentLog => ({
    atMs: START + second * 1_000 + 5,
    body: `claude_code.${name}`,
    attributes: {
      'session.id': SESSION,
      'event.name': name,
      'event.sequence': second * 10 + name.length,
      'prompt.id': 'p-1',
      ...attributes,
    },
  });
  const request = (second: number, at: number) =>
    event('api_request', second, {
      model: MODEL,
      input_tokens: 10,
      cache_read_tokens: 1_000,
      cache_creation_tokens: 200,
      output_tokens: 50,
      duration_ms: 400,
      cost_usd: 0.003,
      query_source: 'repl_main_thread',
      ...(hasRequest ? { request_id: `req-${at}` } : {}),
    });
  const records = [
    event('user_prompt', 1, { prompt: TASK }),
    ...CALLS.flatMap(({ id, name, input, at, ms, ...rest }) => {
      const tool = { tool_name: name, tool_use_id: id };
      const end =
        'isRefused' in rest
          ? event('tool_decision', at, { ...tool, decision: 'reject', source: 'user_reject' })
          : event('tool_result', at, {
              ...tool,
              success: String(!('isError' in rest)),
              duration_ms: ms,
              tool_input: JSON.stringify(input),
              ...('isError' in rest ? { error: 'Shell command failed' } : {}),
            });
      return [request(at - 1, at), end];
    }),
    request(11, 11),
    event('assistant_response', 11, { response: ANSWER, query_source: 'repl_main_thread' }),
  ];
  const sent = { serviceName: 'claude-code', scope: 'com.anthropic.claude_code.events', records };
  return decodeAgentEvents(decodeLogsJson(logsJson(sent)).records, START).spans;
}

const traceOf = (...sources: Span[][]): Trace =>
  buildTrace(mergeSpans(sources.flat()), { models: createModelCatalog(), isSettled: true });
const idsOf = ({ steps }: Trace, ...names: string[]) =>
  steps.filter(({ name }) => names.includes(name)).map(({ name, spanId }) => `${name} ${spanId}`);

describe('one session of Claude Code', () => {
  const TOOLS = ['Read', 'Bash', 'Bash'];

  test.each<[string, Span[], object]>([
    [
      'its transcript',
      transcript(),
      {
        name: 'Rising bread',
        finalOutput: ANSWER,
        costUsd: expect.closeTo(0.0122, 6),
        codingSession: { branch: 'rise' },
      },
    ],
    ['its hooks', hooks(), { name: TASK, finalOutput: ANSWER, costUsd: null, codingSession: { branch: null } }],
    [
      'its log events',
      logs(),
      { name: TASK, finalOutput: ANSWER, costUsd: expect.closeTo(0.012, 6), codingSession: { branch: null } },
    ],
  ])('is the same trace from %s, without data that the source lacks', (_, spans, expected) => {
    const trace = traceOf(spans);
    expect(trace).toMatchObject({
      task: TASK,
      status: 'ok',
      sessionId: SESSION,
      framework: 'claude-code',
      ...expected,
    });
    expect(trace.codingSession).toMatchObject({ endedBy: 'completed' });
    expect(trace.traceId).toBe(traceOf(transcript()).traceId);
    expect(idsOf(trace, 'prompt', ...TOOLS)).toEqual(idsOf(traceOf(transcript()), 'prompt', ...TOOLS));
    const tools = trace.steps.filter(({ kind }) => kind === 'tool');
    expect(tools.map(({ toolOutcome, refusal }) => [toolOutcome?.isError, refusal?.by])).toEqual([
      [false, undefined],
      [true, undefined],
      [true, 'user'],
    ]);
  });

  test('has the same model calls from its transcript and its log events', () => {
    expect(idsOf(traceOf(logs()), 'chat')).toEqual(idsOf(traceOf(transcript()), 'chat'));
  });

  const both = { transcript, hooks, logs };
  const ORDERS = [
    ['transcript', 'hooks', 'logs'],
    ['logs', 'hooks', 'transcript'],
    ['hooks', 'logs', 'transcript'],
  ] as const;
  describe.each([[true], [false]])('read from all of them, with ids of requests: %s', (hasRequest) => {
    test.each(ORDERS)('%s, %s, %s', (...order) => {
      const trace = traceOf(...order.map((source) => (source === 'hooks' ? hooks() : both[source](hasRequest))));
      const names = trace.steps.slice(1).map(({ name }) => name);
      expect(names.join()).toBe('prompt,chat,Read,chat,Bash,chat,Bash,chat');
      expect(trace).toMatchObject({ name: 'Rising bread', task: TASK, status: 'ok', finalOutput: ANSWER });
      expect(trace.costUsd).toBeCloseTo(0.012, 6);
      expect(trace.tokens.total).toBe(4 * 1_260);
      expect(trace.codingSession).toMatchObject({ title: 'Rising bread', branch: 'rise', endedBy: 'completed' });
      const [read, tests, push] = trace.steps.filter(({ kind }) => kind === 'tool');
      expect(read!.endMs! - read!.startMs!).toBe(20);
      expect(tests!.toolOutcome).toEqual({ isError: true, exitCode: 1 });
      expect(push!.refusal).toEqual({ by: 'user', reason: 'not before the tests pass' });
    });
  });
});

describe('a subagent', () => {
  const subagent = [
    line(4, { type: 'user', isSidechain: true, agentId: 'a1', message: { role: 'user', content: 'Find the oven.' } }),
    line(5, {
      type: 'assistant',
      isSidechain: true,
      agentId: 'a1',
      message: {
        id: 'm-s',
        role: 'assistant',
        model: MODEL,
        content: [{ type: 'text', text: 'It is in the cellar.' }],
        usage: USAGE,
      },
    }),
  ].join('\n');
  const main = [
    line(1, { type: 'user', message: { role: 'user', content: TASK } }),
    answer(
      2,
      2,
      { type: 'tool_use', id: 't-1', name: 'Task', input: { subagent_type: 'Explore', prompt: 'Find the oven.' } },
      true,
    ),
    line(9, {
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't-1', content: 'In the cellar.' }] },
      toolUseResult: { agentId: 'a1', totalDurationMs: 6_500 },
    }),
  ].join('\n');

  test.each([[[main, subagent]], [[subagent, main]]])('has its name and is below the call that started it', (files) => {
    const trace = traceOf(...files.map((file) => decodeTranscript(file).spans));
    const agent = trace.steps.find(({ name }) => name === 'Explore')!;
    expect(trace.steps[agent.parent!]).toMatchObject({ name: 'Task' });
    expect(trace.steps.filter(({ parent }) => parent === agent.index).map(({ name, agent: by }) => [name, by])).toEqual(
      [['chat', 'Explore']],
    );
    expect(trace).toMatchObject({ task: TASK, agents: ['claude-code', 'Explore'] });
  });
});
