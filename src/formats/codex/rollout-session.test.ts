import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { promptSpanId, sessionRootId, sessionTraceId, toolSpanId } from '../hooks/session-span.ts';
import { createModelCatalog } from '../model-catalog/catalog.ts';
import { buildTrace } from '../trace-model/build-trace.ts';
import { decodeRollout } from './decode-rollout.ts';

const OWN = '01a10000-2000-7000-8000-00000000000a';
const PARENT = '01a10000-1000-7000-8000-00000000000b';
/** A turn id with the time in its first twelve digits, like session ids. */
const turnId = (time: string) => `01a10000-${time}-7000-8000-00000000000c`;
const START = Date.UTC(2026, 4, 1, 9);
/** Milliseconds of the first twelve digits of OWN and PARENT. */
const BORN = 0x01a100002000;

type Line = [type: string, payload: JsonObject, second?: number];
const meta = (id: string, more: JsonObject = {}, second = 0): Line => [
  'session_meta',
  { id, timestamp: new Date(id === OWN ? BORN : BORN - 4096).toISOString(), cwd: '/srv/ferry', ...more },
  second,
];
const event = (payload: JsonObject, second?: number): Line => ['event_msg', payload, second];
const item = (payload: JsonObject, second?: number): Line => ['response_item', payload, second];
const turn = (id: string, second?: number): Line => event({ type: 'task_started', turn_id: id }, second);
const prompt = (message: string, second?: number): Line => event({ type: 'user_message', message }, second);
const call = (call_id: string, name: string, given: Json, second?: number): Line =>
  item({ type: 'function_call', call_id, name, arguments: JSON.stringify(given) }, second);
const script = (call_id: string, input: string): Line =>
  item({ type: 'custom_tool_call', call_id, name: 'exec', input });
const output = (call_id: string, value: Json, second?: number): Line =>
  item({ type: 'function_call_output', call_id, output: value }, second);
const printed = (state: string, ...texts: string[]): Json =>
  [`Script ${state}\nWall time 0.1 seconds\nOutput:\n`, ...texts].map((text) => ({ type: 'input_text', text }));
const chunk = (more: JsonObject) => JSON.stringify({ chunk_id: 'ab', wall_time_seconds: 1.5, ...more });
const tokens = (total: number, last: number | null, second?: number): Line =>
  event(
    {
      type: 'token_count',
      info: {
        total_token_usage: { input_tokens: total, cached_input_tokens: 0, output_tokens: total / 10 },
        last_token_usage:
          last === null
            ? { input_tokens: 0, output_tokens: 0, total_tokens: 700 }
            : { input_tokens: last, cached_input_tokens: 0, output_tokens: last / 10, total_tokens: last * 1.1 },
      },
    },
    second,
  );

function decode(lines: readonly Line[]): Span[] {
  const text = lines.map(([type, payload, second], at) =>
    JSON.stringify({ timestamp: new Date(START + (second ?? at) * 1000).toISOString(), type, payload }),
  );
  const { spans, rejections } = decodeRollout(text.join('\n'));
  expect(rejections).toEqual([]);
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  return spans;
}

const traceOf = (spans: readonly Span[]) => buildTrace(spans, { models: createModelCatalog(), isSettled: true });
const toolLine = ({ name, status, attributes }: Span) =>
  `${name} ${attributes['gen_ai.tool.call.arguments']} -> ${attributes['misstep.tool.exit_code'] ?? '-'} ${status.code}: ${attributes['gen_ai.tool.call.result']}`;
const toolLines = (lines: readonly Line[]) =>
  decode([meta(OWN), ...lines])
    .filter(({ attributes }) => 'gen_ai.tool.name' in attributes)
    .map(toolLine);

