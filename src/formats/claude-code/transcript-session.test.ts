import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { decodeAny } from '../detect/detect-format.ts';
import { createModelCatalog } from '../model-catalog/catalog.ts';
import { buildTrace } from '../trace-model/build-trace.ts';
import { decodeTranscript } from './decode-transcript.ts';

let second = 0;
const line = (more: JsonObject): JsonObject => {
  second += 1;
  return {
    sessionId: 's-1',
    uuid: `line-${second}`,
    timestamp: new Date(Date.UTC(2026, 2, 1, 10, 0, second)).toISOString(),
    cwd: '/srv/shop',
    gitBranch: 'till',
    isSidechain: false,
    ...more,
  };
};
const user = (content: string | JsonObject[], more: JsonObject = {}) =>
  line({ type: 'user', message: { role: 'user', content }, ...more });
const answer = (id: string, block: JsonObject, more: JsonObject = {}) =>
  line({
    type: 'assistant',
    requestId: `req-${id}`,
    message: {
      id,
      role: 'assistant',
      model: 'claude-opus-4-5-20251101',
      content: [block],
      usage: {
        input_tokens: 10,
        cache_read_input_tokens: 100_000,
        cache_creation_input_tokens: 3_000,
        cache_creation: { ephemeral_5m_input_tokens: 1_000, ephemeral_1h_input_tokens: 2_000 },
        output_tokens: 100,
      },
    },
    ...more,
  });
const words = (text: string): JsonObject => ({ type: 'text', text });
const call = (id: string, name: string, input: JsonObject = {}): JsonObject => ({ type: 'tool_use', id, name, input });
const result = (id: string, content: string, more: JsonObject = {}, isError = false) =>
  user([{ type: 'tool_result', tool_use_id: id, content, ...(isError ? { is_error: true } : {}) }], more);
const own = (text: string, more: JsonObject = {}) =>
  line({
    type: 'assistant',
    message: {
      id: `own-${second}`,
      role: 'assistant',
      model: '<synthetic>',
      content: [words(text)],
      usage: { input_tokens: 0, output_tokens: 0 },
    },
    ...more,
  });
const system = (subtype: string, more: JsonObject) => line({ type: 'system', subtype, ...more });
const REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected.";

const textOf = (lines: JsonObject[]) => lines.map((each) => JSON.stringify(each)).join('\n');
const read = (...lines: JsonObject[]): Trace => {
  const { spans, rejections } = decodeTranscript(textOf(lines));
  expect(rejections).toEqual([]);
  return buildTrace(spans, { models: createModelCatalog(), isSettled: true });
};

describe('costs', () => {
  const usd = (10 * 5 + 100_000 * 0.5 + 1_000 * 6.25 + 2_000 * 10 + 100 * 25) / 1e6;

  test('cached tokens are part of the input and have their own price', () => {
    const trace = read(user('Add.'), answer('m-1', words('Done.')));
    expect(trace.tokens).toMatchObject({ input: 103_010, output: 100, cacheRead: 100_000, cacheWrite: 3_000 });
    expect(trace.costUsd).toBeCloseTo(usd, 10);
  });

  test('lines of one answer count once, and the last one is complete', () => {
    const firstPrompt = user('Add.');
    const first = answer('m-1', words('I look.'));
    (first.message as JsonObject).usage = { input_tokens: 10, output_tokens: 1 };
    const trace = read(firstPrompt, first, answer('m-1', call('t-1', 'Read')), answer('m-1', call('t-2', 'Read')));
    expect(trace.costUsd).toBeCloseTo(usd, 10);
    expect(trace.steps.map(({ name, messageId }) => [name, messageId])).toEqual([
      ['Add.', undefined],
      ['prompt', undefined],
      ['chat', undefined],
      ['Read', 'm-1'],
      ['Read', 'm-1'],
    ]);
  });

  test('lines that a resumed session repeats count once', () => {
    const lines = [user('Add.'), answer('m-1', words('Done.')), answer('m-2', call('t-1', 'Read')), result('t-1', 'x')];
    const again = lines.map((each) => ({ ...each, uuid: `again ${each.uuid}` }));
    expect(read(...lines, ...again)).toMatchObject(
      (({ costUsd, steps }) => ({ costUsd, steps: steps.map(({ name, output }) => ({ name, output })) }))(
        read(...lines),
      ),
    );
  });

  test('copied lines of the original session are steps of the original', () => {
    const origin = { forkedFrom: { sessionId: 's-0', messageUuid: 'x' } };
    const trace = read(
      user('Old.', origin),
      answer('m-0', words('Old.'), origin),
      user('New.'),
      answer('m-1', words('Done.')),
    );
    expect(trace).toMatchObject({ task: 'New.', codingSession: { parentId: 's-0' } });
    expect(trace.costUsd).toBeCloseTo(usd, 10);
  });

  test('answers that the program writes are not model calls', () => {
    const trace = read(user('Add.'), answer('m-1', words('Done.')), own('No response requested.'));
    expect(trace.steps.map(({ name }) => name)).toEqual(['Add.', 'prompt', 'chat']);
    expect(trace.models).toEqual(['claude-opus-4-5-20251101']);
  });
});

