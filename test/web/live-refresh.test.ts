import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import type { Tenant } from '../support/http-app.ts';
import { loopingRun } from '../support/looping-run.ts';
import { WebVisit } from '../support/web-visit.ts';

const visit = new WebVisit();
let tenant: Tenant;

beforeAll(async () => {
  if (!hasBrowser) return;
  await visit.start();
  tenant = await visit.http.newTenant();
  await visit.http.services.ingest.ingestSpans(tenant.tenantId, { spans: loopingRun(1), rejections: [] });
  await visit.http.services.analysis.runAllNow(tenant.tenantId);
}, 120_000);
afterEach(async () => {
  if (hasBrowser) expect(await visit.closePages()).toEqual([]);
});
afterAll(() => visit.close());

/** Collects the API paths that the page requests from now on. */
function listen(page: Page): string[] {
  const requestedPaths: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/') && !pathname.endsWith('/stream'))
      requestedPaths.push(pathname.split('/').slice(5).join('/'));
  });
  return requestedPaths;
}

const setVisibility = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  `);

/** Sends events to all tabs, like the tab that reads the stream. */
const announce = (page: Page, ...names: string[]) =>
  page.evaluate(`
    const channel = new BroadcastChannel('misstep.live.${tenant.tenantId}');
    for (const name of ${JSON.stringify(names)}) channel.postMessage({ name, data: {} });
  `);

describe.skipIf(!hasBrowser)('tabs after a gap in the event stream', () => {
  it('refetch their queries once: a visible tab at once, a hidden tab when it becomes visible', async () => {
    const visiblePage = await visit.open('/ui/issues', tenant);
    const hiddenPage = await visiblePage.context().newPage();
    await hiddenPage.goto('/ui/issues');
    for (const page of [visiblePage, hiddenPage]) {
      await page.getByText('Run 1 of 1').waitFor();
      await page.waitForLoadState('networkidle');
    }
    await setVisibility(hiddenPage, 'hidden');
    const [shown, hidden] = [listen(visiblePage), listen(hiddenPage)];
    await announce(visiblePage, 'gap', 'issue.updated', 'gap');
    const all = ['detections', 'issues', 'overview'];
    await expect.poll(() => shown.toSorted()).toEqual(all);
    await visiblePage.waitForLoadState('networkidle');
    expect(shown.toSorted()).toEqual(all);
    expect(hidden).toEqual([]);
    await setVisibility(hiddenPage, 'visible');
    await expect.poll(() => hidden.toSorted()).toEqual(all);
  });
});
