import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeSpan } from '../../../test/support/make-span.ts';
import { openStoreApp, type StoreApp, spanIdOf, traceIdOf } from '../../../test/support/store-app.ts';
import type { Span } from '../../core/span.ts';

let store: StoreApp;
let tenantId: string;

beforeEach(async () => {
  store = await openStoreApp();
  tenantId = await store.newTenant();
});
afterEach(() => store.close());

const SECOND_NS = 1_000_000_000n;
const START_NS = 1_768_478_400_000_000_000n;

/** A run in which `agent` calls `tool` three times; each call fails unless `works`. */
function weighing(run: number, overrides: { tool?: string; agent?: string; works?: boolean } = {}): Span[] {
  const { tool = 'weigh', agent = 'clerk', works = false } = overrides;
  const traceId = traceIdOf(run);
  const at = (second: number) => START_NS + BigInt(second) * SECOND_NS;
  const calls = [1, 2, 3].map((crate) =>
    makeSpan({
      traceId,
      spanId: spanIdOf(crate),
      parentSpanId: spanIdOf(0),
      name: `execute_tool ${tool}`,
      startNs: at(crate),
      endNs: at(crate + 1),
      status: works ? { code: 1, message: '' } : { code: 2, message: `no answer from hall ${'abc'[crate - 1]}` },
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.agent.name': agent,
        'gen_ai.tool.name': tool,
        'gen_ai.tool.call.arguments': JSON.stringify({ crate }),
        'gen_ai.tool.call.result': works ? '12 kg' : '',
      },
    }),
  );
  const root = { traceId, spanId: spanIdOf(0), name: 'run', startNs: at(0), endNs: at(5) };
  return [...calls, makeSpan({ ...root, attributes: { 'gen_ai.operation.name': 'invoke_workflow' } })];
}

async function explanations(run: number): Promise<string[]> {
  const found = await store.services.detections.ofTrace(tenantId, traceIdOf(run));
  return found.filter(({ subtype }) => subtype === 'never_worked').map(({ explanation }) => explanation);
}

test('a tool that always fails states in how many other runs of its agent it failed', async () => {
  await store.send(tenantId, weighing(1));
  await store.settle();
  expect(await explanations(1)).toEqual([expect.not.stringContaining('other run')]);

  const others = [weighing(2), weighing(3), weighing(4, { works: true }), weighing(5, { agent: 'porter' })];
  for (const spans of [...others, weighing(6, { tool: 'measure' })]) await store.send(tenantId, spans);
  await store.settle();
  for (const run of [1, 2, 3])
    expect(await explanations(run)).toEqual([
      expect.stringContaining('All calls to it failed in 2 other runs of the same agent too.'),
    ]);
  for (const run of [5, 6]) expect(await explanations(run)).toEqual([expect.not.stringContaining('other run')]);
  expect(await explanations(4)).toEqual([]);
});

test('the list, a single detection and the detections of a trace say the same; other tenants and false marks do not count', async () => {
  await store.send(await store.newTenant(), weighing(9));
  for (const run of [1, 2, 3]) await store.send(tenantId, weighing(run));
  await store.settle();
  const [second] = await store.services.detections.ofTrace(tenantId, traceIdOf(2));
  await store.db
    .updateTable('detections')
    .set({ validated: 1, is_valid: 0, validated_at: 5 })
    .where('detection_id', '=', second!.detection_id)
    .execute();
  const [first] = await store.services.detections.ofTrace(tenantId, traceIdOf(1));
  expect(first!.explanation).toContain('in 1 other run of the same agent');
  expect((await store.services.detections.get(tenantId, first!.detection_id)).explanation).toBe(first!.explanation);
  const nothing = {
    detectionType: null,
    validated: null,
    confidenceMin: null,
    confidenceMax: null,
    from: null,
    to: null,
  };
  const page = await store.services.detections.list(
    tenantId,
    { ...nothing, issueId: null, traceId: traceIdOf(1), minSeverity: 'warning' },
    { page: 1, pageSize: 10, cursor: null },
  );
  expect(page.items.map(({ explanation }) => explanation)).toContain(first!.explanation);
});
