import { describe, expect, it } from 'vitest';
import { makeSpan } from '../../test/support/make-span.ts';
import { mergeSpans, SPAN_PART } from './merge-spans.ts';
import type { Span } from './span.ts';

const span = (overrides: Partial<Span>): Span =>
  makeSpan({ traceId: 'a', spanId: 'b', parentSpanId: 'root', startNs: 1n, endNs: 2n, attributes: {}, ...overrides });
const root = (overrides: Partial<Span>) => span({ parentSpanId: null, ...overrides });
const beginsAt = (at: bigint) => root({ startNs: at, endNs: null });
const endsAt = (at: bigint) => root({ startNs: 0n, endNs: at });

function orders<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, at) => orders(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

describe('spans of one id', () => {
  it('are replaced if both are complete', () => {
    const [merged] = mergeSpans([span({ attributes: { a: 1 } }), span({ endNs: 5n, attributes: { b: 2 } })]);
    expect(merged).toMatchObject({ endNs: 5n, attributes: { b: 2 } });
    expect(merged!.attributes).not.toHaveProperty('a');
  });

  it('keep data that only one of two senders has', () => {
    const other = { name: 'another', version: '' };
    const [merged] = mergeSpans([span({ attributes: { a: 1, c: 1 } }), span({ scope: other, attributes: { c: 2 } })]);
    expect(merged!.attributes).toEqual({ a: 1, c: 2 });
  });

  it('have the name and facts of the most precise sender, in any order', () => {
    const from = (scope: string, more: Partial<Span> = {}) =>
      span({ name: scope, scope: { name: scope, version: '' }, attributes: { source: scope, [scope]: 1 }, ...more });
    const failed = { status: { code: 2 as const, message: 'exit 1' } };
    const sent = [
      from('misstep.hooks', { endNs: null }),
      from('misstep.hooks'),
      from('misstep.agent-events', failed),
      from('codex_exec'),
      from('codex.rollout'),
    ];
    for (const order of orders(sent)) {
      const [merged] = mergeSpans(order);
      expect(merged).toMatchObject({ name: 'codex.rollout', ...failed, attributes: { source: 'codex.rollout' } });
      expect(Object.keys(merged!.attributes)).toHaveLength(5);
    }
  });

  it('other than a root are not reopened by a late beginning', () => {
    const late = span({ startNs: 9n, endNs: null });
    expect(mergeSpans([span({}), late])).toMatchObject([{ startNs: 1n, endNs: 2n }]);
  });
});

describe('parts of one span', () => {
  const begin = root({
    name: 'answer',
    parentSpanId: 'agent',
    startNs: 3n,
    endNs: null,
    attributes: { [SPAN_PART]: 'begin', question: 'why', step: 1 },
  });
  const update = (overrides: Partial<Span>) => root({ startNs: 0n, endNs: null, name: '', ...overrides });
  const answered = update({ attributes: { [SPAN_PART]: 'update', answer: 'so', step: 2 } });
  const failed = update({
    parentSpanId: 'trace',
    endNs: 8n,
    status: { code: 2, message: 'late' },
    attributes: { [SPAN_PART]: 'update' },
  });

  it('are joined in linear time and not changed', () => {
    const facts = Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`fact_${at}`, at]));
    const large = { ...begin, attributes: { ...begin.attributes, ...facts } };
    const updates = Array.from({ length: 100_000 }, (_, at) => update({ attributes: { [SPAN_PART]: 'update', at } }));
    const [joined] = mergeSpans([large, ...updates, large]);
    expect(joined!.attributes).toMatchObject({
      [SPAN_PART]: 'joined',
      question: 'why',
      fact_39999: 39_999,
      at: 99_999,
    });
    expect([large.attributes, updates[0]!.attributes]).toEqual([
      { ...begin.attributes, ...facts },
      { [SPAN_PART]: 'update', at: 0 },
    ]);
  });

  it('keep an attribute that is named like the prototype', () => {
    const named = JSON.parse('{"__proto__": "x"}');
    const joined = mergeSpans([begin, answered, update({ attributes: { [SPAN_PART]: 'update', ...named } })])[0]!;
    expect(Object.entries(joined.attributes)).toContainEqual(['__proto__', 'x']);
  });

  it('are joined in any order, and joining them again changes nothing', () => {
    for (const order of orders([begin, answered, failed])) {
      const [joined] = mergeSpans(order);
      expect(joined).toMatchObject({
        name: 'answer',
        parentSpanId: 'agent',
        startNs: 3n,
        endNs: 8n,
        status: { code: 2, message: 'late' },
        attributes: { question: 'why', answer: 'so', step: 2 },
      });
      expect(mergeSpans([...order, ...order])).toEqual([joined]);
      expect(mergeSpans([mergeSpans(order.slice(0, 2))[0]!, mergeSpans(order.slice(2))[0]!])).toEqual([joined]);
    }
  });

  it('that conflict get the value of the last one and keep all other data', () => {
    const says = (attributes: Span['attributes']) => update({ attributes: { [SPAN_PART]: 'update', ...attributes } });
    const [working, done] = [says({ state: 'working', tries: 1 }), says({ state: 'done', cost: 2 })];
    const rows: [Span[], string][] = [
      [[begin, working, done], 'done'],
      [[begin, done, working], 'working'],
      [[begin, working, done, working], 'working'],
      [[working, done, begin], 'done'],
      [[working, begin, done], 'done'],
    ];
    for (const [parts, state] of rows)
      expect(mergeSpans(parts)[0]!.attributes).toMatchObject({ question: 'why', state, tries: 1, cost: 2 });
  });

  it('may rename the span', () => {
    const renamed = update({ name: 'final answer', attributes: { [SPAN_PART]: 'update' } });
    expect(mergeSpans([renamed, begin])).toMatchObject([{ name: 'final answer', parentSpanId: 'agent' }]);
  });
});

describe('a root that ends and is resumed', () => {
  it.each<[string, Span[], Partial<Span>]>([
    ['ends', [beginsAt(1n), endsAt(5n)], { startNs: 1n, endNs: 5n }],
    ['is open again', [beginsAt(1n), endsAt(5n), beginsAt(6n)], { startNs: 1n, endNs: null }],
    ['ends again', [beginsAt(1n), endsAt(5n), beginsAt(6n), endsAt(9n)], { startNs: 1n, endNs: 9n }],
    ['ends if its beginning arrives last', [endsAt(5n), beginsAt(1n)], { startNs: 1n, endNs: 5n }],
    ['ends with the later of two ends', [beginsAt(1n), endsAt(9n), endsAt(5n)], { startNs: 1n, endNs: 9n }],
    ['stays open if it began after a late end', [beginsAt(6n), endsAt(5n)], { startNs: 6n, endNs: null }],
  ])('%s', (_title, spans, expected) => {
    expect(mergeSpans(spans)).toMatchObject([expected]);
  });

  it('ends at its last end in any order of arrival', () => {
    for (const order of orders([beginsAt(1n), beginsAt(2n), endsAt(9n), endsAt(7n)]))
      expect(mergeSpans(order)).toMatchObject([{ startNs: 1n, endNs: 9n }]);
  });
});
