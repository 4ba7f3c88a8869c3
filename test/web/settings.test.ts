import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { N8N } from '../../src/features/n8n/n8n.services.ts';
import { hasBrowser } from '../support/browser.ts';
import { N8N_KEY, n8nExecution, startN8nServer } from '../support/n8n-server.ts';
import { expectAccessible, HOSTILE_NAME, SHOWN_HOSTILE_NAME, WebVisit } from '../support/web-visit.ts';

const visit = new WebVisit();

describe.skipIf(!hasBrowser)('settings view in a browser', { timeout: 120_000 }, () => {
  beforeAll(() => visit.start(), 120_000);
  afterAll(() => visit.close());
  afterEach(async () => expect(await visit.closePages()).toEqual([]));

  const isValid = async (credential: string) =>
    (await visit.http.send({ path: '/api/v1/auth/session', credential })).status === 200;

  it('creates an API key, shows its secret once, rotates and revokes it', async () => {
    const page = await visit.open('/ui/settings', await visit.http.newTenant());
    const rows = page.getByRole('region', { name: 'API keys' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Enter a name.').waitFor();
    await page.getByLabel('Name of the new key').fill('ci');
    await page.getByLabel('read: read everything').check();
    await page.getByLabel('Expires').selectOption({ label: 'in 30 days' });
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'API key ci' });
    const first = await dialog.locator('code').innerText();
    expect(await isValid(first)).toBe(true);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => page.getByText(first).count()).toBe(0);
    const row = rows.filter({ hasText: 'ci' });
    expect(await row.innerText()).toMatch(/ingest, read\s+send traces; read everything [^\n]+\s+active\s+\w{3} \d/);

    await page.getByRole('button', { name: 'Rotate ci' }).click();
    await page.getByRole('button', { name: 'Rotate key' }).click();
    const second = await dialog.locator('code').innerText();
    expect([await isValid(first), await isValid(second)]).toEqual([false, true]);
    await dialog.getByRole('button', { name: 'Close' }).click();

    await page.getByRole('button', { name: 'Revoke ci' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await row.getByText('revoked').waitFor();
    expect(await isValid(second)).toBe(false);
    expect(await row.getByRole('button').count()).toBe(0);
  });

  it('marks the key of the session, keeps it signed in on rotation, and warns that revoking it signs out', async () => {
    const tenant = await visit.http.newTenant();
    await visit.http.newKey(tenant.tenantId, ['read']);
    const page = await visit.open('/ui/settings/keys', tenant);
    const rows = page.getByRole('region', { name: 'API keys' }).locator('tbody tr');
    const own = rows.filter({ hasText: 'you are signed in with this key' });
    await own.waitFor();
    expect([await rows.count(), await own.count()]).toEqual([2, 1]);

    await own.getByRole('button', { name: /^Rotate/ }).click();
    await page.getByText('signed in again with the new secret').waitFor();
    await page.getByRole('button', { name: 'Rotate key' }).click();
    const secret = page.getByRole('dialog', { name: /^API key/ });
    expect(await isValid(await secret.locator('code').innerText())).toBe(true);
    await secret.getByRole('button', { name: 'Close' }).click();
    await page.reload();
    await own.waitFor();

    const other = rows.filter({ hasNotText: 'you are signed in' });
    await other.getByRole('button', { name: /^Revoke/ }).click();
    expect(await page.getByRole('dialog').innerText()).not.toContain('signs you out');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await own.getByRole('button', { name: /^Revoke/ }).click();
    await page.getByText('revoking it signs you out').waitFor();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  });

  it('escapes the names of keys', async () => {
    const tenant = await visit.http.newTenant();
    await visit.http.services.apiKeys.create(tenant.tenantId, {
      name: HOSTILE_NAME,
      scopes: ['read'],
      expiresAt: null,
    });
    const page = await visit.open('/ui/settings/keys', tenant);
    await page.getByText(SHOWN_HOSTILE_NAME, { exact: true }).waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });

  it('sets the retention to days, to unlimited, and back to the default of the server', async () => {
    const page = await visit.open('/ui/settings/retention', await visit.http.newTenant());
    const save = page.getByRole('button', { name: 'Save' });
    await page.getByLabel('after a number of days').check();
    await page.getByLabel('Days', { exact: true }).fill('0');
    await save.click();
    await page.getByText('Enter a whole number of days').waitFor();
    await page.getByLabel('Days', { exact: true }).fill('7');
    await save.click();
    await page.getByText('Traces are deleted after 7 days.').waitFor();
    await page.getByLabel('never').check();
    await save.click();
    await page.getByText('Traces are never deleted.').waitFor();
    await page.getByLabel('as this server is configured').check();
    await save.click();
    await page.getByText(/, as this server is configured\./).waitFor();
  });

  it('shows the audit log with its actors, and filters it by action', async () => {
    const page = await visit.open('/ui/settings/retention', await visit.http.newTenant());
    await page.getByLabel('never').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The retention is saved.').waitFor();
    await page.getByRole('link', { name: 'Audit log' }).click();
    const row = page
      .getByRole('region', { name: 'Audit log' })
      .locator('tbody tr')
      .filter({ hasText: 'retention.set' });
    await row.getByText('Changed the retention', { exact: true }).waitFor();
    expect(await row.getByRole('rowheader').innerText()).toMatch(/\d:\d\d:\d\d/);
    await page.getByLabel('Action').selectOption('Created an API key');
    await page.getByText('No change fits the filter').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await row.waitFor();
    expect(await page.getByLabel('Action').inputValue()).toBe('');
  });

  it('names API keys in the audit log, and pages through it', async () => {
    const tenant = await visit.http.newTenant();
    for (let index = 0; index < 101; index += 1)
      await visit.http.send({
        method: 'PUT',
        path: `/api/v1/tenants/${tenant.tenantId}/settings/retention`,
        credential: tenant.apiKey,
        body: { retention_days: 10 + index },
      });
    const page = await visit.open('/ui/settings/audit', tenant);
    const rows = page.getByRole('region', { name: 'Audit log' }).locator('tbody tr');
    await rows.nth(99).waitFor();
    const { items } = (
      await visit.http.send({
        path: `/api/v1/tenants/${tenant.tenantId}/api-keys`,
        credential: tenant.apiKey,
      })
    ).json as { items: { key_id: string; name: string }[] };
    const actor = rows.getByTitle(items[0]!.key_id, { exact: true }).first();
    await actor.waitFor();
    expect(await actor.innerText()).toBe(items[0]!.name);
    await page.getByRole('button', { name: 'Older changes' }).click();
    const isShorterPage = (count: number) => count > 0 && count < 100;
    await expect.poll(async () => isShorterPage(await rows.count())).toBe(true);
    await page.getByRole('button', { name: 'Newer changes' }).click();
    await rows.nth(99).waitFor();
    expect(await page.getByRole('button', { name: 'Newer changes' }).isDisabled()).toBe(true);
  });

  it('adds an integration, shows its webhook once, and removes it', async () => {
    const page = await visit.open('/ui/settings/integrations', await visit.http.newTenant());
    const added = page.getByRole('form', { name: 'Add an integration' });
    await page.getByRole('button', { name: 'Add integration' }).click();
    await expect.poll(() => added.getByText('This field is required.').count()).toBe(2);
    await added.getByLabel('Name').fill(HOSTILE_NAME);
    await added.getByLabel('URL').fill('127.0.0.1');
    await added.getByText('Enter an address that begins with http:// or https://.').waitFor();
    await expectAccessible(page);
    await added.getByLabel('URL').fill('http://127.0.0.1:5678');
    await page.getByRole('button', { name: 'Add integration' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('/api/v1/flowplatform/webhook/').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    const rows = page.getByRole('region', { name: 'Integrations' }).locator('tbody tr');
    await rows.getByText(SHOWN_HOSTILE_NAME).waitFor();
    expect(await page.locator('img').count()).toBe(0);
    await rows.getByRole('button', { name: /^Remove/ }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No platform is registered').waitFor();
  });

  it('tests the connection of an integration, replaces its key and fetches its runs', async () => {
    const n8n = await startN8nServer();
    n8n.executions = [n8nExecution(1), n8nExecution(2)];
    const page = await visit.open('/ui/settings/integrations', await visit.http.newTenant());
    const added = page.getByRole('form', { name: 'Add an integration' });
    await added.getByLabel('Name').fill('home');
    await added.getByLabel('URL').fill(n8n.url);
    await added.getByLabel('API key').fill('wrong');
    await page.getByRole('button', { name: 'Add integration' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Test connection of home' }).click();
    await page.getByText('home is not connected: n8n refuses the API key (401').waitFor();

    await page.getByRole('button', { name: 'Edit home' }).click();
    expect(await dialog.getByLabel('API key', { exact: true }).inputValue()).toBe('');
    await dialog.getByLabel('API key', { exact: true }).fill(N8N_KEY);
    await dialog.getByLabel('Fetch runs every').fill('often');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Enter a whole number from 1 to 10,080.').waitFor();
    await dialog.getByLabel('Fetch runs every').fill('15');
    await dialog.getByLabel('Name').fill('x'.repeat(1_000));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('home could not be changed').waitFor();
    await dialog.getByLabel('Name').fill('home');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('home is changed.').waitFor();
    await page.getByRole('button', { name: 'Test connection of home' }).click();
    await page.getByText('home answers, and accepts the credentials.').waitFor();

    await page.getByRole('button', { name: 'Fetch runs of home' }).click();
    // The server has accepted the request: without it, no sync run is due.
    await page.getByText('Runs of home are fetched in the background.').waitFor();
    await visit.http.services.platforms.of(N8N).sync.runDue(10);
    const row = page.getByRole('region', { name: 'Integrations' }).locator('tbody tr');
    await row.getByText('2 new at').waitFor();
    expect(await row.innerText()).toContain('API key');
    expect(await page.locator('body').innerText()).not.toContain(N8N_KEY);
    await expectAccessible(page);
    await n8n.close();
  });

  it('adds a Dify app to a registered instance', async () => {
    const page = await visit.open('/ui/settings/integrations', await visit.http.newTenant());
    const added = page.getByRole('form', { name: 'Add an integration' });
    const dialog = page.getByRole('dialog');
    await added.getByLabel('Platform').selectOption({ label: 'Dify instance' });
    await added.getByLabel('Name').fill('own cloud');
    await added.getByLabel('URL').fill('http://127.0.0.1:8080');
    await page.getByRole('button', { name: 'Add integration' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await added.getByLabel('Platform').selectOption({ label: 'Dify app' });
    await added.getByLabel(/^Dify instance/).selectOption({ label: 'own cloud' });
    await added.getByLabel('Name').fill('support bot');
    await page.getByRole('button', { name: 'Add integration' }).click();
    await dialog.getByText('/api/v1/llmapps/webhook/').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('region', { name: 'Integrations' }).getByText('support bot', { exact: true }).waitFor();
  });

  it('shows that the server has no model for the judge', async () => {
    const page = await visit.open('/ui/settings/judge', await visit.http.newTenant());
    await page.getByText('This server has no model configured.').waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
  });

  it('lets an operator create, open and delete a tenant, and see its keys', async () => {
    const page = await visit.openAsOperator('/ui/settings/tenants');
    await page.getByLabel('Name of the new tenant').fill(HOSTILE_NAME);
    await page.getByRole('button', { name: 'Create tenant' }).click();
    const dialog = page.getByRole('dialog');
    expect(await isValid(await dialog.locator('code').innerText())).toBe(true);
    await dialog.getByRole('button', { name: 'Close' }).click();
    const row = page
      .getByRole('region', { name: 'Tenants' })
      .locator('tbody tr')
      .filter({ hasText: SHOWN_HOSTILE_NAME });
    await row.getByRole('button', { name: /^Open/ }).click();
    await page.waitForURL(/\/ui\/(start|issues)/);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('region', { name: 'API keys' }).locator('tbody tr').first().waitFor();
    await page.getByRole('link', { name: 'Tenants' }).click();
    await row.getByRole('button', { name: /^Delete/ }).click();
    await dialog.getByRole('button', { name: 'Delete tenant' }).click();
    await expect.poll(() => row.count()).toBe(0);
    await expectAccessible(page);
  });

  it('hides keys and retention from a key without the scope admin', async () => {
    const page = await visit.open('/ui/settings', await visit.http.newTenant(), { scopes: ['read'] });
    await page.getByRole('heading', { name: 'Settings: Retention' }).waitFor();
    await page.getByText(/^Traces are /).waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    await page.goto('/ui/settings/keys');
    await page.getByText('These settings cannot be shown').waitFor();
    expect(await page.getByRole('navigation', { name: 'Settings' }).getByText('API keys').count()).toBe(0);
  });

  it.each(['keys', 'retention', 'integrations', 'judge', 'audit', 'nothing'])(
    'has no accessibility violations: %s',
    async (what) => {
      await expectAccessible(await visit.open(`/ui/settings/${what}`, await visit.http.newTenant()));
    },
  );
});

describe.skipIf(!hasBrowser)('judge settings of a server with a model, in a browser', { timeout: 120_000 }, () => {
  const judged = new WebVisit();
  const endpoint = { provider: 'openai', model: 'judge-1', url: 'http://127.0.0.1:9/v1', apiKey: null } as const;
  beforeAll(
    () =>
      judged.start({
        judge: {
          endpoint: { ...endpoint, maxTokens: 500, timeoutMs: 1_000 },
          budget: { calls: 40, tokens: 100_000 },
        },
      }),
    120_000,
  );
  afterAll(() => judged.close());
  afterEach(async () => expect(await judged.closePages()).toEqual([]));

  it('switch the judge on and off, and lower and reset its budget', async () => {
    const page = await judged.open('/ui/settings/judge', await judged.http.newTenant());
    const facts = page.locator('dl');
    await facts.getByText('judge-1').waitFor();
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByText('The judge is on.').waitFor();
    await page.getByRole('button', { name: 'Switch off' }).waitFor();
    await page.getByLabel('Questions a day').fill('5');
    await page.getByRole('button', { name: 'Save budget' }).click();
    await facts.getByText('0 of 5 questions').waitFor();
    await page.getByLabel('Questions a day').fill('some');
    await page.getByRole('button', { name: 'Save budget' }).click();
    await page.getByText('Enter a whole number.').waitFor();
    await page.getByLabel('Questions a day').fill('');
    await page.getByRole('button', { name: 'Save budget' }).click();
    await facts.getByText('0 of 40 questions').waitFor();
    await expectAccessible(page);
  });
});
