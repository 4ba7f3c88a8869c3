import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRecordSplitter, type Layout, type RawRecord, type SplitPosition } from './record-splitter.ts';

const LINES: Layout = { kind: 'lines' };
const VALUES: Layout = { kind: 'values' };
const ARRAY: Layout = { kind: 'array' };
const DATA: Layout = { kind: 'member', name: 'data' };

function split(layout: Layout, body: Buffer, chunkBytes: number, from?: SplitPosition, maxBytes = 1_000): RawRecord[] {
  const splitter = createRecordSplitter(layout, { from, maxBytes });
  const rest = body.subarray(from?.offset ?? 0);
  const records: RawRecord[] = [];
  for (let at = 0; at < rest.length; at += chunkBytes)
    records.push(...splitter.push(rest.subarray(at, at + chunkBytes)));
  return [...records, ...splitter.finish()];
}

const texts = (records: readonly RawRecord[]) => records.map(({ bytes }) => bytes?.toString().trim() ?? null);

describe('records', () => {
  it.each([
    ['lines', LINES, '{"a":1}\n\n  \r\n{"b":2}\r\n{"c"', ['{"a":1}', '{"b":2}', '{"c"'], [1, 4, 5]],
    ['a broken line', LINES, '{"a":"\n{"b":2}\n', ['{"a":"', '{"b":2}'], [1, 2]],
    [
      'values over several lines',
      VALUES,
      '{\n "a": [1]\n}\n{"b":"}"} 3 "x"',
      ['{\n "a": [1]\n}', '{"b":"}"}', '3', '"x"'],
      [1, 4, 4, 4],
    ],
    [
      'elements of an array',
      ARRAY,
      ' [ {"a":"]\\"["},\n 1,"t" ,null,[2,[3]]]',
      ['{"a":"]\\"["}', '1', '"t"', 'null', '[2,[3]]'],
      [1, 2, 2, 2, 2],
    ],
    ['an array after a byte order mark', ARRAY, '\ufeff[{"a":1}]', ['{"a":1}'], [1]],
    ['an empty array', ARRAY, '[]', [], []],
    [
      'elements of a named list',
      DATA,
      '{"meta":{"data":[0]},"n":[7],"data":[{"a":1},2],"x":[8]}\n{"data":[3]}',
      ['{"a":1}', '2', '3'],
      [1, 1, 2],
    ],
    ['no list with that name', DATA, '{"other":[1,2]}', [], []],
    ['a list that is cut off', ARRAY, '[{"a":1},{"b":', ['{"a":1}', '{"b":'], [1, 1]],
    ['an extra bracket', VALUES, ']]{"a":1}', ['{"a":1}'], [1]],
  ] as const)('are found: %s', (_name, layout, body, expected, lines) => {
    for (const chunkBytes of [1, 2, 7, 10_000]) {
      const records = split(layout, Buffer.from(body), chunkBytes);
      expect(texts(records)).toEqual(expected);
      expect(records.map(({ line }) => line)).toEqual(lines);
      expect(records.map(({ index }) => index)).toEqual(expected.map((_text, at) => at));
    }
  });

  it.each([
    ['lines', LINES, `${'x'.repeat(50)}\n{"a":1}\n`],
    ['array', ARRAY, `["${'x'.repeat(50)}",{"a":1}]`],
  ] as const)('that are too large are reported, not buffered: %s', (_name, layout, body) => {
    expect(texts(split(layout, Buffer.from(body), 3, undefined, 20))).toEqual([null, '{"a":1}']);
  });
});

describe('splitting resumes at the stored position', () => {
  const layouts: [string, Layout, (records: string[]) => string][] = [
    ['lines', LINES, (records) => records.join('\n')],
    ['values', VALUES, (records) => records.join(' ')],
    ['array', ARRAY, (records) => `[${records.join(',\n')}]`],
    ['member', DATA, (records) => `{"data":[${records.join(',')}],"more":[1]}`],
  ];

  it.each(layouts)('%s', (_name, layout, join) => {
    const record = fc.object({ maxDepth: 2, maxKeys: 3 }).map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(
        fc.array(record, { minLength: 1, maxLength: 6 }),
        fc.nat(),
        fc.integer({ min: 1, max: 9 }),
        (records, stop, chunk) => {
          const body = Buffer.from(join(records));
          const all = split(layout, body, chunk, undefined, 100_000);
          expect(texts(all)).toEqual(records);
          const stopped = all[stop % all.length] as RawRecord;
          const rest = split(layout, body, chunk, stopped.end, 100_000);
          expect(rest.map(({ index, line, end }) => ({ index, line, end }))).toEqual(
            all.slice(stopped.index + 1).map(({ index, line, end }) => ({ index, line, end })),
          );
          expect(texts(rest)).toEqual(records.slice(stopped.index + 1));
        },
      ),
      { seed: 7, numRuns: 100 },
    );
  });
});
