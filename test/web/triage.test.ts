import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { hasBrowser, startBrowser } from '../support/browser.ts';
import { type HttpFixture, startHttpApp, type Tenant } from '../support/http-app.ts';
import { loopingRun } from '../support/looping-run.ts';
import { type OpenWeb, openWeb } from '../support/open-web.ts';
import { toRequest } from '../support/store-app.ts';
import { storeDetection } from '../support/stored-detection.ts';
import { bundledWebFiles } from '../support/web-bundle.ts';

let http: HttpFixture;
let browser: Browser;
let tenant: Tenant;
let opened: OpenWeb | null = null;

beforeAll(async () => {
  if (!hasBrowser) return;
  const files = await bundledWebFiles();
  [http, browser] = await Promise.all([startHttpApp({}, {}, { readWebFiles: () => files }), startBrowser()]);
}, 120_000);
beforeEach(async () => {
  if (!hasBrowser) return;
  tenant = await http.newTenant();
  await ingestRun(1);
});
afterEach(async () => {
  await opened?.page.context().close();
  expect(opened?.problems ?? []).toEqual([]);
  opened = null;
});
afterAll(async () => {
  await browser?.close();
  await http?.close();
});

async function open(path: string, credentials: Tenant = tenant): Promise<Page> {
  opened = await openWeb(browser, http, credentials);
  await opened.page.goto(path);
  return opened.page;
}

/** Ingests and analyzes a run with the same fault. */
async function ingestRun(traceNumber: number, service?: string): Promise<void> {
  await http.services.ingest.ingest(tenant.tenantId, toRequest(loopingRun(traceNumber, undefined, service)));
  await http.services.analysis.runAllNow(tenant.tenantId);
}

const read = async (path: string) =>
  (await http.send({ path: `/api/v1/tenants/${tenant.tenantId}${path}`, credential: tenant.apiKey })).json;
const firstDetection = async () => (await read('/detections')).items[0];
const validation = async () => (await firstDetection()).validation?.is_valid ?? null;
const eventually: typeof expect.poll = (getValue) => expect.poll(getValue, { timeout: 60_000 });
const pressed = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).getAttribute('aria-pressed');

