import { describe, expect, test } from 'vitest';
import { parseJson } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { decodeSpanLine, encodeSpanLine, isSpanLine } from './span-line.ts';

const span: Span = {
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  parentSpanId: null,
  name: 'chat gpt-4o',
  kind: 3,
  startNs: 1_795_220_422_376_000_001n,
  endNs: 1_795_220_422_376_999_999n,
  status: { code: 2, message: 'line\nbreak' },
  attributes: { big: { $int64: '1152921504606846976' }, list: [1, 'two', null], nested: { deep: true } },
  events: [{ name: 'exception', timeNs: 7n, attributes: { 'exception.type': 'TypeError' } }],
  links: [{ traceId: 'c'.repeat(32), spanId: 'd'.repeat(16), attributes: {} }],
  resource: { 'service.name': 'desk' },
  scope: { name: 'own', version: '1' },
};

describe('span line', () => {
  test.each([
    ['a full span', span],
    ['a running span', { ...span, endNs: null, parentSpanId: 'e' }],
    ['a span without times', { ...span, startNs: 0n, endNs: 0n }],
  ])('%s is decoded unchanged', (_, original) => {
    const line = encodeSpanLine(original);
    expect(line).not.toContain('\n');
    const json = parseJson(line);
    expect(isSpanLine(json)).toBe(true);
    expect(decodeSpanLine(json!)).toEqual(original);
  });

  test('omitted members have defaults', () => {
    expect(decodeSpanLine({ traceId: 't', spanId: 's' })).toMatchObject({
      kind: 0,
      startNs: 0n,
      endNs: null,
      events: [],
    });
  });

  test.each([
    ['no object', 1, 'object'],
    ['no trace id', { spanId: 's' }, 'traceId'],
    ['an empty span id', { traceId: 't', spanId: '' }, 'spanId'],
    ['a numeric parent', { traceId: 't', spanId: 's', parentSpanId: 4 }, 'parentSpanId'],
    ['a rounded time', { traceId: 't', spanId: 's', startNs: 1.5e18 }, 'startNs'],
    ['a time beyond 64 bits', { traceId: 't', spanId: 's', endNs: '99999999999999999999' }, 'endNs'],
  ])('%s is refused', (_, line, named) => {
    expect(decodeSpanLine(line)).toEqual({ rejection: expect.stringContaining(named) });
  });
});
