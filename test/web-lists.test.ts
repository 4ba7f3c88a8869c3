import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { demoSpans } from '../src/features/demo/demo-spans.ts';
import { axeFaults } from './support/axe-faults.ts';
import { hasBrowser, startBrowser } from './support/browser.ts';
import { type HttpFixture, startHttpApp, type Tenant } from './support/http-app.ts';
import { openWeb } from './support/open-web.ts';
import { runSpans, toRequest, traceIdOf } from './support/store-app.ts';
import { bundledWebFiles } from './support/web-bundle.ts';

const NOW = Date.UTC(2026, 0, 15, 12);

let http: HttpFixture;
let tenant: Tenant;
let browser: Browser;
let context: BrowserContext;
let complaints: string[];

beforeAll(async () => {
  const files = await bundledWebFiles();
  http = await startHttpApp({}, {}, { readWebFiles: () => files });
  browser = await startBrowser();
}, 120_000);
afterAll(async () => {
  await browser.close();
  await http.close();
});
afterEach(async () => {
  await context.close();
  // A report of the content security policy is a message on the console.
  expect(complaints).toEqual([]);
});

/** A page that is signed in with a key of a tenant that has the demo's runs. */
async function signIn(
  path: string,
  { scopes, isEmpty = false }: { scopes?: ('read' | 'write')[]; isEmpty?: boolean } = {},
) {
  tenant = await http.newTenant();
  if (!isEmpty) {
    for (const spans of demoSpans(NOW)) await http.services.ingest.ingest(tenant.tenantId, toRequest(spans));
    await http.services.analysis.runAllNow(tenant.tenantId);
  }
  const api_key = scopes ? await http.newKey(tenant.tenantId, scopes) : tenant.apiKey;
  const { page } = await openWeb(browser, http, { ...tenant, apiKey: api_key });
  context = page.context();
  complaints = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(http.url + path);
  return page;
}

const rows = (page: Page, label: string) => page.getByRole('region', { name: label }).locator('tbody tr');

describe.skipIf(!hasBrowser)('the list of traces, in a browser', () => {
  it('narrows by a facet, shows the filter as a chip, and takes it back', async () => {
    const page = await signIn('/ui/traces');
    await page.getByText('7 traces').waitFor();
    expect(await rows(page, 'Runs').count()).toBe(7);
    await page
      .getByRole('complementary', { name: 'Filters by value' })
      .getByRole('link', { name: /^error/ })
      .click();
    await page.getByText('2 traces').waitFor();
    expect(page.url()).toContain('/ui/traces?status=error');
    await page.getByRole('link', { name: 'Remove filter Status: error' }).click();
    await page.getByText('7 traces').waitFor();
    await page.goBack();
    await page.getByText('2 traces').waitFor();
  });

  it('is searched from the keyboard and sorted', async () => {
    const page = await signIn('/ui/traces');
    await page.getByText('7 traces').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('planner');
    await page.keyboard.press('Enter');
    await page.getByText(/^[1-6] traces?$/).waitFor();
    expect(page.url()).toContain('q=planner');
    await page.getByRole('link', { name: 'Clear all' }).click();
    await page.getByLabel('Sort').selectOption('cost');
    await page.waitForURL(/sort=cost/);
    await expect.poll(() => rows(page, 'Runs').first().textContent()).toContain('guide');
  });

  it('does not move when a run begins, and says how many have', async () => {
    const page = await signIn('/ui/traces');
    await page.getByText('7 traces').waitFor();
    // The stream is open once the server has a listener.
    const tenantNo = await http.services.tenants.tenantNoOf(tenant.tenantId);
    await expect.poll(() => http.services.streams.listenerCount(tenantNo)).toBe(1);
    await http.services.ingest.ingest(tenant.tenantId, toRequest(runSpans(9)));
    const pill = page.getByRole('button', { name: '1 new run' });
    await pill.waitFor();
    expect(await rows(page, 'Runs').count()).toBe(7);
    await pill.click();
    await page.getByText('8 traces').waitFor();
    await page.locator(`a[href="/ui/traces/${traceIdOf(9)}"]`).waitFor();
    expect(await page.getByRole('button', { name: /new run/ }).count()).toBe(0);
  });

  it('shows a time of the histogram after a drag, and the numbers as a table', async () => {
    const page = await signIn('/ui/traces');
    const bars = page.getByRole('img', { name: /7 traces over time, 2 failed/ });
    await bars.waitFor();
    const box = (await bars.boundingBox())!;
    await page.mouse.move(box.x + 2, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + 20);
    await page.mouse.up();
    await page.waitForURL(/from=.*to=/);
    await page.getByRole('link', { name: /Remove filter From/ }).waitFor();
    await page.getByText('Show as table').click();
    expect(await page.getByRole('columnheader', { name: 'Began' }).isVisible()).toBe(true);
  });

  it('says what is missing where nothing has come, and where nothing fits', async () => {
    const page = await signIn('/ui/traces', { isEmpty: true });
    await page.getByText('No trace has arrived').waitFor();
    await page.goto(`${http.url}/ui/traces?model=none`);
    await page.getByText('No trace fits these filters').waitFor();
  });

  it('names what does not fit in an address that somebody changed', async () => {
    const page = await signIn('/ui/traces?grade=E');
    await page.getByRole('alert').getByText(/grade/).waitFor();
    complaints = complaints.filter((text) => !text.includes('status of 400'));
  });
});