describe('a script of code mode', () => {
  const NPM = '{"cmd":"npm test"}';
  const POLL = 'text(JSON.stringify(await tools.write_stdin({session_id: 31, chars: ""})))';
  const found = (call_id: string, name: string, good: JsonObject): Line =>
    event({
      type: 'mcp_tool_call_end',
      call_id,
      invocation: { server: 'docks', tool: 'find', arguments: { name } },
      result: { Ok: good },
    });
  const run = 'const r = await tools.exec_command({cmd: "npm test"}); text(r.output)';

  it.each<[string, Line[], string[]]>([
    [
      'is the command that it runs',
      [script('c', run), output('c', printed('completed', '2 passed'))],
      [`exec_command ${NPM} -> - 0: 2 passed`],
    ],
    [
      'has the exit code that it printed',
      [script('c', run), output('c', printed('completed', chunk({ exit_code: 1, output: '1 failed' })))],
      [`exec_command ${NPM} -> 1 2: 1 failed`],
    ],
    [
      'is several calls, each with its own result',
      [
        script(
          'c',
          'const a = await tools.exec_command({cmd: "ls"}); const b = await tools.exec_command({cmd: "npm test"}); text([a, b])',
        ),
        output(
          'c',
          printed('completed', chunk({ exit_code: 0, output: 'a.ts' }), chunk({ exit_code: 1, output: '1 failed' })),
        ),
      ],
      ['exec_command {"cmd":"ls"} -> 0 0: a.ts', `exec_command ${NPM} -> 1 2: 1 failed`],
    ],
    [
      'fails at its failing call',
      [
        script('c', 'await tools.exec_command({cmd: "ls"}); await tools.apply_patch("*** Begin")'),
        output('c', printed('failed', 'Script error:\napply_patch verification failed: no hunk')),
      ],
      [
        'exec_command {"cmd":"ls"} -> - 0: undefined',
        'apply_patch *** Begin -> - 2: apply_patch verification failed: no hunk',
      ],
    ],
    [
      'is a step if it has its own error',
      [
        script('c', 'tools.exec_command({cmd: "ls"'),
        output('c', printed('failed', 'Script error:\nSyntaxError: Unexpected end')),
      ],
      [`exec {"javascript":"tools.exec_command({cmd: \\"ls\\""} -> - 2: Script error:\nSyntaxError: Unexpected end`],
    ],
    [
      'is a step if it calls nothing',
      [script('c', 'text(ALL_TOOLS)'), output('c', printed('completed', '[]'))],
      ['exec {"javascript":"text(ALL_TOOLS)"} -> - 0: []'],
    ],
    [
      'that runs in the background gets the polled result',
      [
        script('c', run),
        output('c', 'Script running with cell ID 4\nWall time 11.0 seconds\nOutput:\n'),
        call('w', 'wait', { cell_id: '4' }),
        output('w', printed('completed', chunk({ exit_code: 2, output: '2 failed' }))),
      ],
      [`exec_command ${NPM} -> 2 2: 2 failed`, 'wait {"cell_id":"4"} -> 2 0: 2 failed'],
    ],
    [
      'with a background command gets the polled output',
      [
        script('c', run),
        output('c', printed('completed', chunk({ session_id: 31, output: 'one ' }))),
        script('d', 'const r = await tools.write_stdin({session_id: 31, chars: ""}); text(JSON.stringify(r))'),
        output('d', printed('completed', chunk({ exit_code: 1, output: 'two' }))),
      ],
      [`exec_command ${NPM} -> 1 2: one two`, 'write_stdin {"session_id":31,"chars":""} -> 1 0: two'],
    ],
    [
      'fails once at its start when it is polled repeatedly',
      [
        script('c', run),
        output('c', 'Script running with cell ID 4\nWall time 11.0 seconds\nOutput:\n'),
        call('w', 'wait', { cell_id: '4' }),
        output('w', printed('completed', chunk({ session_id: 31, output: '1 ' }))),
        script('d', POLL),
        output('d', 'Script running with cell ID 5\nWall time 11.0 seconds\nOutput:\n'),
        call('x', 'wait', { cell_id: '5' }),
        output('x', printed('completed', chunk({ session_id: 31, output: '2 ' }))),
        script('e', POLL),
        output('e', 'Script running with cell ID 6\nWall time 11.0 seconds\nOutput:\n'),
        call('y', 'wait', { cell_id: '6' }),
        output('y', printed('completed', chunk({ exit_code: 1, output: '3' }))),
      ],
      [
        `exec_command ${NPM} -> 1 2: 1 2 3`,
        'wait {"cell_id":"4"} -> - 0: 1 ',
        'write_stdin {"session_id":31,"chars":""} -> - 0: 2 ',
        'wait {"cell_id":"5"} -> - 0: 2 ',
        'write_stdin {"session_id":31,"chars":""} -> - 0: 3',
        'wait {"cell_id":"6"} -> 1 0: 3',
      ],
    ],
    [
      'that runs in the background without calls in its source is the started step',
      [
        script('c', 'await run_all()'),
        output('c', 'Script running with cell ID 4\nWall time 11.0 seconds\nOutput:\n'),
        call('w', 'wait', { cell_id: '4' }),
        output('w', printed('completed', chunk({ exit_code: 3, output: 'no' }))),
      ],
      ['exec {"javascript":"await run_all()"} -> 3 2: no', 'wait {"cell_id":"4"} -> 3 0: no'],
    ],
    [
      'that polls its own command fails at the command',
      [
        script(
          'c',
          'let r = await tools.exec_command({cmd: "npm test"}); while (r.session_id) r = await tools.write_stdin({session_id: r.session_id}); text(JSON.stringify(r))',
        ),
        output('c', printed('completed', chunk({ exit_code: 1, output: 'no' }))),
      ],
      [`exec_command ${NPM} -> 1 2: no`, 'write_stdin {} -> 1 0: no'],
    ],
    [
      'fails if the polled command was started before the file begins',
      [script('d', POLL), output('d', printed('completed', chunk({ exit_code: 1, output: 'no' })))],
      ['write_stdin {"session_id":31,"chars":""} -> 1 2: no'],
    ],
    [
      'fails if its poll is rejected',
      [
        script('c', run),
        output('c', printed('completed', chunk({ session_id: 31, output: '1' }))),
        script('d', POLL),
        output('d', printed('failed', 'Script error:\nwrite_stdin failed: Unknown process id 31')),
      ],
      [
        `exec_command ${NPM} -> - 0: 1`,
        'write_stdin {"session_id":31,"chars":""} -> - 2: write_stdin failed: Unknown process id 31',
      ],
    ],
    [
      'has the calls of MCP that events report beyond its source, each with its own flag',
      [
        script('c', 'const all = await Promise.all(names.map((n) => tools.mcp__docks__find({name: n}))); text("done")'),
        found('exec-1', 'north', { content: [{ type: 'text', text: 'pier 4' }] }),
        found('exec-2', 'south', { content: [{ type: 'text', text: 'no such dock' }], isError: true }),
        output('c', printed('completed', 'done')),
      ],
      ['mcp__docks__find {"name":"north"} -> - 0: pier 4', 'mcp__docks__find {"name":"south"} -> - 2: no such dock'],
    ],
    [
      'has the exit code that an event reports',
      [
        script('c', run),
        event({
          type: 'item_completed',
          item: {
            type: 'CommandExecution',
            id: 'exec-9',
            command: ['bash', '-lc', 'npm test'],
            aggregated_output: 'bad',
            exit_code: 6,
          },
        }),
        output('c', printed('completed', 'bad')),
      ],
      [`exec_command ${NPM} -> 6 2: bad`],
    ],
  ])('%s', (_title, lines, expected) => {
    expect(toolLines(lines)).toEqual(expected);
  });

  it('has the span id of its hook call if an event reports its id', () => {
    const done = { type: 'patch_apply_end', call_id: 'exec-5', success: false, stderr: 'no' };
    const spans = decode([
      meta(OWN),
      script('c', 'tools.apply_patch("x")'),
      event(done),
      output('c', printed('completed', '{}')),
    ]);
    expect(spans.find(({ name }) => name === 'apply_patch')).toMatchObject({
      spanId: toolSpanId(OWN, 'exec-5'),
      status: { code: 2 },
    });
  });
});

