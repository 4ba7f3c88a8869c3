import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readRuns } from '../../../test/support/read-runs.ts';
import type { Json } from '../../core/json.ts';
import { mergeSpans } from '../../core/merge-spans.ts';
import { decodeAgentsExport, isAgentsExport } from './decode-export.ts';

const fixtures = new URL('../../../test/fixtures/openai-agents/', import.meta.url);
const expected = (name: string) => JSON.parse(readFileSync(new URL(`${name}.expected.json`, fixtures), 'utf8'));

describe('an export of the OpenAI Agents SDK', () => {
  test.each([
    ['museum-desk.export.json', 'museum-desk'],
    ['courier-lookup.export.jsonl', 'courier-lookup'],
  ])('%s decodes to the spans and the run of its fixture', (file, name) => {
    expect(readRuns(new URL(file, fixtures))).toEqual(expected(name));
  });

  test('the comparison detects a wrong token count', () => {
    const wrong = expected('museum-desk');
    wrong.runs[0].tokens[0] += 1;
    expect(() => expect(readRuns(new URL('museum-desk.export.json', fixtures))).toEqual(wrong)).toThrow();
  });

  const span = (fields: { [key: string]: Json }): Json => ({
    object: 'trace.span',
    id: 's',
    trace_id: 't',
    started_at: '2026-01-01T00:00:00Z',
    ended_at: null,
    span_data: { type: 'custom', name: 'x', data: {} },
    ...fields,
  });

  test.each<[string, Json, object]>([
    ['is running without an end', {}, { endNs: null, status: { code: 0, message: '' } }],
    [
      'reads an incomplete response from its error',
      { error: { message: 'Request ended with unsuccessful terminal state "response.incomplete".', data: {} } },
      { attributes: expect.objectContaining({ 'gen_ai.response.finish_reasons': ['incomplete'] }) },
    ],
    ['keeps an error text', { error: 'broke' }, { status: { code: 2, message: 'broke' } }],
    [
      'names the exceeded limit',
      { error: { message: 'Max turns exceeded', data: { max_turns: 3 } } },
      { status: { code: 2, message: 'Max turns exceeded: {"max_turns":3}' } },
    ],
    [
      'of an unknown type is a plain step',
      { span_data: { type: 'speech', input: 'hello' } },
      { name: 'speech', attributes: { 'misstep.step.kind': 'other', 'misstep.framework': 'openai-agents' } },
    ],
  ])('a span %s', (_, fields, part) => {
    expect(decodeAgentsExport(span(fields as { [key: string]: Json })).spans).toMatchObject([part]);
  });

  test('a trace is running until the root of the SDK has ended', () => {
    const traceRecord = decodeAgentsExport({ data: [{ object: 'trace', id: 't', workflow_name: 'Desk' }] }).spans;
    expect(traceRecord).toMatchObject([{ name: 'Desk', parentSpanId: null, endNs: null }]);
    const ended = decodeAgentsExport({ data: [span({ ended_at: '2026-01-01T00:00:01Z' })] }).spans;
    expect(mergeSpans([...traceRecord, ...ended])).toMatchObject([
      { parentSpanId: null, endNs: 1_767_225_601_000_000_000n, attributes: { 'gen_ai.workflow.name': 'Desk' } },
      { spanId: 's', parentSpanId: traceRecord[0]!.spanId },
    ]);
  });

  test.each<[string, Json]>([
    ['a time', { started_at: 'yesterday' }],
    ['an id', { id: '' }],
    ['its trace', { trace_id: null }],
    ['span data', { span_data: null }],
  ])('a span without %s is rejected alone', (_, fields) => {
    const { spans, rejections } = decodeAgentsExport({ data: [span(fields as { [key: string]: Json }), span({})] });
    expect(spans).toHaveLength(1);
    expect(rejections).toMatchObject([{ pointer: '/data/0' }]);
  });

  test.each<[string, Json]>([
    ['a text', 'x'],
    ['a page of another API', { data: [{ object: 'model' }] }],
    ['an empty page', { data: [] }],
  ])('%s is not an export', (_, value) => {
    expect(isAgentsExport(value)).toBe(false);
  });
});
