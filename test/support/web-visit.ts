import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { AppConfig } from '../../src/app/config.ts';
import type { Scope } from '../../src/features/_kit/caller.ts';
import { axeViolations, COLOUR_RULES } from './axe-violations.ts';
import { startBrowser } from './browser.ts';
import { type HttpFixture, OPERATOR_TOKEN, startHttpApp, type Tenant } from './http-app.ts';
import { openWeb } from './open-web.ts';
import { bundledWebFiles } from './web-bundle.ts';

/** A hostile text, and how a page displays it. */
export const HOSTILE_NAME = '<img src=x onerror=alert(1)> \u202e javascript:alert(1)';
export const SHOWN_HOSTILE_NAME = '<img src=x onerror=alert(1)> ⟨U+202E⟩ javascript:alert(1)';

const MAX_NODES = 1_500;
const isLoading = 'output[aria-label="Loading"]';

/** A server with the page, and a browser. Pages report violations of the Content-Security-Policy and uncaught errors. */
export class WebVisit {
  http!: HttpFixture;
  browser!: Browser;
  readonly #problems: string[] = [];

  async start(appConfig: Partial<AppConfig> = {}): Promise<void> {
    const files = await bundledWebFiles();
    this.http = await startHttpApp({}, appConfig, { readWebFiles: () => files });
    this.browser = await startBrowser();
  }

  async close(): Promise<void> {
    await this.browser?.close();
    await this.http?.close();
  }

  /** A tab signed in with all scopes of the tenant, or with the given scopes. */
  async open(
    path: string,
    tenant: Tenant,
    { scopes, ...options }: { scopes?: Scope[] } & BrowserContextOptions = {},
  ): Promise<Page> {
    const apiKey = scopes ? await this.http.newKey(tenant.tenantId, scopes) : tenant.apiKey;
    const { page, problems } = await openWeb(this.browser, this.http, { ...tenant, apiKey }, options);
    await page.goto(path);
    page.on('close', () => this.#problems.push(...problems));
    return page;
  }

  /** A tab of the operator without a selected tenant. */
  async openAsOperator(path: string): Promise<Page> {
    const link = await this.http.send({
      method: 'POST',
      path: '/api/v1/auth/sign-in-links',
      credential: OPERATOR_TOKEN,
    });
    const { page } = await openWeb(this.browser, this.http, await this.http.newTenant('first'));
    await page.context().clearCookies();
    await page.goto(new URL(link.json.url).pathname + new URL(link.json.url).hash);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.goto(path);
    return page;
  }

  /** Closes all tabs. @returns violations of the policy and uncaught errors */
  async closePages(): Promise<string[]> {
    for (const context of this.browser.contexts()) {
      for (const page of context.pages()) await page.close();
      await context.close();
    }
    return this.#problems.splice(0);
  }
}

/** Expects no violation of accessibility rules in light and dark mode, at most 1,500 nodes, and no horizontal scrolling at 320 px. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.locator('h1').waitFor();
  await expect.poll(() => page.locator(isLoading).count()).toBe(0);
  for (const colorScheme of ['light', 'dark'] as const) {
    // A colour during the transition between schemes has less contrast than either.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const rules = colorScheme === 'light' ? undefined : COLOUR_RULES;
    expect(await axeViolations(page, rules), colorScheme).toEqual([]);
  }
  expect(await page.evaluate<number>('document.querySelectorAll("*").length')).toBeLessThanOrEqual(MAX_NODES);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
}
