import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { Dashboard } from '../test/support/dashboard.ts';
import { createTenant, operatorTokenOf } from '../test/support/served.ts';
import { startReceiver } from '../test/support/webhook-receiver.ts';
import { fillTenant } from './screenshots/filled-tenant.ts';
import { type State, UNKNOWN_ADDRESS, VIEWS, type View } from './screenshots/views.ts';

/** Draws every view with data, without, and failing, light and dark, at three widths: `dist/screenshots/*.png`. */
const folder = resolve(import.meta.dirname, '../dist/screenshots');
const WIDTHS = [1440, 768, 320];
const asked = process.argv.slice(2);

interface Picture {
  name: string;
  path: string;
  /** Null for a reader who is not signed in, and for the operator, who signs in by a link. */
  key: string | null;
  isOperator: boolean;
  isFailing: boolean;
  act: View['act'];
}

const dashboard = new Dashboard();
const receiver = await startReceiver();
try {
  await dashboard.start('--allow-private-webhooks', '127.0.0.0/8', '--allow-private-platforms', '127.0.0.0/8');
  mkdirSync(folder, { recursive: true });
  for (const picture of await listPictures())
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of WIDTHS) await draw(picture, colorScheme, width);
} finally {
  await dashboard.stop();
  await receiver.close();
}

async function listPictures(): Promise<Picture[]> {
  const { served, desk } = dashboard;
  const ids = await fillTenant(dashboard, `${receiver.url}/hook`);
  const empty = await createTenant(served.url, 'new team');
  const keyOf = ({ reader }: View, state: State) => {
    if (reader !== undefined) return null;
    return state === 'empty' ? empty.apiKey : desk.apiKey;
  };
  const pictures = VIEWS.flatMap((view) =>
    view.states.map((state) => ({
      name: state === 'full' ? view.name : `${view.name}-${state}`,
      path: view.path(ids),
      key: keyOf(view, state),
      isOperator: view.reader === 'operator',
      isFailing: state === 'failing',
      act: view.act,
    })),
  );
  const unknown = { path: UNKNOWN_ADDRESS, key: desk.apiKey, isOperator: false, isFailing: false, act: undefined };
  pictures.push({ name: 'unknown', ...unknown });
  return pictures.filter(({ name }) => asked.length === 0 || asked.includes(name));
}

async function draw(picture: Picture, colorScheme: 'light' | 'dark', width: number): Promise<void> {
  const { name, path, key, isOperator, isFailing, act } = picture;
  const prepare = async (page: Page) => {
    if (isOperator) await signInByLink(page);
    if (isFailing) await failEveryRequest(page);
  };
  const { page } = await dashboard.open(path, key, { colorScheme, viewport: { width, height: 900 } }, prepare);
  // The page keeps a stream open, so that the network is never idle.
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await page.waitForTimeout(300);
  if (!isFailing || name.startsWith('check')) await act?.(page);
  await page.waitForTimeout(300);
  // The window becomes as high as the page, so that nothing that sticks to it ends in the middle.
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height });
  await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`) });
  await page.context().close();
}

async function signInByLink(page: Page): Promise<void> {
  const { url } = dashboard.served;
  const headers = { authorization: `Bearer ${operatorTokenOf(url)}` };
  const answer = await fetch(`${url}/api/v1/auth/sign-in-links`, { method: 'POST', headers });
  const link = new URL(((await answer.json()) as { url: string }).url);
  await page.goto(url + link.pathname + link.hash);
  await page.waitForURL(({ pathname }) => !pathname.endsWith('/sign-in'));
}

/** The server is up, and cannot answer: everything but the session gets 503. */
async function failEveryRequest(page: Page): Promise<void> {
  await page.route(
    (url) => url.pathname.startsWith('/api/v1/') && url.pathname !== '/api/v1/auth/session',
    (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          type: 'urn:misstep:problem:unavailable',
          title: 'Not available',
          status: 503,
          detail: 'The server is starting.',
          instance: new URL(route.request().url()).pathname,
          code: 'unavailable',
          request_id: '582292c3-4834-4179-8e24-0430049adcdc',
          errors: [],
        }),
      }),
  );
}
