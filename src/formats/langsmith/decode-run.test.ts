import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readRuns } from '../../../test/support/read-runs.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { decodeLangSmith, decodeRuns, isLangSmith, type PlacedRun } from './decode-run.ts';

const fixtures = new URL('../../../test/fixtures/langsmith/', import.meta.url);
const expected = (name: string) => JSON.parse(readFileSync(new URL(`${name}.expected.json`, fixtures), 'utf8'));
const run = (fields: JsonObject = {}): JsonObject => ({
  id: 'r',
  run_type: 'chain',
  name: 'x',
  start_time: '2026-01-01T00:00:00',
  end_time: 1_767_225_601_000,
  ...fields,
});

describe('LangSmith runs', () => {
  test.each([
    ['garden-helper.multipart', 'garden-helper'],
    ['library.runs.jsonl', 'library'],
  ])('%s decode to the spans and the run of their fixture', (file, name) => {
    expect(readRuns(new URL(file, fixtures))).toEqual(expected(name));
  });

  test('the comparison detects a wrong tool', () => {
    const wrong = expected('garden-helper');
    wrong.runs[0].tools = [];
    expect(() => expect(readRuns(new URL('garden-helper.multipart', fixtures))).toEqual(wrong)).toThrow();
  });

  test.each<[string, JsonObject, object]>([
    ['alone is its own trace', {}, { traceId: 'r', parentSpanId: null, endNs: 1_767_225_601_000_000_000n }],
    [
      'reads its parents from the dotted order',
      { dotted_order: '20260101T000000000001Za.20260101T000000000002Zb.20260101T000000000003Zr' },
      { traceId: 'a', parentSpanId: 'b' },
    ],
    ['that is running has no end', { end_time: null }, { endNs: null }],
    [
      'of a tool that answers with an error failed',
      {
        run_type: 'tool',
        outputs: { output: { type: 'tool', status: 'error', content: 'no such row', tool_call_id: 'c' } },
      },
      { status: { code: 2, message: 'no such row' }, attributes: { 'gen_ai.tool.call.id': 'c' } },
    ],
    [
      'of a handoff tool keeps its command',
      { run_type: 'tool', outputs: { output: { lg_name: 'Command', goto: ['writer'] } } },
      { attributes: { 'gen_ai.completion': '{"lg_name":"Command","goto":["writer"]}' } },
    ],
    [
      'of a model counts tokens under older names',
      { run_type: 'llm', outputs: { llm_output: { token_usage: { prompt_tokens: 5, completion_tokens: 2 } } } },
      { attributes: { 'langsmith.usage_metadata': '{"input_tokens":5,"output_tokens":2}' } },
    ],
    [
      'separates the stack from the message',
      { error: "KeyError('x')Traceback (most recent call last):\n  File" },
      { status: { message: "KeyError('x')" }, events: [{ name: 'exception' }] },
    ],
  ])('a run %s', (_, fields, part) => {
    expect(decodeLangSmith(run(fields)).spans).toMatchObject([part]);
  });

  test('a patch completes its post, and a page gives each run', () => {
    const patch = { id: 'r', run_type: 'chain', outputs: { answer: 'yes' }, end_time: 1_767_225_602_000, name: null };
    const { spans } = decodeLangSmith({ post: [run({ end_time: null })], patch: [patch] });
    expect(spans).toMatchObject([{ name: 'x', endNs: 1_767_225_602_000_000_000n }]);
    const page = decodeLangSmith({ runs: [run(), 'no run', run({ id: 's', start_time: 'soon', end_time: null })] });
    expect(page.spans).toHaveLength(1);
    expect(page.rejections.map(({ pointer }) => pointer)).toEqual(['/runs/1', '/runs/2']);
  });

  test('nested a hundred thousand levels deep are read', () => {
    let child = run({ id: 'r100000' });
    for (let at = 99_999; at >= 0; at -= 1) child = run({ id: `r${at}`, child_runs: [child] });
    const { spans } = decodeLangSmith(child);
    expect(spans).toHaveLength(100_001);
    expect(spans.at(-1)).toMatchObject({ traceId: 'r0', parentSpanId: 'r99999' });
  });

  test('with many children has its dotted order parsed once', () => {
    let reads = 0;
    const parent = {
      ...run({ child_runs: Array.from({ length: 1_000 }, (_, at) => run({ id: `c${at}` })) }),
      get dotted_order() {
        reads += 1;
        return '20260101T000000000001Zr';
      },
    };
    expect(decodeLangSmith(parent).spans).toHaveLength(1_001);
    expect(reads).toBeLessThan(10);
  });

  test('of one id are joined in linear time, posts before patches', () => {
    const fields = Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`field_${at}`, at]));
    const update = { id: 'r', name: null, extra: { metadata: { place: 'attic' } } };
    const patches = Array.from<unknown, PlacedRun>({ length: 100_000 }, () => ({
      value: update,
      pointer: '',
      part: 'update',
    }));
    const post = {
      value: run({ ...fields, extra: { metadata: { place: 'cellar' } } }),
      pointer: '',
      part: 'begin' as const,
    };
    const { spans, rejections } = decodeRuns(patches.toSpliced(1, 0, post));
    expect(rejections).toEqual([]);
    expect(spans).toMatchObject([{ name: 'x', attributes: { 'misstep.span.part': 'joined' } }]);
    expect(JSON.stringify(spans[0]!.attributes)).toContain('attic');
  });

  test.each<[string, Json]>([
    ['a text', 'x'],
    ['an object of another kind', { id: 'r', type: 'run' }],
    ['an empty page', { runs: [] }],
  ])('%s is not a run', (_, value) => {
    expect(isLangSmith(value)).toBe(false);
    expect(decodeLangSmith(value).spans).toEqual([]);
  });
});
