import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.ts';
import { createModelCatalog } from '../model-catalog/catalog.ts';
import { buildTrace } from '../trace-model/build-trace.ts';
import { decodeTranscript } from './decode-transcript.ts';

const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 10, 0, second)).toISOString();
const surroundings = { sessionId: 's-1', cwd: '/srv/shop', gitBranch: 'till', isSidechain: false };
const model = 'claude-haiku-4-5-20251001';
const usage = { input_tokens: 10, cache_read_input_tokens: 900, cache_creation_input_tokens: 0, output_tokens: 5 };

const before = [
  {
    ...surroundings,
    type: 'user',
    uuid: 'u1',
    timestamp: at(1),
    message: { role: 'user', content: 'Count the shelves' },
  },
  {
    ...surroundings,
    type: 'assistant',
    uuid: 'u2',
    timestamp: at(2),
    requestId: 'req-1',
    message: {
      id: 'm-1',
      role: 'assistant',
      model,
      usage,
      content: [{ type: 'tool_use', id: 'task-1', name: 'Task', input: { prompt: 'Look', subagent_type: 'Explore' } }],
    },
  },
];
/** Messages of the subagent: its prompt, an answer with a call, the failed result. */
const messages: JsonObject[] = [
  { type: 'user', uuid: 'a1', timestamp: at(3), message: { role: 'user', content: 'Look' } },
  {
    type: 'assistant',
    uuid: 'a2',
    timestamp: at(4),
    requestId: 'req-2',
    message: {
      id: 'm-2',
      role: 'assistant',
      model,
      usage,
      content: [{ type: 'tool_use', id: 'read-1', name: 'Read', input: { file_path: '/srv/shop/shelves.txt' } }],
    },
  },
  {
    type: 'user',
    uuid: 'a3',
    timestamp: at(5),
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'read-1', content: 'File does not exist.', is_error: true }],
    },
  },
];
const after = [
  {
    ...surroundings,
    type: 'user',
    uuid: 'u3',
    timestamp: at(6),
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'task-1', content: 'None' }] },
    toolUseResult: { status: 'completed', agentId: 'a0' },
  },
];

const asProgress = messages.map((message, index) => ({
  ...surroundings,
  type: 'progress',
  uuid: `p${index}`,
  timestamp: message.timestamp,
  parentToolUseID: 'task-1',
  data: { type: 'agent_progress', agentId: 'a0', prompt: 'Look', message },
}));
const asSidechain = messages.map((message) => ({ ...surroundings, ...message, isSidechain: true, agentId: 'a0' }));

const decode = (...lines: object[]) => decodeTranscript(lines.map((line) => JSON.stringify(line)).join('\n'));
const traceOf = (...lines: object[]) =>
  buildTrace(decode(...lines).spans, { isSettled: true, models: createModelCatalog() });

describe('progress lines of a subagent', () => {
  test('give the same steps as lines of the subagent itself', () => {
    expect(decode(...before, ...asProgress, ...after)).toEqual(decode(...before, ...asSidechain, ...after));
  });

  test('count in the cost and the failures of the session', () => {
    const trace = traceOf(...before, ...asProgress, ...after);
    expect(trace.tokens).toMatchObject({ input: 1820, cacheRead: 1800, output: 10 });
    expect(trace.steps.find(({ name }) => name === 'Read')).toMatchObject({
      agent: 'Explore',
      status: 'error',
      toolOutcome: { isError: true },
    });
  });

  test('next to lines of the subagent itself count once', () => {
    const both = traceOf(...before, ...asProgress, ...asSidechain, ...after);
    const once = traceOf(...before, ...asProgress, ...after);
    expect(both.tokens).toEqual(once.tokens);
    expect(both.steps.filter(({ kind }) => kind === 'tool')).toHaveLength(2);
  });

  test.each<[string, JsonObject]>([
    ['of a hook', { type: 'hook_progress', hookEvent: 'PostToolUse' }],
    ['without a message', { type: 'agent_progress', agentId: 'a0' }],
    ['without an agent', { type: 'agent_progress', message: messages[1]! }],
    ['with a broken message', { type: 'agent_progress', agentId: 'a0', message: { type: 'user', message: 'x' } }],
  ])('other progress lines give no step: %s', (_, data) => {
    const other = { ...surroundings, type: 'progress', uuid: 'p', timestamp: at(4), data };
    expect(decode(...before, other, ...after)).toEqual(decode(...before, ...after));
  });
});
