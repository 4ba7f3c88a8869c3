import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { hasBrowser, startBrowser } from '../support/browser.ts';
import { type HttpFixture, startHttpApp, type Tenant } from '../support/http-app.ts';
import { loopingRun } from '../support/looping-run.ts';
import { type OpenWeb, openWeb } from '../support/open-web.ts';
import { toRequest } from '../support/store-app.ts';
import { bundledWebFiles } from '../support/web-bundle.ts';

let http: HttpFixture;
let browser: Browser;
let tenant: Tenant;
let opened: OpenWeb | null = null;

beforeAll(async () => {
  if (!hasBrowser) return;
  const files = await bundledWebFiles();
  [http, browser] = await Promise.all([startHttpApp({}, {}, { readWebFiles: () => files }), startBrowser()]);
  tenant = await http.newTenant();
  await http.services.ingest.ingest(tenant.tenantId, toRequest(loopingRun(1)));
  await http.services.analysis.runAllNow(tenant.tenantId);
}, 120_000);
afterEach(async () => {
  await opened?.page.context().close();
  expect(opened?.problems ?? []).toEqual([]);
  opened = null;
});
afterAll(async () => {
  await browser?.close();
  await http?.close();
});

async function openPalette(): Promise<Page> {
  opened = await openWeb(browser, http, tenant);
  const { page } = opened;
  await page.goto('/ui/detectors');
  await page.getByRole('heading', { name: 'Detectors', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Go to' }).waitFor();
  return page;
}

const options = (page: Page, group: string) => page.getByRole('group', { name: group }).getByRole('option');
const selected = (page: Page) => page.getByRole('option', { selected: true });

describe.skipIf(!hasBrowser)('Go to', () => {
  it('finds issues, agents, workflows and traces by name, from the keyboard', async () => {
    const page = await openPalette();
    await page.keyboard.type('clerk');
    for (const group of ['Issues', 'Agents', 'Workflows', 'Traces']) await options(page, group).first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const field = page.getByRole('combobox', { name: /^Go to/ });
    const active = async () => {
      const id = await field.getAttribute('aria-activedescendant');
      return page.locator(`[id="${id}"]`).textContent();
    };
    expect(await active()).toBe(await selected(page).textContent());
    await page.keyboard.press('ArrowUp');
    expect(await active()).toBe(await options(page, 'Traces').last().textContent());
    await page.keyboard.press('ArrowDown');
    expect(await active()).toBe(await options(page, 'Issues').first().textContent());
    while ((await active()) !== (await options(page, 'Agents').first().textContent()))
      await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Agent clerk' }).waitFor();
  });

  it('opens a found issue with Enter', async () => {
    const page = await openPalette();
    await page.keyboard.type('repeated');
    await options(page, 'Issues').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'The same call repeated in a row', level: 2 }).waitFor();
    expect(page.url()).toContain('/ui/issues/iss_');
  });

  it('drops the answer for an earlier text', async () => {
    const page = await openPalette();
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(/\/issues\?.*q=clerk/, async (route) => {
      await promise;
      await route.fallback().catch(() => {});
    });
    await page.keyboard.type('clerk');
    const asked = page.waitForRequest(/\/issues\?.*q=clerk/);
    await asked;
    await page.getByRole('combobox', { name: /^Go to/ }).fill('nothing has this name');
    await page.getByText('No match.').waitFor();
    resolve();
    await page.waitForTimeout(100);
    expect(await page.getByRole('option').count()).toBe(0);
  });

  it('says when the lists could not be read, and still opens views', async () => {
    const page = await openPalette();
    await page.route(/\/workflows\?/, (route) => route.abort());
    await page.keyboard.type('heal');
    await page.getByText('could not be searched').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Healing', level: 1 }).waitFor();
  });
});