describe.skipIf(!hasBrowser)('inbox in a browser', () => {
  it('submits feedback on the example with one key, can undo it for 8 s, and shows it on the trace page', async () => {
    await ingestRun(2);
    const page = await open('/ui/issues');
    await page.getByText('Run 1 of 2').waitFor();
    await page.keyboard.press('n');
    await page.getByText('Marked wrong', { exact: true }).first().waitFor();
    await eventually(validation).toBe(false);
    expect(await pressed(page, 'Wrong')).toBe('true');
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(validation).toBeNull();
    await eventually(() => pressed(page, 'Wrong')).toBe('false');
    await page.keyboard.press('y');
    await eventually(validation).toBe(true);
    await page.getByRole('link', { name: 'Open the trace at this step' }).click();
    await page
      .getByRole('complementary', { name: 'Detections' })
      .getByRole('button', { name: 'Right', pressed: true })
      .waitFor();
  });

  it('names the workflow and service of an issue, and filters by kind, severity, service and workflow', async () => {
    await ingestRun(2, 'shop');
    const page = await open('/ui/issues');
    const rows = page.locator('ul[aria-label="Open issues"] > li');
    const inService = (name: string) => rows.filter({ hasText: `Service: ${name}` });
    await inService('shop').first().waitFor();
    const ofShop = await inService('shop').count();
    const all = await rows.count();
    expect([ofShop, await inService('desk').count()]).toEqual([all / 2, all / 2]);
    expect(await inService('shop').first().textContent()).toContain('Workflow: clerk');
    await page.getByText('Filter', { exact: true }).click();
    await page.getByRole('combobox', { name: 'Service', exact: true }).selectOption('shop');
    await eventually(() => rows.count()).toBe(ofShop);
    await page.getByRole('combobox', { name: 'Severity', exact: true }).selectOption('observation');
    await page.getByText('No issue matches').waitFor();
    await page.getByRole('link', { name: 'Remove filter Severity: observation' }).click();
    await page.getByRole('combobox', { name: 'Kind', exact: true }).selectOption('loop/exact_repetition');
    await eventually(() => rows.count()).toBe(1);
    await page.getByRole('link', { name: 'Remove filter Subtype: exact repetition' }).click();
    await page.getByRole('link', { name: 'Remove filter Service: shop' }).click();
    await page.getByRole('combobox', { name: 'Workflow', exact: true }).selectOption({ label: 'clerk (shop)' });
    await eventually(() => rows.count()).toBeGreaterThan(0);
    await eventually(() => inService('desk').count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('complementary', { name: 'Issue' }).getByRole('link', { name: 'clerk', exact: true }).click();
    await page.getByRole('link', { name: /^Remove filter Workflow/ }).waitFor();
  });

  it('keeps its heading above an open issue on a narrow screen', async () => {
    const [issue] = (await read('/issues')).items;
    const page = await open(`/ui/issues/${issue.issue_id}`);
    for (const width of [1_100, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await page.getByRole('heading', { name: issue.title, level: 2 }).waitFor();
      expect(await page.getByRole('heading', { name: 'Issues', level: 1 }).isVisible()).toBe(true);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(await axeViolations(page)).toEqual([]);
    }
  });

  it('shows names of any length inside their row, their pane and the page', async () => {
    const long = 'L'.repeat(5_000);
    const spans = loopingRun(3).map((span) => ({
      ...span,
      name: span.parentSpanId === null ? long : span.name,
      attributes: { ...span.attributes, 'gen_ai.agent.name': long },
      resource: { 'service.name': long },
    }));
    await http.services.ingest.ingest(tenant.tenantId, toRequest(spans));
    await http.services.analysis.runAllNow(tenant.tenantId);
    const issue = (await read('/issues')).items.find(({ affected_agents }: { affected_agents: string[] }) =>
      affected_agents[0]?.startsWith('LLL'),
    );
    const page = await open(`/ui/issues/${issue.issue_id}`);
    const row = page.locator(`[data-issue="${issue.issue_id}"]`);
    await row.waitFor({ timeout: 20_000 });
    const names = (await row.getByText(/^loop · /).boundingBox())!;
    const figures = (await row.getByRole('img').last().boundingBox())!;
    expect(names.x + names.width).toBeLessThanOrEqual(figures.x);
    const pane = page.getByRole('complementary', { name: 'Issue' });
    await pane.getByRole('link', { name: 'Open the trace at this step' }).waitFor({ timeout: 20_000 });
    expect(await pane.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await page.getByRole('link', { name: 'Open the trace at this step' }).click();
    await page.getByRole('treegrid').waitFor({ timeout: 20_000 });
    for (const width of [1_280, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
  });

  it('hides an issue whose only detection is marked wrong, until the mark is undone', async () => {
    const page = await open('/ui/issues');
    const rows = page.locator('ul[aria-label="Open issues"] > li');
    await rows.first().waitFor();
    await page.getByRole('heading', { level: 3, name: 'Is this detection right?' }).waitFor();
    await page.keyboard.press('n');
    await page.getByText('No open issue').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await rows.first().waitFor();
    expect(await validation()).toBeNull();
  });

  it('searches while the user types, and Back does not step through each letter', async () => {
    await ingestRun(2, 'shop');
    const page = await open('/ui/workflows');
    await page.getByRole('link', { name: 'Issues', exact: false }).first().click();
    const rows = page.locator('ul[aria-label="Open issues"] > li');
    await rows.first().waitFor();
    const field = page.getByRole('searchbox', { name: 'Search issues' });
    await field.pressSequentially('zzz');
    await page.getByText('No issue matches').waitFor();
    expect(await field.inputValue()).toBe('zzz');
    await field.fill('shop');
    await eventually(() => rows.filter({ hasText: 'shop' }).count()).toBeGreaterThan(0);
    await eventually(() => rows.filter({ hasText: 'desk' }).count()).toBe(0);
    expect(page.url()).toContain('q=shop');
    await page.goBack();
    await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
  });

  it('does not handle feedback keys while the user types', async () => {
    const page = await open('/ui/issues');
    await page.getByRole('heading', { level: 3, name: 'Is this detection right?' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('any');
    expect(await page.getByLabel('Search issues').inputValue()).toBe('any');
    expect(await pressed(page, 'Right')).toBe('false');
    expect(await validation()).toBeNull();
  });

  it('has no feedback buttons for a read-only key', async () => {
    const page = await open('/ui/issues', { ...tenant, apiKey: await http.newKey(tenant.tenantId, ['read']) });
    await page.getByRole('heading', { level: 3, name: 'Fix' }).waitFor();
    await page.keyboard.press('n');
    expect(await page.getByRole('button', { name: 'Wrong' }).count()).toBe(0);
    expect(await validation()).toBeNull();
  });

  it('shows a resolved issue as regressed when a later run has it', async () => {
    const page = await open('/ui/issues');
    const rows = page.locator('ul[aria-label="Open issues"] > li');
    const tenantNo = await http.services.tenants.tenantNoOf(tenant.tenantId);
    await eventually(() => http.services.streams.listenerCount(tenantNo)).toBe(1);
    await rows.first().waitFor();
    const title = (await rows.first().getByRole('link').textContent())!;
    await page.keyboard.press('e');
    await page.getByText('1 issue resolved').waitFor();
    await eventually(() => rows.filter({ hasText: title }).count()).toBe(0);
    await ingestRun(2);
    await eventually(() => rows.filter({ hasText: title }).textContent()).toContain('regressed');
    await page.getByRole('link', { name: 'Regressed 1', exact: true }).click();
    await page.locator('ul[aria-label="Regressed issues"] > li').filter({ hasText: title }).waitFor();
  });
});

describe.skipIf(!hasBrowser)('feedback and thresholds in a browser', () => {
  /** Feedback on other detections of the subtype: ten right, nine wrong. */
  async function giveFeedback(subtype: string): Promise<void> {
    const texts = [
      ...Array.from({ length: 10 }, () => ({ confidence: 0.99, feedback_type: 'true_positive' })),
      ...Array.from({ length: 9 }, () => ({ confidence: 0.96, feedback_type: 'false_positive' })),
    ];
    for (const [index, { confidence, feedback_type }] of texts.entries()) {
      const detection_id = `det_${tenant.tenantId}_${index}`;
      await storeDetection(http.app.store.db, tenant.tenantId, detection_id, { type: 'loop', subtype, confidence });
      const path = `/api/v1/tenants/${tenant.tenantId}/feedback`;
      const response = await http.send({ path, credential: tenant.apiKey, body: { detection_id, feedback_type } });
      expect(response.status, response.text).toBe(201);
    }
  }

  it('opens the step and the fix of an issue, marks the detection wrong, and shows the resulting threshold', async () => {
    const { subtype, step, title, fixes } = await firstDetection();
    await giveFeedback(subtype);
    const page = await open('/ui/detectors?detection=loop');
    await page.getByRole('link', { name: /^Loop/ }).first().click();
    const advice = page.getByRole('region', { name: 'What your feedback recommends' });
    await advice.getByText('Needs feedback on 20 detections; there are 19.').waitFor();

    await page.getByRole('link', { name: /^Issues/ }).click();
    await page.getByRole('link', { name: title, exact: true }).first().click();
    await page.getByRole('link', { name: 'Open the trace at this step' }).click();
    await page.getByRole('region', { name: 'Step', exact: true }).getByText(`Step ${step}`).first().waitFor();
    const panel = page.getByRole('complementary', { name: 'Detections' });
    await panel.getByText(fixes[0].title, { exact: true }).click();
    await panel.getByRole('link', { name: 'Plan fix' }).first().click();
    await page.getByRole('heading', { name: fixes[0].title }).waitFor();
    await page.goBack();
    await panel.getByRole('textbox').fill('the customer asked for it');
    await panel.getByRole('button', { name: 'Wrong' }).click();
    await eventually(validation).toBe(false);

    await page.getByRole('link', { name: 'Detectors', exact: true }).click();
    await page.getByText('change recommended').waitFor();
    await page.getByRole('link', { name: /^Loop/ }).first().click();
    await advice.getByText('10 labelled detections would no longer fire, 0 of them real').waitFor();
    await advice.getByText('Precision on your feedback: 50 % of 20 reported now, 100 % of 10 reported').waitFor();
    await advice.getByRole('button', { name: /^Report from 0\.9/ }).click();
    await page.getByText(/is saved\. It applies from the next trace/).waitFor();
    const { loop } = await read('/settings/detector-overrides');
    expect(loop.subtypes[subtype].effective).toBeGreaterThan(0.96);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await eventually(
      async () => (await read('/settings/detector-overrides')).loop.subtypes[subtype].override,
    ).toBeNull();

    await advice.getByRole('button', { name: /^Report from 0\.9/ }).click();
    const figures = page.getByRole('region', { name: 'Figures of the subtypes' });
    await figures.getByText(/^set for this subtype; 0\.\d+ without it$/).waitFor();
    await figures.getByRole('button', { name: /^Remove the threshold of / }).click();
    await eventually(() => figures.getByText(/^set for this subtype/).count()).toBe(0);
    expect((await read('/settings/detector-overrides')).loop.subtypes[subtype].override).toBeNull();
  });
});