it('a call that a script made has the id of the call of the model that ran the script', () => {
  const done = (call_id: string) => event({ type: 'patch_apply_end', call_id, success: true });
  const spans = decode([
    meta(OWN),
    script('c', 'await tools.apply_patch(a); await tools.apply_patch(b)'),
    done('exec-5'),
    done('exec-6'),
    done('exec-7'),
    output('c', printed('completed', '{}')),
    done('exec-8'),
  ]);
  const patches = spans.filter(({ name }) => name === 'apply_patch');
  expect(patches.map(({ attributes }) => attributes['gen_ai.tool.call.id'])).toEqual(['c/0', 'c/1', 'c/2']);
  expect(new Set(patches.map(({ attributes }) => attributes['misstep.message.id'])).size).toBe(1);
});

describe('calls outside of code mode', () => {
  it.each<[string, Line[], string[]]>([
    [
      'in a list of text parts',
      [
        call('a', 'exec_command', { cmd: 'ls' }),
        output('a', [
          { type: 'input_text', text: 'Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nno' },
        ]),
      ],
      ['exec_command {"cmd":"ls"} -> 2 2: no'],
    ],
    [
      'that continue in the background',
      [
        call('a', 'exec_command', { cmd: 'make' }),
        output('a', 'Chunk ID: 1\nWall time: 9 seconds\nProcess running with session ID 5\nOutput:\n1'),
        call('b', 'write_stdin', { session_id: 5 }),
        output('b', 'Chunk ID: 2\nWall time: 9 seconds\nProcess exited with code 0\nOutput:\n2'),
      ],
      ['exec_command {"cmd":"make"} -> 0 0: 12', 'write_stdin {"session_id":5} -> 0 0: 2'],
    ],
    [
      'without a result',
      [item({ type: 'web_search_call', id: 'ws', action: { type: 'search', query: 'ferry' } })],
      ['web_search {"type":"search","query":"ferry"} -> - 0: undefined'],
    ],
    [
      'that look for tools',
      [
        item({ type: 'tool_search_call', call_id: 't', arguments: { query: 'x' } }),
        item({ type: 'tool_search_output', call_id: 't', tools: ['a'] }),
      ],
      ['tool_search {"query":"x"} -> - 0: ["a"]'],
    ],
    [
      'of MCP that fail',
      [
        call('m', 'find', {}),
        event({
          type: 'mcp_tool_call_end',
          call_id: 'm',
          invocation: { server: 's', tool: 'find' },
          result: { Err: 'no server' },
        }),
        output('m', 'Wall time: 0.1 seconds\nOutput:\n'),
      ],
      ['find {} -> - 2: no server'],
    ],
  ])('%s', (_title, lines, expected) => {
    expect(toolLines(lines)).toEqual(expected);
  });

  it('of one answer are parallel', () => {
    const spans = decode([
      meta(OWN),
      call('a', 'x', {}),
      call('b', 'y', {}),
      output('a', ''),
      output('b', ''),
      call('c', 'z', {}),
    ]);
    const ids = spans
      .filter(({ attributes }) => 'gen_ai.tool.name' in attributes)
      .map(({ attributes }) => attributes['misstep.message.id']);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it('keep the party that refused them and the reason', () => {
    const spans = decode([
      meta(OWN),
      call('a', 'shell', { command: ['dd'] }),
      output('a', 'exec command rejected by user'),
    ]);
    expect(spans.at(-1)).toMatchObject({
      status: { code: 2 },
      attributes: { 'misstep.refused_by': 'user', 'misstep.tool.is_error': true, 'error.type': 'permission_denied' },
    });
  });
});

describe('token counts', () => {
  const counts = (lines: readonly Line[]) =>
    decode([meta(OWN), ...lines])
      .filter(({ name }) => name === 'chat')
      .map(({ attributes }) => attributes['gen_ai.usage.input_tokens'] ?? null);
  const results = item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] });

  it.each<[string, Line[], (number | null)[]]>([
    ['follow the answer', [results, tokens(100, 100)], [100]],
    ['follow the result of a call', [call('a', 'x', {}), output('a', ''), tokens(100, 100)], [100]],
    [
      'that are repeated count once',
      [results, tokens(100, 100), tokens(100, 100), results, tokens(150, 50)],
      [100, 50],
    ],
    ['without an answer are a separate call', [results, tokens(100, 100), tokens(160, 60)], [100, 60]],
    ['without numbers are none', [results, event({ type: 'token_count', info: null })], [null]],
  ])('%s', (_title, lines, expected) => {
    expect(counts(lines)).toEqual(expected);
  });

  it('around a compaction are its sizes, not its cost', () => {
    const spans = decode([meta(OWN), results, tokens(1000, 1000), ['compacted', {}], tokens(1000, null)]);
    expect(spans.at(-1)).toMatchObject({
      name: 'compaction',
      attributes: { 'misstep.compaction.tokens_before': 1100, 'misstep.compaction.tokens_after': 700 },
    });
  });
});

