import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { WebVisit } from '../support/web-visit.ts';

const TEN_MINUTES = 600_000;
const visit = new WebVisit();

describe.skipIf(!hasBrowser)('sign-in link in a browser', () => {
  beforeAll(() => visit.start(), 120_000);
  afterAll(() => visit.close());
  afterEach(async () => expect(await visit.closePages()).toEqual([]));

  async function openLink(ageMs: number) {
    const { tenantId, apiKey } = await visit.http.newTenant();
    const path = `/api/v1/tenants/${tenantId}/sign-in-links`;
    const { json } = await visit.http.send({ method: 'POST', path, credential: apiKey });
    visit.http.clock.advance(ageMs);
    const { pathname, hash } = new URL(json.url);
    const page = await visit.browser.newPage({ baseURL: visit.http.url });
    await page.goto(pathname + hash);
    return page;
  }

  it('an expired link shows an error and the form for a key', async () => {
    const page = await openLink(TEN_MINUTES);
    await page.getByRole('alert').getByText('expired').waitFor();
    await page.getByLabel('API key').waitFor();
  });

  it('a valid link signs in until it expires', async () => {
    const page = await openLink(TEN_MINUTES - 1_000);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  });
});