describe('task and name', () => {
  test.each<[string, JsonObject[], string | null, string]>([
    [
      'the first real prompt',
      [user('<system-reminder>x</system-reminder>'), user('Add a till.\nIt counts.')],
      'Add a till.\nIt counts.',
      'Add a till.',
    ],
    [
      'a plan that was accepted',
      [user('Implement the following plan:\n\n# Plan: Count the till\n\n## Steps')],
      'Implement the following plan:\n\n# Plan: Count the till\n\n## Steps',
      'Count the till',
    ],
    [
      'a command if there is no prompt',
      [user('<command-name>/shop:check</command-name>')],
      '/shop:check',
      '/shop:check',
    ],
    [
      'a later prompt before a command alone',
      [user('<command-name>/shop:check</command-name>'), user('Add.')],
      'Add.',
      'Add.',
    ],
    [
      'a generated title',
      [user('Add.'), { type: 'ai-title', sessionId: 's-1', aiTitle: 'Till with a sum' }],
      'Add.',
      'Till with a sum',
    ],
    [
      'the title that the user gave',
      [
        { type: 'custom-title', sessionId: 's-1', customTitle: 'Till' },
        user('Add.'),
        { type: 'ai-title', sessionId: 's-1', aiTitle: 'Other' },
      ],
      'Add.',
      'Till',
    ],
    [
      'a title of another session',
      [user('Add.'), { type: 'ai-title', sessionId: 's-9', aiTitle: 'Other' }],
      'Add.',
      'Add.',
    ],
    [
      'a summary of another session',
      [{ type: 'summary', summary: 'Other', leafUuid: 'x' }, user('Add.')],
      'Add.',
      'Add.',
    ],
    [
      'a long line',
      [user(`Add ${'a till '.repeat(30)}`)],
      `Add ${'a till '.repeat(30)}`.trim(),
      `Add ${'a till '.repeat(10)}a…`,
    ],
    [
      'a prompt that was typed while the agent worked',
      [line({ type: 'attachment', attachment: { type: 'queued_command', prompt: 'Add.' } })],
      'Add.',
      'Add.',
    ],
    ['nothing', [answer('m-0', words('Hello.'))], null, 'claude-code'],
  ])('%s', (_, lines, task, name) => {
    expect(read(...lines)).toMatchObject({ task, name });
  });

  test('the last summary of the session', () => {
    const [first, second] = [user('Add.'), answer('m-1', words('Done.'))];
    const summary = (of: JsonObject, text: string) => ({ type: 'summary', summary: text, leafUuid: of.uuid as string });
    expect(read(first, second, summary(first, 'Start'), summary(second, 'Till added'))).toMatchObject({
      name: 'Till added',
      codingSession: { title: 'Till added', project: '/srv/shop', branch: 'till' },
    });
  });
});

