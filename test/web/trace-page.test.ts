import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Span } from '../../src/core/span.ts';
import { hasBrowser, startBrowser } from '../support/browser.ts';
import { type HttpFixture, startHttpApp, type Tenant } from '../support/http-app.ts';
import { loopingBody } from '../support/looping-run.ts';
import { makeSpan } from '../support/make-span.ts';
import { type OpenWeb, openWeb } from '../support/open-web.ts';
import { spanIdOf, traceIdOf } from '../support/store-app.ts';
import { bundledWebFiles } from '../support/web-bundle.ts';

let http: HttpFixture;
let browser: Browser;
let tenant: Tenant;
const loopingRun = loopingBody(1);
let opened: OpenWeb | null = null;

beforeAll(async () => {
  if (!hasBrowser) return;
  const files = await bundledWebFiles();
  [http, browser] = await Promise.all([startHttpApp({}, {}, { readWebFiles: () => files }), startBrowser()]);
  tenant = await http.newTenant();
  const sent = await http.send({
    method: 'POST',
    path: '/v1/traces',
    credential: tenant.apiKey,
    headers: { 'Content-Type': 'application/json' },
    body: Buffer.from(loopingRun.body),
  });
  expect(sent.status).toBe(200);
  await http.send({ method: 'POST', path: api('/analyze'), credential: tenant.apiKey });
}, 120_000);
afterEach(async () => {
  await opened?.page.context().close();
  opened = null;
});
afterAll(async () => {
  await browser?.close();
  await http?.close();
});

const api = (rest = '') => `/api/v1/tenants/${tenant.tenantId}/traces/${loopingRun.traceId}${rest}`;
const read = async (path: string) => (await http.send({ path, credential: tenant.apiKey })).json;
const readDetections = async () =>
  (await read(`/api/v1/tenants/${tenant.tenantId}/detections?trace_id=${loopingRun.traceId}`)).items;

async function open(query = '', options: Parameters<typeof openWeb>[3] = {}): Promise<Page> {
  opened = await openWeb(browser, http, tenant, options);
  await opened.page.goto(`/ui/traces/${loopingRun.traceId}${query}`);
  await opened.page.getByRole('treegrid').waitFor();
  return opened.page;
}

/** Spans of a run whose root has no end, so that it is still running. */
function liveRun(number: number): Span[] {
  const nowNs = BigInt(http.clock.now()) * 1_000_000n;
  return Array.from({ length: 5 }, (_, index) =>
    makeSpan({
      traceId: traceIdOf(number),
      spanId: spanIdOf(index),
      parentSpanId: index === 0 ? null : spanIdOf(0),
      name: index === 0 ? 'live run' : `call ${index}`,
      startNs: nowNs + BigInt(index),
      endNs: index === 0 ? null : nowNs + BigInt(index + 1),
      attributes: {
        'gen_ai.operation.name': index === 0 ? 'invoke_agent' : 'execute_tool',
        'gen_ai.tool.name': `tool ${index}`,
      },
    }),
  );
}

/** Marks the newest detection as one that wasted something; the test server knows no prices of the run's models. */
async function addWaste(tokens: number, usd: number): Promise<void> {
  const [{ detection_id }] = await readDetections();
  const row = await http.app.store.db
    .selectFrom('detections')
    .select('body')
    .where('detection_id', '=', detection_id)
    .executeTakeFirstOrThrow();
  const body = JSON.stringify({ ...JSON.parse(row.body), wastedTokens: tokens, wastedCostUsd: usd });
  await http.app.store.db.updateTable('detections').set({ body }).where('detection_id', '=', detection_id).execute();
}

const selectedRow = (page: Page) => page.getByRole('row', { selected: true });
const focusedText = (page: Page) =>
  page.evaluate<string>(`
    const id = document.activeElement?.getAttribute('aria-activedescendant');
    id ? (document.getElementById(id)?.textContent ?? '') : '';
  `);

/** Polls with a long timeout, because the machine may be busy. */
const eventually: typeof expect.poll = (read) => expect.poll(read, { timeout: 60_000 });

