import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Span } from '../../src/core/span.ts';
import { hasBrowser } from '../support/browser.ts';
import type { Tenant } from '../support/http-app.ts';
import { makeSpan } from '../support/make-span.ts';
import { spanIdOf, traceIdOf } from '../support/store-app.ts';
import { expectAccessible, WebVisit } from '../support/web-visit.ts';

const START_NS = 1_768_478_400_000_000_000n;
const SECOND_NS = 1_000_000_000n;
const visit = new WebVisit();
let tenant: Tenant;

beforeAll(async () => {
  if (!hasBrowser) return;
  await visit.start();
  tenant = await visit.http.newTenant();
}, 120_000);
afterEach(async () => {
  if (hasBrowser) expect(await visit.closePages()).toEqual([]);
});
afterAll(() => visit.close());

/** Spans of an agent that calls each of its tools twice. */
function manyTools(number: number, tools: number): Span[] {
  const part = (index: number, attributes: Span['attributes'], name: string) =>
    makeSpan({
      traceId: traceIdOf(number),
      spanId: spanIdOf(index),
      parentSpanId: index === 0 ? null : spanIdOf(0),
      name,
      startNs: START_NS + BigInt(index) * SECOND_NS,
      endNs: START_NS + BigInt(index === 0 ? 2 * tools + 2 : index + 1) * SECOND_NS,
      attributes: { 'gen_ai.agent.name': 'clerk', ...attributes },
    });
  const call = (tool: number) => ({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': `read_shelf_${tool}`,
    'gen_ai.tool.call.arguments': `{"shelf":${tool}}`,
    'gen_ai.tool.call.result': `{"boxes":${tool}}`,
  });
  return [
    part(0, { 'gen_ai.operation.name': 'invoke_agent' }, 'invoke_agent clerk'),
    ...Array.from({ length: 2 * tools }, (_, index) => part(index + 1, call(index % tools), 'execute_tool')),
  ];
}

describe.skipIf(!hasBrowser)('trace graph in a browser', () => {
  it('draws all of 199 tools with readable names', async () => {
    await visit.http.services.ingest.ingestSpans(tenant.tenantId, { spans: manyTools(1, 199), rejections: [] });
    const page = await visit.open(`/ui/traces/${traceIdOf(1)}?view=graph`, tenant);
    const drawing = page.getByRole('region', { name: /^Drawing of the graph/ });
    const boxes = drawing.locator('g[data-kind]');
    await expect.poll(() => boxes.count(), { timeout: 60_000 }).toBe(200);
    const name = drawing.locator('g[data-kind] text').filter({ hasText: /^read_shelf_198$/ });
    expect((await name.boundingBox())!.height).toBeGreaterThan(10);
    const caller = drawing.locator('g[data-kind="agent"]');
    const [box, frame] = [(await caller.boundingBox())!, (await drawing.boundingBox())!];
    expect(box.y).toBeGreaterThan(frame.y);
    expect(box.y).toBeLessThan(frame.y + frame.height);
    await drawing.getByRole('button', { name: 'Show all' }).click();
    expect(await drawing.locator('svg > text').count()).toBeGreaterThan(10);
    await expectAccessible(page);
  });

  it('groups the tools with the fewest steps when there are 300, and shows a note', async () => {
    await visit.http.services.ingest.ingestSpans(tenant.tenantId, { spans: manyTools(2, 300), rejections: [] });
    const page = await visit.open(`/ui/traces/${traceIdOf(2)}?view=graph`, tenant);
    await page.getByText('103 tools with the fewest steps are one node.').waitFor();
    const drawing = page.getByRole('region', { name: /^Drawing of the graph/ });
    await drawing.getByText('103 more tools').waitFor();
    await expectAccessible(page);
  });

  it('shows a note when only the tables list all connections', async () => {
    const page = await visit.open('/ui/traces', tenant);
    const nodes = Array.from({ length: 20 }, (_, index) => ({
      ...{ id: `agent:${index}`, kind: 'agent', name: `clerk ${index}`, members: 1, steps: 1, errors: 0 },
      ...{ tokens: 0, cost_usd: null, first_step: 0 },
    }));
    const edges = nodes.flatMap(({ id: from }) =>
      nodes.map(({ id: to }) => ({ from, to, kind: 'handoff', count: 1, errors: 0, first_step: 0 })),
    );
    const body = JSON.stringify({ trace_id: traceIdOf(1), nodes, edges, edges_left_out: 0, note: null });
    await page.route('**/graph', (route) => route.fulfill({ contentType: 'application/json', body }));
    await page.goto(`/ui/traces/${traceIdOf(1)}?view=graph`);
    await page
      .getByText(/: the busiest part is drawn\. Only the tables below list (100|320) connections\.$/)
      .waitFor({ timeout: 60_000 });
    await page.getByRole('region', { name: /^Drawing of the graph/ }).waitFor();
  });
});
