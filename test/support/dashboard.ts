import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { startBrowser } from './browser.ts';
import { runProgram } from './program.ts';
import { type Credentials, createTenant, type Served, serve } from './served.ts';

/** A page with its console messages and errors, and the URLs that it requested. */
export interface WatchedPage {
  page: Page;
  problems: string[];
  requestedUrls: string[];
}

/** The built program with the example runs, and a browser that can only connect to this machine. */
export class Dashboard {
  readonly data = mkdtempSync(join(tmpdir(), 'misstep-dashboard-'));
  served!: Served;
  browser!: Browser;
  desk!: Credentials;

  /** @param flags more flags of `misstep serve` */
  async start(...flags: string[]): Promise<void> {
    this.served = await serve(this.data, ...flags);
    this.browser = await startBrowser('--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1');
    this.desk = await createTenant(this.served.url, 'desk');
    const env = { MISSTEP_API_KEY: this.desk.apiKey, MISSTEP_TENANT: this.desk.tenantId };
    const filled = runProgram(this.data, ['demo', '--server', this.served.url], { env });
    if (filled.status !== 0 && filled.status !== 1) throw new Error(`misstep demo: ${filled.stderr}`);
  }

  async stop(): Promise<void> {
    await this.browser?.close();
    await this.served?.end('SIGTERM');
    rmSync(this.data, { recursive: true, force: true });
  }

  /** A page of a browser without cookies, or signed in with a key. */
  async open(
    path: string,
    apiKey: string | null,
    options: BrowserContextOptions = {},
    prepare?: (page: Page) => Promise<void>,
  ): Promise<WatchedPage> {
    const context = await this.browser.newContext(options);
    if (apiKey !== null) await this.#signIn(context, apiKey);
    const page = await context.newPage();
    const watched: WatchedPage = { page, problems: [], requestedUrls: [] };
    page.on('console', (message) => watched.problems.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => watched.problems.push(error.message));
    page.on('request', (request) => watched.requestedUrls.push(request.url()));
    await prepare?.(page);
    await page.goto(this.served.url + path);
    return watched;
  }

  async #signIn(context: BrowserContext, apiKey: string): Promise<void> {
    const response = await context.request.post(`${this.served.url}/api/v1/auth/session`, {
      data: { api_key: apiKey },
      headers: { Origin: this.served.url },
    });
    if (response.status() !== 201) throw new Error(`signing in: ${response.status()} ${await response.text()}`);
  }
}
