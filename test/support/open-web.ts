import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { HttpFixture, Tenant } from './http-app.ts';

export interface OpenWeb {
  page: Page;
  /** Violations of the page's Content-Security-Policy, and uncaught errors. */
  problems: string[];
}

/** A tab of a signed-in user, with separate browser storage. */
export async function openWeb(
  browser: Browser,
  http: HttpFixture,
  tenant: Tenant,
  options: BrowserContextOptions = {},
): Promise<OpenWeb> {
  const context = await browser.newContext({ baseURL: http.url, viewport: { width: 1440, height: 900 }, ...options });
  const signedIn = await context.request.post('/api/v1/auth/session', {
    data: { api_key: tenant.apiKey },
    headers: { Origin: http.url },
  });
  if (signedIn.status() !== 201) throw new Error(`not signed in: ${signedIn.status()} ${await signedIn.text()}`);
  const page = await context.newPage();
  // Long enough for a busy machine.
  page.setDefaultTimeout(120_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted Type/i.test(message.text())) problems.push(message.text());
  });
  return { page, problems };
}
