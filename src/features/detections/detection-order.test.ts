import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeSpan } from '../../../test/support/make-span.ts';
import { openStoreApp, type StoreApp, spanIdOf, traceIdOf } from '../../../test/support/store-app.ts';
import type { DetectionOrder } from '../../core/detection-order.ts';
import type { Span } from '../../core/span.ts';

let store: StoreApp;
let tenantId: string;

beforeEach(async () => {
  store = await openStoreApp();
  tenantId = await store.newTenant();
  // The run of day 3 is sent first and that of day 2 last.
  for (const day of [3, 1, 2]) {
    await store.send(tenantId, failingRun(day));
    await store.settle();
  }
});
afterEach(() => store.close());

const SECOND_NS = 1_000_000_000n;
const START_NS = 1_768_478_400_000_000_000n;

/** A run in which all three calls of a tool fail. */
function failingRun(day: number): Span[] {
  const traceId = traceIdOf(day);
  const at = (second: number) => START_NS + BigInt(day * 86_400 + second) * SECOND_NS;
  const calls = [1, 2, 3].map((crate) =>
    makeSpan({
      traceId,
      spanId: spanIdOf(crate),
      parentSpanId: spanIdOf(0),
      name: 'execute_tool weigh',
      startNs: at(crate),
      endNs: at(crate + 1),
      status: { code: 2, message: `no answer from hall ${crate}` },
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.agent.name': 'clerk',
        'gen_ai.tool.name': 'weigh',
        'gen_ai.tool.call.arguments': JSON.stringify({ crate }),
      },
    }),
  );
  const root = { traceId, spanId: spanIdOf(0), name: 'run', startNs: at(0), endNs: at(5) };
  return [...calls, makeSpan({ ...root, attributes: { 'gen_ai.operation.name': 'invoke_workflow' } })];
}

const FILTER = {
  detectionType: null,
  validated: null,
  confidenceMin: null,
  confidenceMax: null,
  traceId: null,
  issueId: null,
  minSeverity: 'info' as const,
  from: null,
  to: null,
};
const list = (order: DetectionOrder, pageSize: number, cursor: string | null = null) =>
  store.services.detections.list(tenantId, FILTER, { page: 1, pageSize, cursor }, order);

/** The traces of all pages, without repeats in a row. */
async function tracesInOrder(order: DetectionOrder): Promise<string[]> {
  const traces: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await list(order, 1, cursor);
    for (const { trace_id } of page.items) if (traces.at(-1) !== trace_id) traces.push(trace_id);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return traces;
}

test.each<[DetectionOrder, number[]]>([
  ['created_at', [2, 1, 3]],
  ['started_at', [3, 2, 1]],
])('detections in the order of %s, page by page', async (order, days) => {
  expect(await tracesInOrder(order)).toEqual(days.map(traceIdOf));
});

test('the cursor of another order is rejected', async () => {
  const { next_cursor } = await list('started_at', 1);
  await expect(list('created_at', 1, next_cursor)).rejects.toMatchObject({ code: 'invalid_query' });
});
