import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { expectAccessible, WebVisit } from '../support/web-visit.ts';

const visit = new WebVisit();

describe.skipIf(!hasBrowser)('the view Set up in a browser', { timeout: 120_000 }, () => {
  beforeAll(() => visit.start(), 120_000);
  afterAll(() => visit.close());
  afterEach(async () => expect(await visit.closePages()).toEqual([]));

  it.each([
    ['otlp', 320],
    ['otlp', 768],
    ['coding-agents', 320],
    ['coding-agents', 768],
  ])('shows each line of %s on one line at %i px, with the button that copies them', async (kind, width) => {
    const page = await visit.open(`/ui/start?for=${kind}`, await visit.http.newTenant(), {
      viewport: { width, height: 900 },
    });
    const lines = page.locator('pre');
    const count = (await lines.innerText()).split('\n').length;
    const lineHeight = await page.evaluate<number>(
      'parseFloat(getComputedStyle(document.querySelector("pre")).lineHeight)',
    );
    expect((await lines.boundingBox())!.height).toBe(count * lineHeight);
    const copy = (await page.getByRole('button', { name: 'Copy' }).boundingBox())!;
    expect(copy.x + copy.width).toBeLessThan(width);
  });

  it('has no accessibility violations', async () => {
    await expectAccessible(await visit.open('/ui/start', await visit.http.newTenant()));
  });
});
