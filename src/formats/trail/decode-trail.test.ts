import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Json, parseJson } from '../../core/json.ts';
import { encodeSpanLine } from '../misstep/span-line.ts';
import { decodeTrail, isTrailTrace } from './decode-trail.ts';

const fixtures = new URL('../../../test/fixtures/trail/', import.meta.url);
const read = (name: string): Json => parseJson(readFileSync(new URL(name, fixtures), 'utf8'))!;

describe('a TRAIL trace', () => {
  test('decodes to the spans of its fixture', () => {
    const { spans, rejections } = decodeTrail(read('library-desk.trace.json'));
    expect(spans.map((span) => parseJson(encodeSpanLine(span)))).toEqual(read('library-desk.spans.json'));
    expect(rejections).toEqual([{ pointer: '/spans/0/child_spans/0/child_spans/1', message: 'expected an object' }]);
  });

  test('nested a hundred thousand levels deep is read', () => {
    const span = (at: number): Json => ({ span_id: `s${at}`, timestamp: '2026-01-01T00:00:00Z', child_spans: [] });
    const root = span(0);
    let innermost = root as { child_spans: Json[] };
    for (let at = 1; at <= 100_000; at += 1) {
      innermost.child_spans.push(span(at));
      innermost = innermost.child_spans[0] as { child_spans: Json[] };
    }
    const { spans } = decodeTrail({ trace_id: 't', spans: [root] });
    expect(spans.length).toBe(100_001);
    expect(spans.at(-1)).toMatchObject({ spanId: 's100000', parentSpanId: 's99999', endNs: null });
  });

  test('keeps the children of a span that cannot be read', () => {
    const child = { span_id: 'c', timestamp: '2026-01-01T00:00:00Z' };
    const { spans, rejections } = decodeTrail({
      trace_id: 't',
      spans: [{ span_id: 'p', timestamp: '?', child_spans: [child] }],
    });
    expect(spans).toMatchObject([{ spanId: 'c', parentSpanId: 'p' }]);
    expect(rejections).toMatchObject([{ pointer: '/spans/0' }]);
  });

  test.each<[string, Json]>([
    ['a text', 'x'],
    ['no spans', { spans: [] }],
    ['other spans', { spans: [{ id: 1 }] }],
  ])('is not %s', (_, value) => {
    expect(isTrailTrace(value)).toBe(false);
    expect(decodeTrail(value).rejections).toHaveLength(1);
  });
});
