import { describe, expect, test } from 'vitest';
import { makeSpan } from '../../../test/support/make-span.ts';
import type { Span } from '../../core/span.ts';
import { buildSpanTree } from './span-tree.ts';

const BASE = 1_790_000_000_000_000_000n;

/** `id<parent@start-end`, times in nanoseconds after a base. Without `@`: no time; without an end: still running. */
function parse(text: string): Span {
  const [, spanId = '', parent, start, end] = /^(\w+)(?:<(\w+))?(?:@(\d+)(?:-(\d+))?)?$/.exec(text) ?? [];
  return makeSpan({
    spanId,
    name: spanId,
    parentSpanId: parent ?? null,
    startNs: start === undefined ? 0n : BASE + BigInt(start),
    endNs: start === undefined ? 0n : end === undefined ? null : BASE + BigInt(end),
  });
}

const show = (sent: string[]) => {
  const { spans, parents, depths } = buildSpanTree(sent.map(parse));
  return spans.map(({ spanId }, at) => {
    const parent = parents[at];
    return `${'.'.repeat(depths[at] as number)}${spanId}${parent == null ? '' : `<${spans[parent]?.spanId}`}`;
  });
};

describe('buildSpanTree', () => {
  test.each<[string, string[], string[]]>([
    ['children sent before their parent', ['b<a@2000-3000', 'a@1000-9000'], ['a', '.b<a']],
    [
      'branches by start, not by branch',
      ['a@1000-9000', 'c<b@5000-6000', 'b<a@2000-8000', 'd<a@3000-4000'],
      ['a', '.b<a', '.d<a', '..c<b'],
    ],
    ['a child that starts before its parent', ['b<a@1000-2000', 'a@5000-9000', 'z@3000-4000'], ['z', 'a', '.b<a']],
    ['the same start, the earlier end first', ['c<a@1000-4000', 'b<a@1000-3000', 'a@1000-9000'], ['a', '.b<a', '.c<a']],
    ['a missing parent', ['b<gone@1000-2000', 'c<b@1500-1600'], ['b', '.c<b']],
    ['several roots', ['b@2000-3000', 'a@1000-5000'], ['a', 'b']],
    ['a span sent twice', ['a@1000-2000', 'b<a@1100-1200', 'a<b@1000-2000', 'a@1000-3000'], ['a', '.b<a']],
    ['its own parent', ['a<a@1000-2000'], ['a']],
    ['a ring', ['a<c@1000-2000', 'b<a@1100-1200', 'c<b@1200-1300', 'd<c@1300-1400'], ['a', '.b<a', '..c<b', '...d<c']],
    ['no times: in order of arrival', ['a', 'c<a', 'b<a', 'd<c'], ['a', '.c<a', '..d<c', '.b<a']],
    [
      'a span without a time: after the previous span',
      ['a@1000-9000', 'b<a@2000-3000', 'x<b', 'c<a@4000-5000'],
      ['a', '.b<a', '..x<b', '.c<a'],
    ],
    ['still running', ['b<a@2000', 'a@1000'], ['a', '.b<a']],
    ['nothing', [], []],
  ])('%s', (_, sent, expected) => {
    expect(show(sent)).toEqual(expected);
  });

  test('the comparison detects a different order', () => {
    expect(show(['a@1000-2000', 'b@3000-4000'])).not.toEqual(['b', 'a']);
  });

  const many = 30_000;
  const chain = (parentOf: (n: number) => string | null) =>
    Array.from({ length: many }, (_, n) =>
      makeSpan({ spanId: `s${n}`, parentSpanId: parentOf(n), startNs: BASE + BigInt(n) * 1000n }),
    );
  test.each([
    ['deep', (n: number) => (n === 0 ? null : `s${n - 1}`), many - 1],
    ['wide', (n: number) => (n === 0 ? null : 's0'), 1],
    ['one ring', (n: number) => `s${(n + many - 1) % many}`, many - 1],
  ])('%d spans, %s', (_, parentOf, depth) => {
    const tree = buildSpanTree(chain(parentOf).reverse());
    expect(Math.max(...tree.depths)).toBe(depth);
    expect(tree.parents.every((parent, at) => parent === null || parent < at)).toBe(true);
  });
});
