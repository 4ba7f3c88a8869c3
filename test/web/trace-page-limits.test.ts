import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { workerEntry } from '../../src/app/runtime-assets.ts';
import { decodeOtlpJson } from '../../src/formats/otlp/decode-json.ts';
import { TaskPool } from '../../src/jobs/task-pool.ts';
import { axeViolations } from '../support/axe-violations.ts';
import { hasBrowser, startBrowser } from '../support/browser.ts';
import { hostileRun } from '../support/hostile-run.ts';
import { type HttpFixture, startHttpApp, type Tenant } from '../support/http-app.ts';
import { longTrace } from '../support/long-trace.ts';
import { loopingRun } from '../support/looping-run.ts';
import { type OpenWeb, openWeb } from '../support/open-web.ts';
import { spanIdOf, traceIdOf } from '../support/store-app.ts';
import { bundledWebFiles } from '../support/web-bundle.ts';

const MAX_NODES = 1_500;
const MAX_ROWS = 80;
const MEGABYTE = 1_048_576;
const DEPTH = 4_000;
const LONG_TEXT = 10 * MEGABYTE;
const long = longTrace({ spans: 50_000, startMs: Date.UTC(2026, 0, 15, 10), textLength: 60 });

let http: HttpFixture;
let browser: Browser;
let tenant: Tenant;
let opened: OpenWeb | null = null;

beforeAll(async () => {
  if (!hasBrowser) return;
  const files = await bundledWebFiles();
  const openTasks = (file: string) => new TaskPool({ size: 1, entry: workerEntry(), store: { file } });
  const config = { maxQueuedSpans: 1e6 };
  http = await startHttpApp({ validatesOutput: false }, config, { openTasks, readWebFiles: () => files });
  browser = await startBrowser('--js-flags=--expose-gc', '--enable-precise-memory-info');
  tenant = await http.newTenant();
  await http.services.ingest.ingestSpans(tenant.tenantId, { spans: loopingRun(1), rejections: [] });
  await http.services.analysis.analyzeTrace(tenant.tenantId, traceIdOf(1), { isAlertRequested: false });
  await http.services.ingest.ingestSpans(tenant.tenantId, {
    spans: hostileRun(2, { textLength: LONG_TEXT, depth: DEPTH }),
    rejections: [],
  });
  for (const body of long.bodies)
    await http.services.ingest.ingestSpans(tenant.tenantId, decodeOtlpJson(Buffer.from(body)));
}, 240_000);
afterEach(async () => {
  await opened?.page.context().close();
  opened = null;
});
afterAll(async () => {
  await browser?.close();
  await http?.close();
});

async function open(traceId: string, query = '', options: Parameters<typeof openWeb>[3] = {}): Promise<Page> {
  opened = await openWeb(browser, http, tenant, options);
  await opened.page.goto(`/ui/traces/${traceId}${query}`);
  await opened.page.getByRole('treegrid').or(opened.page.getByRole('list').first()).first().waitFor();
  return opened.page;
}

const nodes = (page: Page) => page.evaluate<number>('document.querySelectorAll("*").length');
const rows = (page: Page) => page.locator('[data-row]').count();
const stepText = async (page: Page) =>
  (await page.getByRole('region', { name: 'Step', exact: true }).textContent()) ?? '';

/** Polls with a long timeout, because the machine may be busy. */
const eventually: typeof expect.poll = (read) => expect.poll(read, { timeout: 60_000 });

describe.skipIf(!hasBrowser)('trace page with hostile and large data', () => {
  it.each(['tree', 'graph', 'chat', 'state'])('escapes hostile text in the view %s', async (view) => {
    const page = await open(traceIdOf(2), `?view=${view}`);
    await eventually(() => page.locator('body').textContent()).toContain('<img src=x onerror=');
    for (const tab of ['Input', 'Output', 'Messages', 'Attributes', 'Raw']) {
      await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
      expect(await page.evaluate('window.isOwned')).toBeUndefined();
    }
    expect(await page.locator('main img, main script, main iframe, main a[href^="javascript"]').count()).toBe(0);
    expect(opened!.problems).toEqual([]);
  });

  it('shows the start of a text of 10 MB, and more on request', async () => {
    const large = spanIdOf(99);
    const page = await open(traceIdOf(2), `?span=${large}&tab=output`);
    await eventually(() => stepText(page)).toContain('Show more');
    expect((await stepText(page)).length).toBeLessThan(20_000);
    expect(await nodes(page)).toBeLessThan(MAX_NODES);
    await page
      .getByRole('button', { name: /^Show more/ })
      .first()
      .click();
    await eventually(async () => (await stepText(page)).length).toBeGreaterThan(20_000);
  });

  it('scrolls to the end of a trace of depth 4,000', async () => {
    const page = await open(traceIdOf(2));
    const grid = page.getByRole('treegrid');
    await grid.focus();
    await page.keyboard.press('End');
    await eventually(() => grid.textContent()).toContain(`deep ${DEPTH - 1}`);
    expect(await nodes(page)).toBeLessThan(MAX_NODES);
  });
});

