import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listPictures, openPicture, type Picture } from '../../scripts/screenshots/pictures.ts';
import { axeViolations, COLOUR_RULES } from '../support/axe-violations.ts';
import { hasBrowser } from '../support/browser.ts';
import { Dashboard } from '../support/dashboard.ts';
import { longTrace } from '../support/long-trace.ts';
import { isBuilt } from '../support/served.ts';
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const MAX_NODES = 1_500;
const LONG_STEPS = 50_000;
/** Waits for animations, except endless ones such as the placeholder of a loading view. */
const WAIT_FOR_TRANSITIONS = `Promise.all(
  document
    .getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished),
)`;

const dashboard = new Dashboard();
let receiver: WebhookReceiver;
let pictures: Picture[];

/** Faults of a view in the light and the dark theme; empty if there are none. */
async function findFaults(picture: Picture): Promise<string[]> {
  const { page, problems, requestedUrls } = await openPicture(dashboard, picture, {
    viewport: { width: 1440, height: 900 },
  });
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Colours change gradually: contrast is measured when they are final.
    await page.evaluate(WAIT_FOR_TRANSITIONS);
    const rules = colorScheme === 'light' ? undefined : COLOUR_RULES;
    faults.push(...(await axeViolations(page, rules)).map((fault) => `${colorScheme}: ${fault}`));
  }
  const nodes = await page.evaluate<number>('document.querySelectorAll("*").length');
  if (nodes > MAX_NODES) faults.push(`${nodes} nodes`);
  faults.push(...problems.filter((text) => !/^\w+: Failed to load resource/.test(text)));
  faults.push(
    ...requestedUrls.filter((address) => !address.startsWith(dashboard.served.url) && !/^(data|blob):/.test(address)),
  );
  await page.context().close();
  return faults.map((fault) => `${picture.name}: ${fault}`);
}

async function sendLongTrace(): Promise<string> {
  const { traceId, bodies } = longTrace({ spans: LONG_STEPS, startMs: Date.now() - 7_200_000, textLength: 60 });
  for (const body of bodies) {
    const response = await fetch(`${dashboard.served.url}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-svc-api-key': dashboard.desk.apiKey },
      body,
    });
    if (response.status !== 200) throw new Error(`sending: ${response.status} ${await response.text()}`);
  }
  return traceId;
}

describe.skipIf(!isBuilt || !hasBrowser)(
  'every view of the executable with the demo data (needs dist/misstep and chromium)',
  { timeout: 600_000 },
  () => {
    beforeAll(async () => {
      receiver = await startReceiver();
      await dashboard.start('--allow-private-webhooks', '127.0.0.0/8', '--allow-private-platforms', '127.0.0.0/8');
      pictures = await listPictures(dashboard, `${receiver.url}/hook`);
    }, 240_000);
    afterAll(async () => {
      await dashboard.stop();
      await receiver?.close();
    });

    it.each(['full', 'empty', 'failing'])(
      'has no accessibility violations, no CSP reports and few nodes, and sends requests to no other host: %s',
      async (state) => {
        const stateOf = ({ name }: Picture) => /-(empty|failing)$/.exec(name)?.[1] ?? 'full';
        const faults: string[] = [];
        for (const picture of pictures.filter((candidate) => stateOf(candidate) === state))
          faults.push(...(await findFaults(picture)));
        expect(faults).toEqual([]);
      },
    );

    it('opens a trace of 50,000 spans at its first step, and scrolls to its last', async () => {
      const traceId = await sendLongTrace();
      const { page, problems } = await dashboard.open(`/ui/traces/${traceId}`, dashboard.desk.apiKey);
      page.setDefaultTimeout(120_000);
      const grid = page.getByRole('treegrid', { name: '50,000 steps of the run' });
      await grid.focus();
      await page.keyboard.press('End');
      await grid.locator(`[aria-rowindex="${await grid.getAttribute('aria-rowcount')}"]`).waitFor();
      expect(await page.evaluate<number>('document.querySelectorAll("*").length')).toBeLessThanOrEqual(MAX_NODES);
      expect(problems).toEqual([]);
    });
  },
);
