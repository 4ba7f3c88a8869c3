import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Dashboard, WatchedPage } from '../../test/support/dashboard.ts';
import { createTenant, operatorTokenOf } from '../../test/support/served.ts';
import { fillTenant } from './filled-tenant.ts';
import { type State, UNKNOWN_ADDRESS, VIEWS, type View } from './views.ts';

/** One view in one state. */
export interface Picture {
  name: string;
  path: string;
  /** Null for a reader who is not signed in, and for the operator, who signs in by a link. */
  key: string | null;
  isOperator: boolean;
  isFailing: boolean;
  act: View['act'];
}

/** Fills the tenant of the dashboard, and lists every view in every state. @param alertUrl a webhook on this machine */
export async function listPictures(dashboard: Dashboard, alertUrl: string): Promise<Picture[]> {
  const { served, desk } = dashboard;
  const ids = await fillTenant(dashboard, alertUrl);
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
  return [...pictures, { name: 'unknown', ...unknown }];
}

/** Time for requests of the view and for transitions: the page keeps a stream open, so that the network is never idle. */
const SETTLE_MS = 300;

/** Opens the view in a new context and performs its action. */
export async function openPicture(
  dashboard: Dashboard,
  picture: Picture,
  options: BrowserContextOptions,
): Promise<WatchedPage> {
  const { name, path, key, isOperator, isFailing, act } = picture;
  const prepare = async (page: Page) => {
    if (isOperator) await signInByLink(dashboard.served.url, page);
    if (isFailing) await failEveryRequest(page);
  };
  const watched = await dashboard.open(path, key, options, prepare);
  await watched.page.locator('h1').first().waitFor({ state: 'attached' });
  await settled(watched.page, isFailing);
  if (act !== undefined && (!isFailing || name.startsWith('check'))) {
    await act(watched.page);
    await settled(watched.page, isFailing);
  }
  return watched;
}

/** A failing view may keep its placeholder while it retries. */
async function settled(page: Page, isFailing: boolean): Promise<void> {
  await page.waitForTimeout(SETTLE_MS);
  if (!isFailing) await page.locator('output[aria-label="Loading"]').first().waitFor({ state: 'detached' });
}

async function signInByLink(url: string, page: Page): Promise<void> {
  const headers = { authorization: `Bearer ${operatorTokenOf(url)}` };
  const response = await fetch(`${url}/api/v1/auth/sign-in-links`, { method: 'POST', headers });
  const link = new URL(((await response.json()) as { url: string }).url);
  await page.goto(url + link.pathname + link.hash);
  await page.waitForURL(({ pathname }) => !pathname.endsWith('/sign-in'));
}

/** Simulates a server that is not ready: every request except the session gets 503. */
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
