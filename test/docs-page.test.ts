import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, startBrowser } from './support/browser.ts';
import { describedRoutes, paramsOf } from './support/described-routes.ts';
import { type HttpFixture, OPERATOR_TOKEN, startHttpApp, type Tenant } from './support/http-app.ts';

let http: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  http = await startHttpApp();
  tenant = await http.newTenant();
});
afterAll(() => http.close());

describe('/docs', () => {
  it('has a content security policy that allows only its own style and script', async () => {
    const { status, headers, text } = await http.send({ path: '/docs' });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = String(headers['content-security-policy']);
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      expect.stringMatching(/^style-src 'sha256-[\w+/]{43}='$/),
      expect.stringMatching(/^script-src 'sha256-[\w+/]{43}='$/),
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(text.length).toBeLessThan(2_000_000);
  });

  it('does not change the policy of other responses', async () => {
    const { headers } = await http.send({ path: '/openapi.json' });
    expect(headers['content-security-policy']).toBe("default-src 'none';frame-ancestors 'none'");
  });

  const hasCurl = isThere('curl');
  const reads = describedRoutes().filter(
    ({ method, path, isStream }) =>
      method === 'GET' && !isStream && paramsOf(path).every((name) => name === 'tenant_id'),
  );
  it.skipIf(!hasCurl).each(reads.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'has a command that works (needs curl): %s',
    async (_name, { id, path, responses }) => {
      const command = await commandOf(id);
      const env = {
        ...process.env,
        MISSTEP_URL: http.url,
        MISSTEP_API_KEY: tenant.apiKey,
        MISSTEP_TENANT_ID: tenant.tenantId,
        MISSTEP_OPERATOR_TOKEN: OPERATOR_TOKEN,
      };
      const line = `${command.replace(/^curl/, 'curl -s -o /dev/null -w "%{http_code}"')}`;
      const { stdout } = await promisify(execFile)('sh', ['-c', line], { env });
      // 409 for features that are not set up here, such as billing.
      expect(['200', '409'], `${path} answered ${stdout}`).toContain(stdout);
      expect(Object.keys(responses)).toContain(stdout);
    },
  );
});

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function commandOf(id: string): Promise<string> {
  const { text } = await http.send({ path: '/docs' });
  const article = text.split(`<article id="${id}"`)[1]!.split('</article>')[0]!;
  const [, command = ''] = /<pre class="curl"[^>]*><code>(.*?)<\/code>/s.exec(article) ?? [];
  return command.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&').replaceAll('&gt;', '>');
}

/** Timeout for a busy machine. */
const SLOW = { timeout: 180_000 };
const CHECKED_ARTICLES =
  /^(feedback\.submit|traces\.delete|thresholds\.change|Detection|(PUT|POST|DELETE|GET)\s+\/traces.*)$/;

describe.skipIf(!hasBrowser)('/docs in a browser (needs chromium, or Linux on x64)', SLOW, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  }, 60_000);
  afterAll(() => browser.close());

  /** The page with its problems and requested URLs. */
  async function open(
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; problems: string[]; requestedUrls: string[] }> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const problems: string[] = [];
    const requestedUrls: string[] = [];
    page.on('console', (message) => problems.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => requestedUrls.push(request.url()));
    await page.goto(`${http.url}/docs`);
    return { page, problems, requestedUrls };
  }

  it('causes no policy violation, console message or other request', async () => {
    const { page, problems, requestedUrls } = await open();
    await page.locator('details summary').first().click();
    await page.locator('nav a[href="#traces.list"]').click();
    expect(await page.locator('[id="traces.list"]').isVisible()).toBe(true);
    expect(await page.locator('#origin').textContent()).toBe(http.url);
    expect(problems).toEqual([]);
    expect(requestedUrls.filter((url) => !url.startsWith('data:'))).toEqual([`${http.url}/docs`]);
  });

  it('a planted policy violation is reported', async () => {
    const { page, problems } = await open();
    await page.evaluate(() => {
      const global = globalThis as unknown as {
        document: { createElement(name: string): { src: string }; body: { append(one: unknown): void } };
      };
      const image = global.document.createElement('img');
      image.src = 'http://elsewhere.test/a.png';
      global.document.body.append(image);
    });
    await expect.poll(() => problems.join(), SLOW).toContain('Content Security Policy');
  });

  it('filters operations by text, and shows all for a link to a hidden one', async () => {
    const { page } = await open();
    const all = await page.locator('main article').count();
    await page.keyboard.press('/');
    await page.keyboard.type('quiet_hours PUT');
    await page.getByText(/^\d+ of \d+ match$/).waitFor();
    const shown = page.locator('main article:visible');
    expect(await shown.count()).toBeLessThan(all / 4);
    expect(await page.locator('[id="alerts.change-preferences"]').isVisible()).toBe(true);
    expect(await page.locator('[id="traces.list"]').isVisible()).toBe(false);
    await page.locator('#words').fill('no such word anywhere');
    await page.getByText(/^0 of/).waitFor();
    await page.evaluate(() => {
      (globalThis as unknown as { location: { hash: string } }).location.hash = '#traces.list';
    });
    await page.locator('[id="traces.list"]').waitFor({ state: 'visible' });
    expect(await shown.count()).toBe(all);
  });

  it('is readable without its script and then has no search field', async () => {
    const { page } = await open({ javaScriptEnabled: false });
    expect(await page.locator('[id="feedback.submit"] table').first().isVisible()).toBe(true);
    expect(await page.locator('#words').isVisible()).toBe(false);
  });

  it('supports dark mode and narrow screens', async () => {
    const backgrounds: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await open({ colorScheme, viewport: { width: 360, height: 740 } });
      backgrounds.push(String(await page.evaluate('getComputedStyle(document.body).backgroundColor')));
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
    expect(backgrounds).toEqual(['rgb(255, 255, 255)', 'rgb(20, 23, 28)']);
  });

  it.each(['light', 'dark'] as const)(
    'has no axe violation, %s',
    async (colorScheme) => {
      const { page } = await open({ colorScheme });
      // Operations look the same, and so do schemas: checking the colours of each takes minutes.
      await page.evaluate(`for (const one of document.querySelectorAll('main article, nav li'))
        if (!${CHECKED_ARTICLES}.test(one.id || one.textContent.trim())) one.remove();`);
      expect(await page.locator('main article').count()).toBe(4);
      await page.evaluate(axe.source);
      const found = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as axe.AxeResults;
      const faults = found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} (${nodes.length})`);
      expect(faults).toEqual([]);
      await page.evaluate(`document.querySelector('label').remove(); document.body.append(new Image());`);
      const planted = (await page.evaluate('axe.run(document)')) as axe.AxeResults;
      expect(planted.violations.map(({ id }) => id)).toContain('image-alt');
    },
    180_000,
  );
});