describe.skipIf(!hasBrowser)('other lists, in a browser', () => {
  it('an agent opens beside the list and leads to its traces', async () => {
    const page = await signIn('/ui/agents');
    await page.getByRole('link', { name: 'planner', exact: true }).click();
    const panel = page.getByRole('region', { name: 'Agent planner' });
    await panel.getByText('loop · ').first().waitFor();
    await panel.getByRole('link', { name: /traces?$/ }).click();
    await page.getByRole('link', { name: 'Remove filter Agent: planner' }).waitFor();
  });

  it('figures change with the days, and each chart has a table', async () => {
    const page = await signIn('/ui/analytics/cost');
    await page.getByRole('heading', { name: 'Analytics: Cost' }).waitFor();
    await page.getByRole('img', { name: 'Cost by day and model' }).waitFor();
    await page.getByLabel('Days').selectOption('365');
    await page.waitForURL(/days=365/);
    await page.getByRole('link', { name: 'Loops' }).click();
    await page.getByRole('img', { name: 'Loops by day' }).waitFor();
    await page.getByRole('link', { name: 'Quality' }).click();
    await page.getByRole('img', { name: 'Mean score by day' }).waitFor();
  });

  it('a detector is switched off and on again, and its threshold is previewed before it is saved', async () => {
    const page = await signIn('/ui/detectors');
    const loops = page.getByRole('switch').first();
    await loops.waitFor();
    expect(await loops.getAttribute('aria-checked')).toBe('true');
    await loops.click();
    await expect.poll(() => loops.getAttribute('aria-checked')).toBe('false');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => loops.getAttribute('aria-checked')).toBe('true');
    await rows(page, 'Detectors').first().getByRole('link').click();
    const save = page.getByRole('button', { name: 'Save' });
    expect(await save.isDisabled()).toBe(true);
    await page.getByLabel('Firing threshold as a number').fill('0.99');
    await page.getByText(/^Last 7 days: \d+ fewer$/).waitFor();
    await save.click();
    await page.getByText('You have set another.').waitFor();
    await page.getByRole('button', { name: 'Use the calibrated one' }).click();
    await page.getByText('You have set no other.').waitFor();
  });

  it('a key that only reads sees the detectors without switches', async () => {
    const page = await signIn('/ui/detectors', { scopes: ['read'] });
    await rows(page, 'Detectors').first().waitFor();
    expect(await page.getByRole('switch').count()).toBe(0);
  });

  it('a workflow leads to its runs', async () => {
    const page = await signIn('/ui/workflows');
    await rows(page, 'Workflows').first().getByRole('link').click();
    await page.getByRole('link', { name: /^Remove filter Workflow/ }).waitFor();
  });

  it('conversations say what they are while there are none', async () => {
    const page = await signIn('/ui/conversations');
    await page.getByText('No conversation has arrived').waitFor();
  });
});

describe.skipIf(!hasBrowser)('every list', () => {
  it.each([
    '/ui/traces',
    '/ui/agents?agent=planner',
    '/ui/analytics/cost',
    '/ui/analytics/quality',
    '/ui/analytics/loops',
    '/ui/detectors?detector=loop',
    '/ui/workflows',
    '/ui/conversations',
  ])('has no violation of accessibility rules, and at most 1,500 nodes: %s', async (path) => {
    const page = await signIn(path);
    await page.locator('h1').waitFor();
    await page.waitForLoadState('load');
    await expect.poll(() => page.locator('output[aria-label="Loading"]').count()).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
    expect(await page.evaluate<number>('document.querySelectorAll("*").length')).toBeLessThanOrEqual(1_500);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  });
});
