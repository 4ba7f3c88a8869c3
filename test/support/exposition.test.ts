import { describe, expect, it } from 'vitest';
import { parseExposition } from './exposition.ts';

const HEAD = '# HELP a_total Things\n# TYPE a_total counter\n';

describe('the reader of the text format', () => {
  it('reads labels with all escapes', () => {
    const { samples } = parseExposition(`${HEAD}a_total{x="1",y="q\\"\\\\\\n"} 2e3\na_total 1\n`);
    expect(samples).toEqual([
      { name: 'a_total', labels: { x: '1', y: 'q"\\\n' }, value: 2_000 },
      { name: 'a_total', labels: {}, value: 1 },
    ]);
  });

  it.each([
    ['no final line feed', `${HEAD}a_total 1`],
    ['no type', 'a_total 1\n'],
    ['a sample twice', `${HEAD}a_total{x="1"} 1\na_total{x="1"} 2\n`],
    ['the same labels in another order', `${HEAD}a_total{x="1",y="2"} 1\na_total{y="2",x="1"} 2\n`],
    ['a raw quotation mark', `${HEAD}a_total{x="""} 1\n`],
    ['a bad escape', `${HEAD}a_total{x="\\t"} 1\n`],
    ['a bad name', '# TYPE a-b counter\n'],
    ['a bad label name', `${HEAD}a_total{a-b="1"} 1\n`],
    ['a label twice', `${HEAD}a_total{x="1",x="2"} 1\n`],
    ['a word for a number', `${HEAD}a_total many\n`],
    ['a number of JavaScript', `${HEAD}a_total Infinity\n`],
    ['a counter below zero', `${HEAD}a_total -1\n`],
    ['two types', `${HEAD}# TYPE a_total gauge\n`],
    ['a type after its samples', `${HEAD}a_total 1\n# TYPE a_total counter\n`],
    ['a family in two pieces', `${HEAD}a_total 1\n# TYPE b gauge\nb 1\na_total{x="1"} 1\n`],
    ['a histogram without an end', '# TYPE h histogram\nh_bucket{le="1"} 1\nh_sum 1\nh_count 1\n'],
    ['a histogram that shrinks', '# TYPE h histogram\nh_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n'],
    ['accepts the end mark of OpenMetrics as a comment and rejects exemplars', `${HEAD}a_total 1 # {x="1"} 1\n`],
  ])('rejects %s', (_title, text) => {
    expect(() => parseExposition(text)).toThrow();
  });
});
