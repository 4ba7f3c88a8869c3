import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readRuns } from '../../../test/support/read-runs.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { decodeServerRun, isServerRun } from './decode-run.ts';

const fixtures = new URL('../../../test/fixtures/langgraph-server/', import.meta.url);
const run = (fields: JsonObject = {}): JsonObject => ({
  run_id: 'r',
  thread_id: 'th',
  assistant_id: 'as',
  status: 'success',
  kwargs: { webhook: 'https://here.example/?token=secret', input: { topic: 'tides' } },
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:05Z',
  ...fields,
});

describe('a run of a LangGraph server', () => {
  test('of a webhook decodes to the span and the run of its fixture', () => {
    const text = readFileSync(new URL('floor-plan-webhook.expected.json', fixtures), 'utf8');
    expect(readRuns(new URL('floor-plan.webhook.json', fixtures))).toEqual(JSON.parse(text));
  });

  test.each<[string, JsonObject, object]>([
    ['that went well', {}, { status: { code: 1 }, endNs: 1_767_225_605_000_000_000n }],
    ['that waits for a worker', { status: 'pending' }, { status: { code: 0 }, endNs: null }],
    ['that was interrupted', { status: 'interrupted' }, { status: { code: 0 } }],
    ['that took too long', { status: 'timeout' }, { attributes: { 'error.type': 'timeout' } }],
    ['that failed without a message', { status: 'error' }, { status: { code: 2, message: /no error text/ } }],
    [
      'that hit its limit of steps',
      { status: 'error', error: 'Recursion limit of 8 reached without hitting a stop condition.' },
      { attributes: { 'error.type': 'GraphRecursionError' } },
    ],
  ])('%s', (_, fields, { status, ...part }: { status?: { code: number; message?: RegExp } }) => {
    const [span] = decodeServerRun(run(fields)).spans;
    expect(span).toMatchObject(part);
    if (status) expect(span!.status.code).toBe(status.code);
    if (status?.message) expect(span!.status.message).toMatch(status.message);
  });

  test('omits URLs that may contain a token', () => {
    expect(JSON.stringify(decodeServerRun(run()).spans[0]!.attributes)).not.toContain('secret');
  });

  test.each<[string, Json]>([
    ['without a time', run({ created_at: null })],
    ['without an id', run({ run_id: '' })],
    ['that is not an object', 'x'],
  ])('%s is refused', (_, value) => {
    expect(decodeServerRun(value)).toMatchObject({ spans: [], rejections: [{ pointer: '' }] });
  });

  test('a run of another product is not recognized', () => {
    expect(isServerRun({ run_id: 'r', status: 'completed' })).toBe(false);
  });
});
