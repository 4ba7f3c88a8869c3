import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { loopingBody } from '../support/looping-run.ts';
import { expectAccessible, HOSTILE_NAME, SHOWN_HOSTILE_NAME, WebVisit } from '../support/web-visit.ts';

const visit = new WebVisit();
const { traceId, body } = loopingBody(1);
const FILE = Buffer.from(`${body}\nthis is no JSON\n`);

describe.skipIf(!hasBrowser)('imports view in a browser', { timeout: 120_000 }, () => {
  beforeAll(() => visit.start(), 120_000);
  afterAll(() => visit.close());
  afterEach(async () => expect(await visit.closePages()).toEqual([]));

  async function importedTenant(file_name: string) {
    const tenant = await visit.http.newTenant();
    const sent = await visit.http.send({
      path: `/api/v1/import-jobs?file_name=${encodeURIComponent(file_name)}`,
      credential: tenant.apiKey,
      headers: { 'content-type': 'application/x-ndjson' },
      body: FILE,
    });
    await visit.http.services.imports.runDue(10);
    await visit.http.services.analysis.runAllNow(tenant.tenantId);
    return { tenant, id: sent.json.import_job_id as string };
  }

  it('uploads a file, and shows its progress, rejected lines and detections', async () => {
    const tenant = await visit.http.newTenant();
    const page = await visit.open('/ui/imports', tenant);
    await page.getByText('Nothing has been imported').waitFor();
    expect(await page.getByRole('button', { name: 'Import', exact: true }).isEnabled()).toBe(false);
    await page.getByLabel(/^Files of traces/).setInputFiles({ name: 'runs.ndjson', mimeType: '', buffer: FILE });
    expect(await page.getByRole('listitem', { name: 'runs.ndjson' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const item = page.getByRole('listitem', { name: 'runs.ndjson' });
    await item.getByText('waiting').waitFor();
    expect(await item.getByRole('progressbar').count()).toBe(1);
    await visit.http.services.imports.runDue(10);
    await item.getByText('done, some records were rejected').waitFor();
    expect(await item.getByRole('progressbar').count()).toBe(0);
    await item
      .getByRole('region', { name: 'Refused' })
      .getByText(/^Line 2: /)
      .waitFor();
    await item.getByRole('link', { name: traceId }).waitFor();
    await visit.http.services.analysis.runAllNow(tenant.tenantId);
    const detection = item.getByRole('region', { name: 'Traces' }).locator('ul ul').getByRole('link').first();
    await detection.waitFor();
    await detection.click();
    await page.waitForURL(new RegExp(`/ui/traces/${traceId}\\?finding=`));
  });

  it('shows the counts of an import and the reasons of its rejected records in the list', async () => {
    const { tenant } = await importedTenant('runs.ndjson');
    const page = await visit.open('/ui/imports', tenant);
    const item = page.getByRole('listitem', { name: 'runs.ndjson' });
    await item.getByText(/1 trace · 25 spans/).waitFor();
    await item
      .getByRole('list', { name: 'Rejected records' })
      .getByText(/^Line 2: /)
      .waitFor();
  });

  it('cancels a queued import, and removes it from the list', async () => {
    const page = await visit.open('/ui/imports', await visit.http.newTenant());
    await page
      .getByLabel(/^Files of traces/)
      .setInputFiles({ name: 'a.json', mimeType: '', buffer: Buffer.from(body) });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel import: a.json' }).click();
    await page.getByRole('listitem', { name: 'a.json' }).getByText('cancelled').waitFor();
    await page.getByRole('button', { name: 'Remove import, keep traces: a.json' }).click();
    await page.getByText('Nothing has been imported').waitFor();
  });

  it('escapes file names, and has no upload or remove button for a read-only key', async () => {
    const { tenant } = await importedTenant(HOSTILE_NAME);
    const page = await visit.open('/ui/imports', tenant, { scopes: ['read'] });
    await page.getByRole('heading', { name: SHOWN_HOSTILE_NAME }).waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.getByRole('main').locator('button, input').count()).toBe(0);
  });

  it('lets an operator sign in as the chosen tenant first', async () => {
    const { tenant } = await importedTenant('theirs.ndjson');
    const page = await visit.openAsOperator('/ui/imports');
    await page.getByText('Select a tenant first').waitFor();
    await page.getByLabel('Tenant').selectOption(tenant.tenantId);
    await page.getByRole('button', { name: 'Sign in as this tenant' }).click();
    await page.getByRole('listitem', { name: 'theirs.ndjson' }).waitFor();
  });

  it('has no accessibility violations', async () => {
    const { tenant, id } = await importedTenant('runs.ndjson');
    const page = await visit.open(`/ui/imports?job=${id}`, tenant);
    await page.getByRole('region', { name: 'Refused' }).waitFor();
    await expectAccessible(page);
  });
});
