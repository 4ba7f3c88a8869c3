import type { Browser, CDPSession, Page } from 'playwright-core';
import type { Credentials } from '../../../test/support/served.ts';
import type { TabSample } from './judge-tabs.ts';

/** A page of the dashboard that stays open. */
export interface OpenTab {
  name: string;
  page: Page;
  session: CDPSession;
  samples: TabSample[];
}

/** One signed-in browser context whose tabs share a session and the live connection. */
export async function openTabs(
  browser: Browser,
  options: { url: string; credentials: Credentials; views: readonly { name: string; path: string }[] },
  problems: string[],
): Promise<OpenTab[]> {
  const { url, credentials, views } = options;
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } });
  const signedIn = await context.request.post('/api/v1/auth/session', {
    data: { api_key: credentials.apiKey },
    headers: { Origin: url },
  });
  if (signedIn.status() !== 201) throw new Error(`not signed in: ${signedIn.status()}`);
  const tabs: OpenTab[] = [];
  for (const { name, path } of views) {
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    page.on('pageerror', (error) => problems.push(`${name}: ${error}`));
    page.on('console', (message) => {
      if (/Content Security Policy|Trusted Type/i.test(message.text())) problems.push(`${name}: ${message.text()}`);
    });
    await page.goto(path);
    await page.locator('main').waitFor();
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable');
    tabs.push({ name, page, session, samples: [] });
  }
  return tabs;
}

/** Collects garbage in the tab and adds a reading. */
export async function sampleTab({ session, samples }: OpenTab, atS: number): Promise<void> {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  samples.push({
    atS,
    heapMb: value('JSHeapUsedSize') / 1e6,
    nodes: value('Nodes'),
    listeners: value('JSEventListeners'),
  });
}

/** Number of links in the main navigation. */
export function navigationLinks({ page }: OpenTab): Promise<number> {
  return linksOf(page).count();
}

/** Opens the view of a link in the main navigation, as a user does. */
export async function visitView({ page }: OpenTab, at: number): Promise<void> {
  await linksOf(page).nth(at).click();
}

function linksOf(page: Page) {
  return page.getByRole('navigation').first().getByRole('link');
}
