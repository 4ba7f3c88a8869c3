import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type Json, type JsonObject, parseJson } from '../../core/json.ts';
import { mergeSpans } from '../../core/merge-spans.ts';
import type { Span } from '../../core/span.ts';
import { EMPTY_CATALOG } from '../model-catalog/catalog.ts';
import { buildTrace } from '../trace-model/build-trace.ts';
import { decodeOpenClaw, isOpenClaw } from './decode-openclaw.ts';
import { decodeTranscriptFile, isTranscriptFile } from './transcript-file.ts';

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures/openclaw');
const fixture = (name: string) => parseJson(readFileSync(join(FIXTURES, `${name}.json`), 'utf8'))!;
const traceOf = (spans: Span[]) => buildTrace(spans, { models: EMPTY_CATALOG, isSettled: true });

const at = (second: number) => new Date(1_777_890_000_000 + second * 1000).toISOString();
const session: JsonObject = { type: 'session', version: 4, id: 's1', timestamp: at(0), cwd: '/w' };
let created = 0;
const message = (second: number, fields: JsonObject): JsonObject => {
  created += 1;
  return { type: 'message', id: `m${created}`, parentId: null, timestamp: at(second), message: fields };
};
const call = (id: string) => ({ type: 'toolCall', id, name: 'look', arguments: { at: id } });
const result = (id: string, text: string, isError = false): JsonObject => ({
  role: 'toolResult',
  toolCallId: id,
  toolName: 'look',
  content: [{ type: 'text', text }],
  isError,
});
const row = (event: Json, seq = 0): JsonObject => ({ session_id: 's1', seq, event_json: event });
const trajectory = (type: string, data: JsonObject): JsonObject => ({
  traceSchema: 'openclaw-trajectory',
  type,
  ts: at(50),
  sessionId: 's1',
  sessionKey: 'agent:scout:main',
  runId: 'r1',
  data,
});

describe('isOpenClaw', () => {
  const user = message(1, { role: 'user', content: 'x' });
  test.each<[string, Json, boolean]>([
    ['a session line', session, true],
    ['a message', user, true],
    ['a row', row(user), true],
    ['a row with text', row(JSON.stringify(user)), true],
    ['a row of the trajectory', row(trajectory('session.started', {})), true],
    ['a list with a bad event in it', [session, user, 7], true],
    ['a batch', { session_id: 's1', events: [user] }, true],
    ['a list with one event among other things', [user, {}, 1], false],
    ['a session of something else', { type: 'session', id: 's1', timestamp: at(0) }, false],
    ["a coding agent's transcript", { type: 'user', uuid: 'u', timestamp: at(0), message: { role: 'user' } }, false],
    ['a hook call', { hook_event_name: 'Stop', session_id: 's1', type: 'message' }, false],
  ])('%s', (_, value, expected) => {
    expect(isOpenClaw(value)).toBe(expected);
  });
});