describe('how a session ended', () => {
  const firstPrompt = user('Add.');
  test.each<[string, JsonObject[], string, Trace['status']]>([
    ['with an answer', [answer('m-1', words('Done.'))], 'completed', 'ok'],
    ['in the middle', [answer('m-1', call('t-1', 'Read'))], 'unknown', 'ok'],
    [
      'by an interruption',
      [answer('m-1', words('I add')), user([words('[Request interrupted by user]')])],
      'interrupted',
      'ok',
    ],
    [
      'by a refusal',
      [
        answer('m-1', call('t-1', 'Bash')),
        result('t-1', REFUSED, {}, true),
        user([words('[Request interrupted by user for tool use]')]),
      ],
      'refused',
      'ok',
    ],
    [
      'after a refusal and another prompt',
      [
        answer('m-1', call('t-1', 'Bash')),
        result('t-1', REFUSED, {}, true),
        user('Then not.'),
        answer('m-2', words('Fine.')),
      ],
      'completed',
      'ok',
    ],
    [
      'by an error of the API',
      [own('API Error: 429 {"type":"error"}', { isApiErrorMessage: true })],
      'api_error',
      'error',
    ],
    ['by a limit', [own('Claude AI usage limit reached|1767225600', { isApiErrorMessage: true })], 'limit', 'error'],
    ['by a full context', [own('Prompt is too long', { isApiErrorMessage: true })], 'limit', 'error'],
    [
      'after an error that passed',
      [system('api_error', { retryAttempt: 1, error: { status: 529 } }), answer('m-1', words('Done.'))],
      'completed',
      'ok',
    ],
  ])('%s', (_, lines, endedBy, status) => {
    expect(read(firstPrompt, ...lines)).toMatchObject({ status, codingSession: { endedBy } });
  });

  test('with structured output as the final answer', () => {
    const trace = read(
      firstPrompt,
      answer('m-1', call('t-1', 'StructuredOutput', { sum: 3 })),
      result('t-1', 'Structured output provided successfully'),
    );
    expect(trace).toMatchObject({ finalOutput: '{"sum":3}', codingSession: { endedBy: 'completed' } });
  });
});

describe('steps', () => {
  test('a series of repeated requests is one error', () => {
    const retry = (retryAttempt: number) =>
      system('api_error', { retryAttempt, cause: { code: 'ConnectionRefused' }, error: {} });
    const errors = read(user('Add.'), retry(1), retry(2), retry(3), answer('m-1', words('Done.'))).steps.filter(
      ({ error }) => error,
    );
    expect(errors.map(({ kind, error }) => [kind, error])).toEqual([
      ['llm', { type: 'ConnectionRefused', message: 'ConnectionRefused (3 attempts)' }],
    ]);
  });

  test('a compaction has its trigger and its tokens', () => {
    const firstPrompt = user('Add.');
    const boundary = system('compact_boundary', { compactMetadata: { trigger: 'auto', preTokens: 160_000 } });
    const trace = read(
      firstPrompt,
      boundary,
      user('A summary.', { isCompactSummary: true }),
      answer('m-1', words('Done.')),
    );
    expect(trace.steps.map(({ name }) => name)).toEqual(['Add.', 'prompt', 'compaction', 'chat']);
    expect(trace.steps[2]!.compaction).toEqual({ trigger: 'auto', tokensBefore: 160_000, tokensAfter: null });
  });

  test('a tool has the reported duration, without the time of a question', () => {
    const open = answer('m-1', call('t-1', 'Grep'));
    const trace = read(user('Add.'), open, result('t-1', 'x', { toolUseResult: { durationMs: 250 } }));
    const step = trace.steps.find(({ name }) => name === 'Grep')!;
    expect(step.endMs! - step.startMs!).toBe(250);
    expect(step.toolOutcome).toEqual({ isError: false, exitCode: null });
  });

  test('a prompt that is sent twice under one id is two steps', () => {
    const trace = read(user('Add.', { promptId: 'p-1' }), user('More.', { promptId: 'p-1' }));
    expect(new Set(trace.steps.map(({ spanId }) => spanId)).size).toBe(3);
  });
});

describe('the format', () => {
  const queued = (content: string) => line({ type: 'queue-operation', operation: 'enqueue', content });

  test('is recognized after queued prompts of any length', () => {
    const lines = [
      ...Array.from({ length: 30 }, () => queued('x'.repeat(20_000))),
      user('Add.'),
      answer('m-1', words('Done.')),
    ];
    expect(decodeAny(Buffer.from(textOf(lines)), { receivedAtMs: 0 })).toMatchObject({ format: 'claude-transcript' });
  });

  test('does not match an agent with other messages', () => {
    const other = line({ type: 'user', message: { role: 'user', parts: [{ text: 'Add.' }] } });
    const { format } = decodeAny(Buffer.from(textOf([other, other])), { receivedAtMs: 0 });
    expect(format).toBe('qwen-transcript');
  });
});