describe('a resumed session', () => {
  const first: Line[] = [meta(OWN), turn(turnId('3000')), prompt('Sort it.'), call('a', 'x', {}), output('a', '1')];
  const second: Line[] = [
    meta(OWN, {}, 60),
    turn(turnId('9000'), 61),
    prompt('Now by pier.', 62),
    call('b', 'x', {}, 63),
    output('b', '2', 64),
  ];

  it('continues in one trace and overwrites nothing', () => {
    const spans = decode([...first, ...second]);
    const trace = traceOf(spans);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([sessionTraceId(OWN)]));
    expect(trace.task).toBe('Sort it.');
    expect(spans.filter(({ name }) => name === 'user' || name === 'x')).toHaveLength(4);
  });

  it('has the same steps in a separate file', () => {
    const both = decode([...first, ...second]).map(({ spanId }) => spanId);
    const apart = [...decode(first), ...decode(second)].map(({ spanId }) => spanId);
    expect(new Set(apart)).toEqual(new Set(both));
  });

  it('shares prompts and root with its hooks', () => {
    const spans = decode(first);
    expect(spans[0]!.spanId).toBe(sessionRootId(OWN));
    expect(spans[1]!.spanId).toBe(promptSpanId(OWN, turnId('3000')));
  });
});

describe('a forked session', () => {
  const forked = meta(OWN, {
    forked_from_id: PARENT,
    parent_thread_id: PARENT,
    agent_nickname: 'Ada',
    agent_path: '/root/review',
    git: { branch: 'pier-9' },
  });
  const history: Line[] = [
    meta(PARENT),
    turn(turnId('1800'), 0),
    prompt('The task of the parent.', 0),
    tokens(500, 500, 0),
    call('p', 'x', {}, 0),
  ];
  const lines: Line[] = [
    forked,
    ...history,
    turn(turnId('2001'), 1),
    item(
      {
        type: 'agent_message',
        content: [
          { type: 'input_text', text: 'Message Type: NEW_TASK\nTask name: /root/review\nPayload:\nReview the pier.' },
        ],
      },
      1,
    ),
    item({ type: 'message', role: 'assistant', content: 'Fine.' }, 2),
    tokens(530, 30, 3),
    event({ type: 'task_complete' }, 4),
  ];

  it('has its own trace, task and cost', () => {
    const trace = traceOf(decode(lines));
    expect(trace).toMatchObject({ sessionId: OWN, task: 'Review the pier.' });
    expect(trace.codingSession).toEqual({
      title: 'Ada (review)',
      project: '/srv/ferry',
      branch: 'pier-9',
      endedBy: 'completed',
      parentId: PARENT,
    });
    expect(trace.steps.map(({ name, agent }) => `${agent} ${name}`)).toEqual([
      'Ada Codex session',
      'Ada agent_message',
      'Ada chat',
    ]);
    expect(trace.steps.map(({ tokens: counted }) => counted?.input ?? 0)).toEqual([0, 0, 30]);
  });

  it('omits its history also if turns have no ids', () => {
    const bare = lines.map(([type, payload, second]): Line => {
      const { turn_id: _, ...rest } = payload;
      return [type, rest, second === undefined || second < 1 ? second : second + 10];
    });
    expect(traceOf(decode(bare)).steps.map(({ name }) => name)).toEqual(['Codex session', 'agent_message', 'chat']);
  });

  it('keeps its name if a subagent has no readable task', () => {
    const hidden = item({
      type: 'agent_message',
      content: [
        { type: 'input_text', text: 'Message Type: NEW_TASK\nTask name: /root/review\nPayload:\n' },
        { type: 'encrypted_content' },
      ],
    });
    expect(traceOf(decode([meta(OWN, { parent_thread_id: PARENT }), hidden])).task).toBe('/root/review');
  });
});