describe('a session', () => {
  const usage = { input: 10, output: 4, cacheRead: 30, cacheWrite: 2, totalTokens: 46, cost: { total: 0.5 } };
  const events = [
    session,
    message(1, { role: 'user', content: [{ type: 'text', text: 'Look twice' }] }),
    message(4, { role: 'assistant', model: 'm', usage, stopReason: 'toolUse', content: [call('a'), call('b')] }),
    message(5, result('b', 'second')),
    message(6, result('a', 'Error: no', true)),
    message(9, { role: 'assistant', model: 'm', content: [{ type: 'text', text: 'Seen.' }], stopReason: 'stop' }),
  ];

  test('pairs calls with results, includes cached tokens in the input, and has the cost', () => {
    const trace = traceOf(decodeOpenClaw(events).spans);
    expect(trace).toMatchObject({ status: 'ok', task: 'Look twice', finalOutput: 'Seen.', costUsd: 0.5 });
    expect(trace.tokens).toMatchObject({ input: 42, output: 4, total: 46, cacheRead: 30, cacheWrite: 2 });
    const tools = trace.steps.flatMap(({ tool, status, startMs, endMs }) =>
      tool ? [[tool.arguments, tool.result, status, (endMs! - startMs!) / 1000]] : [],
    );
    expect(tools).toEqual([
      [{ at: 'b' }, 'second', 'unset', 1],
      [{ at: 'a' }, 'Error: no', 'error', 2],
    ]);
    expect(trace.steps.at(-1)!.inputMessages.map(({ toolCallId }) => toolCallId)).toEqual(['b', 'a']);
  });

  test('is the same as one body, as unordered rows and as joined batches', () => {
    const whole = traceOf(decodeOpenClaw({ session_id: 's1', events }).spans);
    const rows = events.map((event, seq) => row(event, seq));
    expect(traceOf(decodeOpenClaw([...rows].reverse()).spans)).toEqual(whole);
    const single = traceOf(mergeSpans(rows.flatMap((one) => decodeOpenClaw(one).spans)));
    const withoutHistory = (steps: typeof whole.steps) =>
      steps.map((step) => ({ ...step, inputMessages: [], input: '' }));
    expect(withoutHistory(single.steps)).toEqual(withoutHistory(whole.steps));
  });

  test('is the same with compressed events in hex', () => {
    const rows = events.map((event, seq) => row(event, seq));
    const packed = rows.map(({ event_json: event, ...rest }) => {
      const bytes = zstdCompressSync(Buffer.from(typeof event === 'string' ? event : JSON.stringify(event)));
      return { ...rest, event_json: null, event_zstd: bytes.toString('hex').toUpperCase() };
    });
    expect(decodeOpenClaw(packed)).toEqual(decodeOpenClaw(rows));
  });

  test.each<[string, JsonObject, string]>([
    ['not exported', {}, 'export hex(event_zstd) AS event_zstd'],
    ['damaged in the database file', { event_zstd: 'damaged' }, 'the compressed event is damaged or larger than 4 MiB'],
    ['cut off', { event_zstd: '28B52FFD04' }, 'not a compressed event in hexadecimal'],
    ['exported as bytes', { event_zstd: '(\u{FFFD}/\u{FFFD}' }, 'not a compressed event in hexadecimal'],
  ])('a compressed event that was %s is rejected alone', (_, packed, message) => {
    const rows = events.map((event, seq) => row(event, seq) as JsonObject);
    rows[5] = { session_id: 's1', seq: 5, event_json: null, ...packed };
    const { spans, rejections } = decodeOpenClaw(rows);
    expect(rejections).toEqual([{ pointer: '/5', message: expect.stringContaining(message) }]);
    expect(spans.length).toBeGreaterThan(3);
  });

  const packed = (seq: number): JsonObject => ({ session_id: 's1', seq, event_json: null });
  const rejectedIn = (rows: JsonObject[]) => traceOf(decodeOpenClaw(rows).spans).rejectedRecords ?? null;
  test.each<[string, JsonObject[], ReturnType<typeof rejectedIn>]>([
    ['nothing', [], null],
    ['the last event', [packed(5)], { count: 1, afterStep: 4, isEndMissing: true }],
    ['an event in the middle', [packed(3)], { count: 1, afterStep: 4, isEndMissing: false }],
    ['the request', [packed(1)], { count: 1, afterStep: -1, isEndMissing: false }],
    ['the first event', [packed(0)], { count: 1, afterStep: -1, isEndMissing: false }],
    [
      'the last four events',
      [packed(2), packed(3), packed(4), packed(5)],
      { count: 4, afterStep: 1, isEndMissing: true },
    ],
    ['an event of an unknown type after the last one', [row({ type: 'later', id: 'x', timestamp: at(10) }, 6)], null],
    [
      'the last event, with the report of its end',
      [packed(5), row(trajectory('session.ended', { status: 'success' }), 6)],
      { count: 1, afterStep: 4, isEndMissing: true },
    ],
  ])('records that %s was rejected', (_, changed, expected) => {
    const rows = events.map((event, seq) => row(event, seq));
    for (const one of changed) rows[one.seq as number] = one;
    expect(rejectedIn(rows)).toEqual(expected);
  });

  test('whose last event was rejected has neither an answer nor a failed end', () => {
    const rows = events.map((event, seq) => row(event, seq)).slice(0, 5);
    expect(traceOf(decodeOpenClaw(rows).spans)).toMatchObject({ status: 'error' });
    const trace = traceOf(decodeOpenClaw([...rows, packed(5)]).spans);
    expect([trace.status, trace.finalOutput]).toEqual(['ok', null]);
  });

  test('that is sent again with all of its events has no rejected ones; a later batch keeps them, before its own', () => {
    const rows = events.map((event, seq) => row(event, seq));
    const first = decodeOpenClaw([...rows.slice(0, 5), packed(5)]).spans;
    const sentAgain = mergeSpans([...first, ...decodeOpenClaw(rows).spans]);
    expect(traceOf(sentAgain).rejectedRecords).toBeUndefined();
    const later = decodeOpenClaw([row(message(20, { role: 'user', content: 'Go on' }), 6)]).spans;
    expect(traceOf(mergeSpans([...first, ...later])).rejectedRecords).toMatchObject({ count: 1, isEndMissing: false });
  });

  test('whose events were all rejected is no run', () => {
    const { spans, rejections } = decodeOpenClaw([packed(0), packed(1), packed(2)]);
    expect([spans, rejections.length]).toEqual([[], 3]);
  });

  test('counts the rejected events of each batch that has others, in any order', () => {
    const rows = events.map((event, seq) => row(event, seq));
    const batches = [
      [...rows.slice(0, 3), packed(3)],
      [packed(4), packed(5)],
      [row(message(20, { role: 'user', content: 'Go on' }), 6), packed(7)],
    ].map((batch) => decodeOpenClaw(batch).spans);
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 0, 2, 1, 2],
    ])
      expect(traceOf(mergeSpans(order.flatMap((at) => batches[at]!))).rejectedRecords).toMatchObject({
        count: 2,
        isEndMissing: true,
      });
  });

  test('that is read again after it has grown counts each rejected event once', () => {
    const rows = events.map((event, seq) => row(event, seq));
    rows[3] = packed(3);
    const grown = [...rows, row(message(20, { role: 'user', content: 'Go on' }), 6), packed(7)];
    const spans = mergeSpans([...decodeOpenClaw(rows.slice(0, 5)).spans, ...decodeOpenClaw(grown).spans]);
    expect(traceOf(spans).rejectedRecords).toMatchObject({ count: 2 });
  });

  test.each<[string, string | null]>([
    ['agent:scout:discord:group:7', 'scout'],
    ['agent:scout:subagent:1f', 'scout'],
    ['cron:nightly', 'openclaw'],
    ['hook:1f', 'openclaw'],
  ])('of key %s has the agent %s', (key, agent) => {
    const { spans } = decodeOpenClaw({ session_id: 's1', session_key: key, events });
    expect(traceOf(spans).agents).toEqual([agent]);
  });

  test.each<[string, JsonObject, string[]]>([
    ['ends well', { status: 'success' }, []],
    ['is stopped', { status: 'error', aborted: true }, []],
    ['times out', { status: 'error', idleTimedOut: true, promptError: 'No answer.' }, ['timeout: No answer.']],
    ['fails', { status: 'failed' }, ['failed: The run ended with status failed.']],
  ])('whose run %s', (_, data, errors) => {
    const { spans } = decodeOpenClaw([...events, trajectory('session.ended', data)]);
    const runs = traceOf(spans).steps.filter(({ name }) => name === 'run');
    expect(runs.map(({ error }) => `${error!.type}: ${error!.message}`)).toEqual(errors);
  });

  test('a call that the user stopped did not fail, a call that the model refused failed', () => {
    const ended = (stopReason: string) =>
      traceOf(
        decodeOpenClaw([
          session,
          message(1, { role: 'assistant', content: [], stopReason, errorMessage: '429 slow down' }),
        ]).spans,
      ).steps.at(-1)!.error;
    expect(ended('aborted')).toBeNull();
    expect(ended('error')!.message).toBe('429 slow down');
  });
});

