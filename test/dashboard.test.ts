import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from './support/axe-violations.ts';
import { hasBrowser } from './support/browser.ts';
import { Dashboard } from './support/dashboard.ts';
import { createTenant, isBuilt } from './support/served.ts';

const MAX_NODES = 1_500;
/** Timeout for a busy machine. */
const SLOW = { timeout: 180_000 };

const nodesOf = 'document.querySelectorAll("*").length';

describe.skipIf(!isBuilt || !hasBrowser)(
  'the web page of the built program (needs dist/misstep and chromium)',
  SLOW,
  () => {
    const dashboard = new Dashboard();
    beforeAll(() => dashboard.start(), 120_000);
    afterAll(() => dashboard.stop());
    const issueRows = 'ul[aria-label="Open issues"] > li';

    describe('signing in', () => {
      it('requires a key at any address, states why a key is invalid, and then opens that address', async () => {
        const { page, requestedUrls } = await dashboard.open('/ui/start?for=n8n', null);
        await page.getByRole('heading', { name: 'Sign in' }).waitFor();
        await page.getByLabel('API key').fill('mst_wrong');
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('alert').getByText('The API key is unknown').waitFor();
        await page.getByLabel('API key').fill(dashboard.desk.apiKey);
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Set up' }).waitFor();
        expect(page.url()).toBe(`${dashboard.served.url}/ui/start?for=n8n`);
        expect(await page.locator('pre').textContent()).toContain('N8N_OTEL_ENABLED=true');
        expect(requestedUrls.join()).not.toContain(dashboard.desk.apiKey);
        expect(
          await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie'),
        ).not.toContain('mst_');
      });

      it('accepts a link once and reports its second use', async () => {
        const { served, desk } = dashboard;
        const made = await fetch(`${served.url}/api/v1/tenants/${desk.tenantId}/sign-in-links`, {
          method: 'POST',
          headers: { 'x-svc-api-key': desk.apiKey },
        });
        const { url } = (await made.json()) as { url: string };
        const link = new URL(url);
        const first = await dashboard.open(link.pathname + link.hash, null);
        await first.page.getByRole('heading', { name: 'Issues', exact: true }).waitFor();
        expect(first.page.url()).not.toContain('#');
        expect(first.requestedUrls.join()).not.toContain(link.hash.slice(3));
        const second = await dashboard.open(link.pathname + link.hash, null);
        await second.page.getByRole('alert').getByText('already used').waitFor();
      });

      it('requires a key again after signing out', async () => {
        const { page } = await dashboard.open('/ui/issues', dashboard.desk.apiKey);
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      });
    });

    describe('issues', () => {
      it('are resolved with one key, restored with one click, and each row states the reason', async () => {
        const { page, problems } = await dashboard.open('/', dashboard.desk.apiKey);
        const rows = page.locator(issueRows);
        await rows.first().waitFor();
        const before = await rows.count();
        const title = await rows.first().getByRole('link').textContent();
        await page.getByRole('heading', { level: 3, name: 'Why' }).waitFor();
        const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Issues/ });
        await expect.poll(() => entry.textContent()).toBe(`Issues ${before} open`);
        await page.keyboard.press('e');
        await expect.poll(() => rows.count()).toBe(before - 1);
        await expect.poll(() => entry.textContent()).toBe(`Issues ${before - 1} open`);
        await page.getByText('1 issue resolved').waitFor();
        await page.getByRole('button', { name: 'Undo' }).click();
        await expect.poll(() => rows.count()).toBe(before);
        await expect.poll(() => rows.allTextContents()).toContainEqual(expect.stringContaining(title!));
        expect(problems).toEqual([]);
      });

      it('can be changed together if selected, and a read-only key has no actions', async () => {
        const { page } = await dashboard.open('/ui/issues', dashboard.desk.apiKey);
        const rows = page.locator(issueRows);
        await rows.first().waitFor();
        const before = await rows.count();
        await page.keyboard.press('x');
        await page.keyboard.press('j');
        await page.keyboard.press('x');
        await page.getByText('2 issues selected').waitFor();
        await page.keyboard.press('i');
        await expect.poll(() => rows.count()).toBe(before - 2);
        await page.getByRole('button', { name: 'Undo' }).click();
        await expect.poll(() => rows.count()).toBe(before);
        const readKey = await newKey(['read']);
        const reader = await dashboard.open('/ui/issues', readKey);
        await reader.page.locator(issueRows).first().waitFor();
        expect(await reader.page.getByRole('checkbox').count()).toBe(0);
        expect(await reader.page.getByRole('button', { name: 'Resolve' }).count()).toBe(0);
      });
    });

    it('shows the first trace when it arrives, and earlier rejected requests', async () => {
      const tenant = await createTenant(dashboard.served.url, 'newcomer');
      const { page } = await dashboard.open('/', tenant.apiKey);
      await page.getByText('Waiting for the first trace').waitFor();
      await page.getByRole('button', { name: 'Create a key that can only send' }).click();
      await page.getByText('it is not shown again').waitFor();
      const key = /mst_[\w-]+/.exec((await page.locator('pre').textContent())!)![0];
      const send = (type: string, body: string) =>
        fetch(`${dashboard.served.url}/v1/traces`, {
          method: 'POST',
          headers: { 'x-svc-api-key': key, 'content-type': type },
          body,
        });
      expect((await send('text/plain', 'hello')).status).toBe(415);
      await page.getByText('Some requests were rejected').waitFor();
      expect((await send('application/json', oneSpan('first <img src=x onerror=alert(1)> \u202e run'))).status).toBe(
        200,
      );
      await page.getByRole('heading', { name: 'It arrived' }).waitFor();
      expect(await page.locator('img').count()).toBe(0);
      expect(await page.getByText('first <img src=x onerror=alert(1)> ⟨U+202E⟩ run').count()).toBe(1);
    });

    it('fills in the example runs on request, and links to their issues', async () => {
      const tenant = await createTenant(dashboard.served.url, 'curious');
      const { page, problems } = await dashboard.open('/', tenant.apiKey);
      await page.getByRole('button', { name: 'Fill in example runs' }).click();
      await page.getByRole('heading', { name: 'It arrived' }).waitFor();
      await page.getByRole('link', { name: 'See what is wrong with them' }).click();
      await page.locator(issueRows).first().waitFor();
      expect(problems).toEqual([]);
    });

    it.each(['light', 'dark'] as const)(
      'has no axe violation, few nodes and no request to another host, %s',
      async (colorScheme) => {
        for (const path of ['/ui/sign-in', '/ui/start', '/ui/issues', '/ui/healing', '/ui/check', '/ui/nothing']) {
          const { page, problems, requestedUrls } = await dashboard.open(
            path,
            path === '/ui/sign-in' ? null : dashboard.desk.apiKey,
            {
              colorScheme,
            },
          );
          await page.getByRole('heading', { level: 1 }).waitFor();
          if (path === '/ui/issues') await page.getByRole('heading', { level: 3, name: 'Why' }).waitFor();
          expect(await axeViolations(page), path).toEqual([]);
          expect(await page.evaluate(nodesOf), path).toBeLessThan(MAX_NODES);
          expect(
            problems.filter((text) => !text.includes('401')),
            path,
          ).toEqual([]);
          expect(
            requestedUrls.filter((url) => !url.startsWith(`${dashboard.served.url}/`)),
            path,
          ).toEqual([]);
          await page.setViewportSize({ width: 320, height: 700 });
          expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), path).toBe(true);
          await page.context().close();
        }
      },
    );

    async function newKey(scopes: string[]): Promise<string> {
      const { served, desk } = dashboard;
      const response = await fetch(`${served.url}/api/v1/tenants/${desk.tenantId}/api-keys`, {
        method: 'POST',
        headers: { 'x-svc-api-key': desk.apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'reader', scopes }),
      });
      return ((await response.json()) as { api_key: string }).api_key;
    }
  },
);

function oneSpan(name: string): string {
  const start = BigInt(Date.now()) * 1_000_000n;
  const span = {
    traceId: 'a1'.repeat(16),
    spanId: 'b2'.repeat(8),
    name,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(start + 5_000_000n),
  };
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
}