it('sessions of one file that are not related stay apart', () => {
  const spans = decode([meta(PARENT), prompt('One.'), meta(OWN), prompt('Two.')]);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2);
});

describe('the end of a session', () => {
  const done = event({ type: 'task_complete', last_agent_message: 'Done.' });
  const messageOf = (phase: string) => item({ type: 'message', role: 'assistant', phase, content: 'Sorted by pier.' });
  const failure = (message: string, info: Json) => event({ type: 'error', message, codex_error_info: info });

  it.each<[string, Line[], string, string]>([
    ['completed', [done], 'completed', 'ok'],
    ['aborted by the user', [event({ type: 'turn_aborted', reason: 'interrupted' })], 'interrupted', 'ok'],
    ['replaced by the next turn', [event({ type: 'turn_aborted', reason: 'replaced' }), done], 'completed', 'ok'],
    ['an error', [failure('503', { http_connection_failed: {} }), done], 'api_error', 'error'],
    [
      'a usage limit',
      [failure("You've hit your usage limit. Try again later.", 'usage_limit_exceeded')],
      'limit',
      'error',
    ],
    ['a limit of an older version', [failure("You've hit your usage limit.", null)], 'limit', 'error'],
    [
      'an error that another turn followed',
      [failure('503', null), turn(turnId('8000')), prompt('Again.'), done],
      'completed',
      'ok',
    ],
    ['a final answer without the end of its turn', [messageOf('final_answer')], 'completed', 'ok'],
    ['a final answer that a call follows', [messageOf('final_answer'), call('a', 'x', {})], 'unknown', 'ok'],
    ['a final answer that a prompt follows', [messageOf('final_answer'), prompt('Again.')], 'unknown', 'ok'],
    ['a message in between', [messageOf('final_answer'), messageOf('commentary')], 'unknown', 'ok'],
    [
      'a final answer before an interruption',
      [messageOf('final_answer'), event({ type: 'turn_aborted', reason: 'interrupted' })],
      'interrupted',
      'ok',
    ],
    ['in the middle of a call', [done, turn(turnId('8000')), prompt('Go on.'), call('a', 'x', {})], 'unknown', 'ok'],
  ])('%s', (_title, lines, endedBy, rootStatus) => {
    const spans = decode([meta(OWN), turn(turnId('3000')), prompt('Sort it.'), ...lines]);
    expect(spans[0]!.attributes['misstep.session.ended_by']).toBe(endedBy);
    expect(spans[0]!.status.code === 2 ? 'error' : 'ok').toBe(rootStatus);
  });
});

