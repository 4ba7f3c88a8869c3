import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { demoSpans } from '../../src/features/demo/demo-spans.ts';
import { hasBrowser } from '../support/browser.ts';
import { toRequest } from '../support/store-app.ts';
import { expectAccessible, HOSTILE_NAME, WebVisit } from '../support/web-visit.ts';
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const visit = new WebVisit();
let receiver: WebhookReceiver;

describe.skipIf(!hasBrowser)('alerts view in a browser', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    receiver = await startReceiver();
    await visit.start({ alerts: { smtp: null, allowPrivateWebhooks: ['127.0.0.0/8'] } });
  }, 120_000);
  afterAll(async () => {
    await visit.close();
    await receiver.close();
  });
  afterEach(async () => expect(await visit.closePages()).toEqual([]));

  /** A tenant with an enabled Slack channel. */
  async function alertedTenant() {
    const tenant = await visit.http.newTenant();
    await visit.http.services.alerts.changePreferences(tenant.tenantId, {
      channels: { team_chat: { enabled: true, webhook_url: `${receiver.url}/hook` } },
      per_detector: { loop: { min_severity: 'info' } },
    });
    return tenant;
  }

  it('adds a channel, shows that the receiver refuses the test message, and removes the channel', async () => {
    const page = await visit.open('/ui/alerts', await visit.http.newTenant());
    const webhook = page.getByRole('form', { name: 'Webhook', exact: true });
    await page.getByText('Switch a channel on to test it.').waitFor();
    await webhook.getByLabel('URL').fill(`${receiver.url}/hook`);
    expect(await webhook.getByLabel('Webhook on').isChecked()).toBe(true);
    await webhook.getByRole('button', { name: 'Save Webhook' }).click();
    const secret = page.getByRole('dialog', { name: 'The webhook is signed' });
    expect(await secret.locator('code').innerText()).toMatch(/^whsec_/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.mouse.click(4, 4);
    expect(await secret.isVisible()).toBe(true);
    await secret.getByRole('button', { name: 'Close' }).click();

    const test = page.getByRole('button', { name: 'Send a test' });
    const result = page.getByRole('status', { name: 'Result of the test' });
    await test.click();
    await result.getByText('Webhook: delivered').waitFor();
    expect(receiver.posts).toHaveLength(1);
    receiver.responses.push({ status: 400, body: HOSTILE_NAME });
    await test.click();
    await result.getByText('not delivered. The receiver answered 400').waitFor();
    expect(await page.locator('img').count()).toBe(0);

    await webhook.getByRole('button', { name: 'Remove Webhook' }).click();
    await expect.poll(() => webhook.getByLabel('URL').inputValue()).toBe('');
    await webhook.getByText('off', { exact: true }).waitFor();
  });

  it.each([
    ['ftp://files.example', 'It must begin with https:// or http://.'],
    [
      'http://10.0.0.7/hook',
      'It points to 10.0.0.7, which is not a public address; the operator of the server can allow it with `misstep serve --allow-private-webhooks 10.0.0.7`.',
    ],
  ])('shows at its field why the webhook address %s is not allowed', async (url, reason) => {
    const page = await visit.open('/ui/alerts', await visit.http.newTenant());
    const chat = page.getByRole('form', { name: 'Slack' });
    const field = chat.getByLabel('Webhook URL');
    await field.fill(url);
    await chat.getByRole('button', { name: 'Save Slack' }).click();
    await chat.getByRole('alert').getByText(reason, { exact: true }).waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await field.inputValue()).toBe(url);
    expect(await chat.locator('input[aria-invalid]:focus').count()).toBe(1);
    expect(await page.getByText('/channels/').count()).toBe(0);
    await expectAccessible(page);
    await field.fill('');
    await expect.poll(() => chat.getByRole('alert').count()).toBe(0);
  });

  it('changes the rules, and adds, edits and removes a rule for one detector', async () => {
    const tenant = await visit.http.newTenant();
    const page = await visit.open('/ui/alerts', tenant);
    const stored = () => visit.http.services.alerts.preferences(tenant.tenantId);
    await page.getByLabel('Minimum severity').selectOption('critical');
    await page.getByLabel('Hold alerts in quiet hours').check();
    await page.getByLabel('Time zone').fill('Europe/Vienna');
    await page.getByLabel('Send many waiting alerts as one message').check();
    await page.getByLabel('More than').fill('few');
    await page.getByRole('button', { name: 'Save rules' }).click();
    await page.getByText('Enter a whole number of 1 or more.').waitFor();
    await page.getByLabel('More than').fill('7');
    await page.getByText('Alerts wait only in quiet hours. When more than 7 alerts are waiting').waitFor();
    await page.getByRole('button', { name: 'Save rules' }).click();
    await page.getByText('The rules are saved.').waitFor();
    expect(await stored()).toMatchObject({
      min_severity: 'critical',
      quiet_hours: { enabled: true, timezone: 'Europe/Vienna' },
      digest: { enabled: true, more_than: 7 },
    });
    const added = page.getByRole('form', { name: 'New rule' });
    await added.getByLabel('Detector').selectOption('loop');
    await added.getByLabel('Alerts at').selectOption('info');
    await added.getByRole('button', { name: 'Add rule' }).click();
    const rule = page.getByRole('list', { name: 'Rules for single detectors' }).getByRole('listitem');
    await rule.getByRole('combobox').selectOption('warning');
    await expect.poll(stored).toMatchObject({ per_detector: { loop: { min_severity: 'warning' } } });
    await rule.getByRole('button', { name: /^Remove the rule for/ }).click();
    await expect.poll(() => rule.count()).toBe(0);
    expect((await stored()).per_detector).toEqual({});
  });

  it('lists alerts with their deliveries and links to the trace', async () => {
    const tenant = await alertedTenant();
    receiver.responses.push({ status: 400, body: HOSTILE_NAME });
    for (const spans of demoSpans(visit.http.clock.now()))
      await visit.http.services.ingest.ingest(tenant.tenantId, toRequest(spans));
    await visit.http.services.analysis.runAllNow(tenant.tenantId);
    while ((await visit.http.services.alerts.runDue(200)) > 0);
    const page = await visit.open('/ui/alerts', tenant);
    const rows = page.getByRole('region', { name: 'Alerts' }).locator('tbody tr');
    await rows.first().waitFor();
    await rows.getByText('Slack: failed. The receiver answered 400.').first().waitFor();
    await rows.getByText('Slack: delivered').first().waitFor();
    const { items } = await visit.http.services.alerts.list(
      tenant.tenantId,
      { state: null, issueId: null },
      { page: 1, pageSize: 50, cursor: null },
    );
    expect(items.filter(({ agent }) => agent !== null).length).toBeGreaterThan(0);
    const agents = await rows.locator('[data-title="Agent"]').allTextContents();
    expect(agents).toEqual(items.map(({ agent }) => agent ?? '–'));
    await page.getByRole('link', { name: 'not sent' }).click();
    await page.waitForURL(/state=dropped/);
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await rows.first().getByRole('link').first().click();
    await page.waitForURL(/\/ui\/traces\/[0-9a-f]{32}\?finding=/);
  });

  it('shows channels, rules and history without buttons for a read-only key', async () => {
    const page = await visit.open('/ui/alerts', await alertedTenant(), { scopes: ['read'] });
    await page.getByText('Detections of severity warning and above are sent.').waitFor();
    await page.getByText(/: info and above/).waitFor();
    const main = page.getByRole('main');
    expect(await main.getByRole('button').count()).toBe(0);
    expect(await main.locator('input, select').count()).toBe(0);
  });

  it('has no accessibility violations', async () => {
    const page = await visit.open('/ui/alerts', await alertedTenant());
    await page.getByLabel('Hold alerts in quiet hours').check();
    await expectAccessible(page);
  });
});