describe.skipIf(!hasBrowser)('trace page in a browser', () => {
  it('prints id, address and waste in full, and nothing to press', async () => {
    await addWaste(688_210, 1.732_14);
    const page = await open();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('Share', { exact: true }).isVisible()).toBe(false);
    expect(await page.locator('a[aria-label="All traces"]').isVisible()).toBe(false);
    const text = await page.evaluate<string>('document.body.innerText');
    expect(text).toContain(`Trace ${loopingRun.traceId}`);
    expect(text).toContain(`Address ${http.url}/ui/traces/${loopingRun.traceId}`);
    expect(text).toContain('Wasted: $1.73214, 688,210 tokens');
    expect(text).toContain('Agent: clerk');
    const [{ step, evidence, business_impact, fixes }] = await readDetections();
    expect(evidence.length).toBeGreaterThan(0);
    expect(text.match(/^step \d+, [\w. ]+: ./gm)).toHaveLength(evidence.length);
    expect(text).toMatch(new RegExp(`^step ${step}, `, 'm'));
    expect(text).toContain(`Impact: ${business_impact}`);
    expect(text).toContain(`Possible fix: ${fixes[0].title}`);
    expect(text).toMatch(/Path to the selected step\nstep 0: invoke_agent clerk/);
    expect(text).not.toContain('other “');
    expect(text).not.toMatch(/^step \d+: *$/m);
  });

  it('opens with the decisive step selected and its detection beside it', async () => {
    const page = await open();
    const [worst] = await readDetections();
    await eventually(() => page.getByRole('region', { name: 'Verdict' }).textContent()).toContain(worst.title);
    expect(await page.getByRole('complementary', { name: 'Detections' }).textContent()).toContain(worst.explanation);
    expect(await selectedRow(page).count()).toBe(1);
    expect(await page.getByRole('region', { name: 'Step', exact: true }).textContent()).toContain(`Step ${worst.step}`);
    expect(await page.title()).toContain('clerk');
    expect(opened!.problems).toEqual([]);
  });

  it('folds repeated calls into one row, and expands the fold', async () => {
    const page = await open('?span=0000000000000001');
    const grid = page.getByRole('treegrid');
    await grid.focus();
    expect(await page.getByRole('row', { name: /search_orders/ }).count()).toBeGreaterThan(0);
    expect(await grid.textContent()).toContain('×24');
    const fold = page.getByRole('row').filter({ hasText: '×24' });
    // The step in the address is a member of the fold, so the fold is open.
    expect(await fold.getAttribute('aria-expanded')).toBe('true');
    const rows = Number(await grid.getAttribute('aria-rowcount'));
    await fold.locator('[data-twisty="true"]').click();
    await eventually(() => grid.getAttribute('aria-rowcount')).toBe(String(rows - 24));
    expect(await fold.getAttribute('aria-expanded')).toBe('false');
    await fold.locator('[data-twisty="true"]').click();
    await eventually(() => grid.getAttribute('aria-rowcount')).toBe(String(rows));
  });

  it('marks the decisive step with the severity, and the other steps of the detection as evidence', async () => {
    const [worst] = await readDetections();
    const page = await open();
    const marked = page.getByRole('row').filter({ hasText: 'critical' });
    await eventually(() => marked.count()).toBe(1);
    expect(await marked.textContent()).toMatch(new RegExp(`^${worst.step}\\D`));
    const first = page.getByRole('row', { name: /^1 .*evidence/ });
    expect(await first.count()).toBe(1);
    const fold = page.getByRole('row').filter({ hasText: '×24' });
    expect(await fold.textContent()).not.toContain('evidence');
    await fold.locator('[data-twisty="true"]').click();
    await eventually(() => fold.textContent()).toContain('critical');
  });

  it('restores step, detection and tab from a link', async () => {
    const [worst] = await readDetections();
    const span = worst.evidence[1].span_id;
    const page = await open(`?span=${span}&finding=${worst.detection_id}&tab=raw`);
    const { step } = await read(api(`/spans/${span}`));
    await eventually(() => page.getByRole('region', { name: 'Step', exact: true }).textContent()).toContain(
      `Step ${step.index}`,
    );
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Raw');
    expect(await page.getByRole('complementary', { name: 'Detections' }).textContent()).toContain(worst.title);
    await page.reload();
    await eventually(() => page.getByRole('tab', { selected: true }).textContent()).toBe('Raw');
  });

  it('opens the step of a piece of evidence and marks the quoted passage', async () => {
    const page = await open();
    const [worst] = await readDetections();
    const quoted = worst.evidence.find(({ quote }: { quote: string | null }) => quote !== null);
    const panel = page.getByRole('complementary', { name: 'Detections' });
    await panel
      .getByRole('button', { name: /^step \d+/ })
      .first()
      .click();
    await eventually(() => page.locator('mark').first().textContent()).toBe('{"query":"order 17"}');
    expect(new URL(page.url()).searchParams.get('span')).toBe(quoted.span_id);
  });

  it('can be used with the keyboard alone', async () => {
    const page = await open();
    const grid = page.getByRole('treegrid');
    await grid.focus();
    await page.keyboard.press('Home');
    expect(await focusedText(page)).toContain('invoke_agent clerk');
    await page.keyboard.press('ArrowLeft');
    await eventually(() => grid.getAttribute('aria-rowcount')).toBe('2');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await eventually(() => focusedText(page)).toContain('search_orders');
    await page.keyboard.press(']');
    const [worst] = await readDetections();
    await eventually(() => new URL(page.url()).searchParams.get('finding')).toMatch(/^det_/);
    expect(worst.detection_id).toMatch(/^det_/);
    await page.keyboard.press('/');
    await page.keyboard.type('clerk');
    await eventually(() => new URL(page.url()).searchParams.get('find')).toBe('clerk');
  });

  it('finds steps by their input and output', async () => {
    const page = await open('?find=order 17');
    await eventually(() => page.getByRole('search').locator('output').textContent()).toBe('24 steps');
  });

  it('shows the calls between agents and tools, and links to the first call', async () => {
    opened = await openWeb(browser, http, tenant);
    const { page } = opened;
    await page.goto(`/ui/traces/${loopingRun.traceId}?view=graph`);
    const row = page.getByRole('row', { name: /clerk calls .*search_orders/ });
    await eventually(() => row.textContent()).toContain('24');
    await row.getByRole('button', { name: 'step 1' }).click();
    await eventually(() => page.getByRole('region', { name: 'Step', exact: true }).textContent()).toContain('Step 1');
  });

  it('draws the graph in a worker, moves it with keys, and links each box to its first step', async () => {
    opened = await openWeb(browser, http, tenant);
    const { page, problems } = opened;
    await page.goto(`/ui/traces/${loopingRun.traceId}?view=graph`);
    const drawing = page.getByRole('region', { name: /^Drawing of the graph/ });
    const boxes = drawing.locator('g[data-kind]');
    await eventually(() => boxes.allTextContents()).toEqual(expect.arrayContaining(['clerk', 'search_orders']));
    expect(await drawing.locator('svg > text').allTextContents()).toContain('×24');
    const picture = drawing.locator('svg');
    const whole = await picture.getAttribute('viewBox');
    await drawing.press('+');
    await eventually(() => picture.getAttribute('viewBox')).not.toBe(whole);
    await drawing.press('0');
    await eventually(() => picture.getAttribute('viewBox')).toBe(whole);
    await boxes.filter({ hasText: 'search_orders' }).click();
    await eventually(() => page.getByRole('region', { name: 'Step', exact: true }).textContent()).toContain('Step 1');
    expect(problems).toEqual([]);
  });

  it('opens the conversation at the decisive step, and colours no step before it', async () => {
    const page = await open();
    const step = /step (\d+)/.exec((await page.getByRole('region', { name: 'Verdict' }).textContent()) ?? '')?.[1];
    await page.getByRole('button', { name: 'Conversation' }).click();
    const turn = page.getByRole('listitem').filter({ hasText: 'Where it went wrong' });
    await turn.getByRole('button', { name: `step ${step}`, exact: true }).waitFor();
    const list = (await page.getByRole('region', { name: 'Conversation' }).boundingBox())!;
    await expect
      .poll(async () => {
        const { y, height } = (await turn.boundingBox())!;
        return y >= list.y && y + height <= list.y + list.height + 1;
      })
      .toBe(true);
    const marked = page.getByRole('listitem').filter({ hasText: 'critical' });
    expect(await marked.first().getByRole('button').first().textContent()).toBe(`step ${step}`);
  });

  it('shows the duration of each step beside its bar in the timeline, and compact names', async () => {
    const page = await open('?view=timeline');
    const row = page.getByRole('row', { selected: true });
    await row.getByText('1 s', { exact: true }).waitFor();
    await row.getByText('search_orders', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Tree' }).click();
    await row.getByText('execute_tool search_orders', { exact: true }).waitFor();
  });

  it('starts no worker besides that of the graph', async () => {
    opened = await openWeb(browser, http, tenant);
    const { page } = opened;
    await page.goto(`/ui/traces/${loopingRun.traceId}?view=graph`);
    await page.getByRole('region', { name: /^Drawing of the graph/ }).waitFor();
    const started = await page.evaluate(() => {
      try {
        Reflect.construct(Reflect.get(globalThis, 'Worker'), ['/ui/assets/other.js']);
        return 'started';
      } catch (error) {
        return (error as Error).name;
      }
    });
    expect(started).toBe('TypeError');
  });

  it('shows the steps of a running trace as they arrive', async () => {
    const [root, ...calls] = liveRun(9);
    const ingest = (spans: Span[]) => http.services.ingest.ingestSpans(tenant.tenantId, { spans, rejections: [] });
    await ingest([root!, calls[0]!]);
    opened = await openWeb(browser, http, tenant);
    const { page } = opened;
    await page.goto(`/ui/traces/${root!.traceId}`);
    const grid = page.getByRole('treegrid');
    await eventually(() => grid.getAttribute('aria-label')).toContain('2 steps');
    expect(await page.getByRole('region', { name: 'Verdict' }).textContent()).toContain('Not analyzed yet');
    await ingest(calls.slice(1));
    await eventually(() => grid.getAttribute('aria-label')).toContain('5 steps');
  });

  it('refetches a running trace in a hidden tab when the tab becomes visible', async () => {
    const [root, ...calls] = liveRun(8);
    const ingest = (spans: Span[]) => http.services.ingest.ingestSpans(tenant.tenantId, { spans, rejections: [] });
    await ingest([root!, calls[0]!]);
    opened = await openWeb(browser, http, tenant);
    const hiddenPage = opened.page;
    const visiblePage = await hiddenPage.context().newPage();
    const steps = (page: Page) => page.getByRole('treegrid').getAttribute('aria-label', { timeout: 60_000 });
    const setVisibility = (state: 'hidden' | 'visible') =>
      hiddenPage.evaluate(`
        Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      `);
    for (const page of [hiddenPage, visiblePage]) await page.goto(`/ui/traces/${root!.traceId}`);
    for (const page of [hiddenPage, visiblePage]) await eventually(() => steps(page)).toContain('2 steps');
    await setVisibility('hidden');
    await ingest(calls.slice(1));
    await eventually(() => steps(visiblePage)).toContain('5 steps');
    expect(await steps(hiddenPage)).toContain('2 steps');
    await setVisibility('visible');
    await eventually(() => steps(hiddenPage)).toContain('5 steps');
  });

  it('submits feedback and withdraws it', async () => {
    const page = await open();
    const panel = page.getByRole('complementary', { name: 'Detections' });
    const [worst] = await readDetections();
    await panel.getByRole('textbox').fill('the customer asked for it');
    await panel.getByRole('button', { name: 'Wrong' }).click();
    await eventually(() => panel.textContent()).toContain('Marked wrong: the customer asked for it');
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(() => panel.textContent()).not.toContain('Marked wrong');
    await eventually(
      async () => (await read(`/api/v1/tenants/${tenant.tenantId}/detections/${worst.detection_id}`)).validation,
    ).toBeNull();
  });
});