describe('the name of a session', () => {
  const ACCEPTED =
    'A previous agent produced the plan below to do what the user asked. Implement the plan in a fresh context.';

  it.each<[string, string, string]>([
    [
      'a plan that the program hands over',
      `${ACCEPTED}\n\n# Tide 2: Berth ledger\n\n## Summary\n`,
      'Tide 2: Berth ledger',
    ],
    ['a plan that begins with a sentence', `${ACCEPTED}\n\nThis is it.\n\n## Berth ledger\n`, 'Berth ledger'],
    ['a plan without headings', `${ACCEPTED}\n\nWrite the berth ledger.\nThen test it.`, 'Write the berth ledger.'],
    ['a prompt after images', '[Image #1] [Image #2] Why is this pier red?', 'Why is this pier red?'],
    [
      'a prompt after the state of the editor',
      '# Context from my IDE setup:\n\n## Open tabs:\n- pier.ts: src/pier.ts\n\n## My request for Codex:\nSort the piers.',
      'Sort the piers.',
    ],
    ['an image alone', '[Image #1]', '[Image #1]'],
    ['a prompt with headings', 'Do two things.\n\n# One\nSort.', 'Do two things.'],
  ])('%s', (_title, words, name) => {
    expect(traceOf(decode([meta(OWN), prompt(words)])).name).toBe(name);
  });

  it('is the prompt if an image precedes it in the history', () => {
    const content = ['<image name=[Image #1]>', '</image>', 'Why is this pier red?'].map((text) => ({
      type: 'input_text',
      text,
    }));
    const spans = decode([meta(OWN), item({ type: 'message', role: 'user', content })]);
    expect(traceOf(spans).name).toBe('Why is this pier red?');
  });
});