test('an invalid event is rejected alone', () => {
  const orphan = message(1, { role: 'user', content: 'whose?' });
  const { spans, rejections } = decodeOpenClaw([
    orphan,
    session,
    7,
    { ...orphan, timestamp: 'late' },
    row(null),
    orphan,
  ]);
  expect(spans.map(({ name }) => name)).toEqual(['openclaw', 'prompt']);
  expect(rejections.map(({ pointer }) => pointer).sort()).toEqual(['/0', '/2', '/3', '/4']);
  for (const malformed of [null, 1, 'x', [], {}, [[]]] as Json[])
    for (const role of ['user', 'assistant', 'toolResult', 'other'])
      decodeOpenClaw([
        session,
        message(1, { role, content: malformed, usage: malformed, toolCallId: malformed, timestamp: malformed }),
        malformed,
      ]);
});

test('the ids of a fixture are stable', () => {
  const { spans } = decodeOpenClaw(fixture('transcript-lines'));
  expect(spans.map(({ spanId }) => spanId)).toEqual(
    decodeOpenClaw(fixture('transcript-lines')).spans.map((s) => s.spanId),
  );
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(3);
});

describe('a transcript file', () => {
  const user = message(1, { role: 'user', content: 'Hello' });
  const lines = [session, user].map((event) => JSON.stringify(event));

  test.each<[string, string, boolean]>([
    ['a session first', `\n${lines[0]}`, true],
    ['a message first', lines[1]!, false],
    ['a list', `[${lines[0]}]`, false],
    ['nothing', '', false],
  ])('is recognized by %s', (_, text, expected) => {
    expect(isTranscriptFile(text)).toBe(expected);
  });

  test('is read like its events, and rejections point to its lines', () => {
    const { spans, rejections } = decodeTranscriptFile(`${lines[0]}\n\n{broken\n${lines[1]}\r\n`);
    expect(spans).toEqual(decodeOpenClaw([session, null, user]).spans);
    expect(rejections.map(({ pointer }) => pointer)).toEqual(['line 3']);
  });
});

/** A real agent's tables, kept outside the repository; the expected values were determined manually. */
const CAPTURE = join(
  process.env.MISSTEP_CAPTURES ?? join(import.meta.dirname, '../../../../shared/clients/captures'),
  'openclaw/agent-sqlite-session-tables.json',
);

describe.skipIf(!existsSync(CAPTURE))('captures of a real agent (skipped without captures)', () => {
  test('its session tables', () => {
    const { spans, rejections } = decodeOpenClaw(parseJson(readFileSync(CAPTURE, 'utf8'))!);
    const trace = traceOf(spans);
    expect(rejections).toEqual([]);
    expect(trace).toMatchObject({
      framework: 'openclaw',
      status: 'ok',
      task: 'Say hello',
      agents: ['main'],
      sessionId: 'sess-test-1',
      finalOutput: 'NOCALL Hello from the fake model',
      tokens: { input: 123, output: 45, total: 168, cacheRead: 20, reasoning: 7 },
    });
    expect(trace.steps.map(({ kind }) => kind)).toEqual(['agent', 'message', 'llm']);
  });
});
