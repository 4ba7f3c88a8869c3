import { describe, expect, it } from 'vitest';
import { planLayout } from './plan-layout.ts';

const span = '{"format":"misstep.span/1","traceId":"t","spanId":"s"}';
const otlp = '{"resourceSpans":[]}';
const long = 'x'.repeat(2_000);

describe('planLayout', () => {
  it.each([
    ['JSON lines', `${span}\n${span}\n`, { kind: 'lines' }],
    ['one line', otlp, { kind: 'lines' }],
    ['lines after a byte order mark', `\ufeff${span}\n`, { kind: 'lines' }],
    ['lines of which the first is broken', `{"format":\n${span}\n`, { kind: 'lines' }],
    ['lines of which the first is not JSON', `oops\n${span}\n`, { kind: 'lines' }],
    ['lines that are arrays', `[${span}]\n[${span}]\n`, { kind: 'lines' }],
    ['an array', `[${span},${span}]`, { kind: 'array' }],
    ['an array over several lines', `[\n  ${span},\n  ${span}\n]`, { kind: 'array' }],
    ['an array whose first element is unknown', `[{"a":1},${span}]`, { kind: 'array' }],
    [
      'an array that is one conversation',
      '[{"checkpoint":{"checkpoint_id":"c"},"values":{},"next":[]}]',
      { kind: 'whole' },
    ],
    ['an array of unknown elements', '[{"a":1}]', { kind: 'whole' }],
    ['a document over several lines', '{\n  "resourceSpans": [\n    {}\n  ]\n}', { kind: 'values' }],
    ['no JSON', '\u0001\u0002', { kind: 'whole' }],
  ] as const)('%s', (_name, body, plan) => {
    expect(planLayout(Buffer.from(body), true)).toEqual(plan);
  });

  it.each([
    ['one large document', `{"meta":{"n":1},"resourceSpans":[{"a":"${long}`, { kind: 'member', name: 'resourceSpans' }],
    ['a page', `{\n "data": [\n  {"id":"${long}`, { kind: 'member', name: 'data' }],
    ['a trace next to its observations', `{"trace":{"id":"t"},"observations":[{"a":"${long}`, { kind: 'values' }],
    ['a large object without a list', `{"name":"${long}`, { kind: 'values' }],
    ['a large array', `[{"a":"${long}`, { kind: 'array' }],
    ['lines', `${span}\n{"a":"${long}`, { kind: 'lines' }],
  ] as const)('according to its start: %s', (_name, head, plan) => {
    expect(planLayout(Buffer.from(head), false)).toEqual(plan);
  });
});