describe.skipIf(!hasBrowser)('trace page with many steps', () => {
  it('renders few rows of 50,000 at any scroll position', async () => {
    const page = await open(long.traceId);
    const grid = page.getByRole('treegrid');
    await grid.focus();
    for (const key of ['End', 'Home', 'PageDown', 'End']) {
      await page.keyboard.press(key);
      expect(await rows(page)).toBeGreaterThan(10);
      expect(await rows(page)).toBeLessThan(MAX_ROWS);
      expect(await nodes(page)).toBeLessThan(MAX_NODES);
    }
    await eventually(() => stepText(page)).toMatch(/Step \d+/);
    expect(opened!.problems).toEqual([]);
  });

  it('uses less than 60 MB of memory for 50,000 steps', async () => {
    const page = await open(long.traceId);
    await page.evaluate('gc()');
    const bytes = await page.evaluate<number>('performance.memory.usedJSHeapSize');
    expect(bytes).toBeGreaterThan(MEGABYTE);
    expect(bytes).toBeLessThan(60 * MEGABYTE);
  });

  it('uses less than 250 MB of memory for 250,000 steps', async () => {
    opened = await openWeb(browser, http, tenant);
    const { page } = opened;
    const response = await http.send({
      path: `/api/v1/tenants/${tenant.tenantId}/traces/${long.traceId}/outline`,
      credential: tenant.apiKey,
    });
    const body = JSON.stringify(repeated(response.json, 5));
    await page.route('**/outline', (route) => route.fulfill({ contentType: 'application/json', body }));
    await page.goto(`/ui/traces/${long.traceId}`);
    const grid = page.getByRole('treegrid');
    await eventually(() => grid.getAttribute('aria-label')).toContain('250,000 steps');
    await grid.focus();
    await page.keyboard.press('End');
    expect(await rows(page)).toBeLessThan(MAX_ROWS);
    expect(await nodes(page)).toBeLessThan(MAX_NODES);
    await page.evaluate('gc()');
    expect(await page.evaluate<number>('performance.memory.usedJSHeapSize')).toBeLessThan(250 * MEGABYTE);
  });
});

/** The same steps several times, each time with other span ids and as a separate tree. */
// biome-ignore lint/suspicious/noExplicitAny: the unparsed response of the server
function repeated(outline: any, times: number): object {
  const { columns } = outline;
  const all = Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [
      name,
      typeof column === 'string' ? column.repeat(times) : Array.from({ length: times }, () => column).flat(),
    ]),
  );
  all.span_id = Array.from({ length: times }, (_, index) =>
    (columns.span_id as string[]).map((id) => `${index}${id.slice(1)}`),
  ).flat();
  return { ...outline, total: outline.total * times, columns: all };
}

describe.skipIf(!hasBrowser)('accessibility of the trace page', () => {
  it.each([
    ['light', 'tree'],
    ['dark', 'tree'],
    ['light', 'chat'],
    ['dark', 'timeline'],
    ['light', 'state'],
    ['light', 'graph'],
  ] as const)('has nothing that axe finds fault with, %s %s', async (colorScheme, view) => {
    const page = await open(traceIdOf(1), `?view=${view}`, { colorScheme });
    await eventually(() => stepText(page)).toContain('Output');
    expect(await axeViolations(page)).toEqual([]);
  });

  it('reflows at 320 px: nothing overflows, and panels become tabs', async () => {
    const page = await open(traceIdOf(1), '', { viewport: { width: 320, height: 700 } });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await page.getByRole('button', { name: 'Detections', exact: true }).click();
    await eventually(() => page.getByRole('complementary', { name: 'Detections' }).isVisible()).toBe(true);
    expect(await page.getByRole('treegrid').isVisible()).toBe(false);
    expect(await axeViolations(page)).toEqual([]);
  });
});
