import { describe, expect, test } from 'vitest';
import { makeSpan } from '../../../test/support/make-span.ts';
import type { Json } from '../../core/json.ts';
import { EMPTY_CATALOG } from '../model-catalog/catalog.ts';
import { buildTrace } from './build-trace.ts';

const at = (ms: number) => 1_790_000_000_000_000_000n + BigInt(ms) * 1_000_000n;

/** A graph run of these visits: superstep, received state, written fields (null: the node failed). */
function statesOf(visits: [number, Json, Json][], end: Json | null): Json[] {
  const chain = (input: Json, output: Json) => ({
    'openinference.span.kind': 'CHAIN',
    'input.value': JSON.stringify(input),
    ...(output === null ? {} : { 'output.value': JSON.stringify(output) }),
  });
  const spans = visits.map(([step, before, update], n) =>
    makeSpan({
      spanId: `v${n}`,
      parentSpanId: 'g',
      name: `n${n}`,
      startNs: at(n * 10 + 1),
      endNs: at(n * 10 + 5),
      attributes: {
        ...chain(before, update),
        metadata: JSON.stringify({ langgraph_node: `n${n}`, langgraph_step: step }),
      },
    }),
  );
  const graph = makeSpan({ spanId: 'g', startNs: at(0), endNs: at(900), attributes: chain({}, end) });
  return buildTrace([...spans, graph], { models: EMPTY_CATALOG, isSettled: true }).states.map(({ state }) => state);
}

describe('the state after a visit is', () => {
  test.each<[string, [number, Json, Json][], Json | null, Json[]]>([
    [
      'the input of the next visit, or the final state',
      [
        [1, { a: 1 }, { b: 2 }],
        [2, { a: 1, b: 2 }, { a: 5 }],
      ],
      { a: 5, b: 2, c: 0 },
      [
        { a: 1, b: 2 },
        { a: 5, b: 2, c: 0 },
      ],
    ],
    [
      'omitted for a failed node',
      [
        [1, { a: 1 }, { b: 2 }],
        [2, { a: 1, b: 2 }, null],
      ],
      null,
      [{ a: 1, b: 2 }],
    ],
    ['the input with the writes applied if the graph has no end', [[1, { a: 'x' }, { a: 'y' }]], null, [{ a: 'y' }]],
    [
      'added if the field was added before',
      [
        [1, { n: 1 }, { n: 1 }],
        [2, { n: 2 }, { n: 1 }],
        [3, { n: 3 }, { n: 1 }],
      ],
      null,
      [{ n: 2 }, { n: 3 }, { n: 4 }],
    ],
    [
      'replaced if the field was replaced before',
      [
        [1, { n: 5 }, { n: 1 }],
        [2, { n: 1 }, { n: 7 }],
      ],
      null,
      [{ n: 1 }, { n: 7 }],
    ],
    [
      'appended if the list was appended before',
      [
        [1, { l: [1] }, { l: [2] }],
        [2, { l: [1, 2] }, { l: [3] }],
      ],
      null,
      [{ l: [1, 2] }, { l: [1, 2, 3] }],
    ],
    ['unknown for a number that no write explains', [[1, { n: 4 }, { n: 1 }]], null, []],
    [
      'separate for parallel nodes',
      [
        [1, { t: 0 }, { a: 1 }],
        [1, { t: 0 }, { b: 2 }],
        [2, { t: 0, a: 1, b: 2 }, { c: 3 }],
      ],
      { t: 0, a: 1, b: 2, c: 3 },
      [
        { t: 0, a: 1 },
        { t: 0, a: 1, b: 2 },
        { t: 0, a: 1, b: 2, c: 3 },
      ],
    ],
  ])('%s', (_, visits, end, expected) => {
    expect(statesOf(visits, end)).toEqual(expected);
  });

  test('the comparison detects a wrong state', () => {
    expect(statesOf([[1, { a: 1 }, { a: 2 }]], { a: 2 })).not.toEqual([{ a: 1 }]);
  });
});
