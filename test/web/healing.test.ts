import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Fix } from '../../src/core/detection.ts';
import type { Json } from '../../src/core/json.ts';
import { DEMO_RUNS, demoSpans } from '../../src/features/demo/demo-spans.ts';
import { plannerCritic } from '../../src/features/demo/planner-critic.ts';
import { refusedTool } from '../../src/features/demo/refused-tool.ts';
import { axeViolations } from '../support/axe-violations.ts';
import { hasBrowser, startBrowser } from '../support/browser.ts';
import { type DocumentServer, startDocumentServer } from '../support/document-server.ts';
import { HOSTILE_MARKUP } from '../support/hostile-run.ts';
import { type HttpFixture, startHttpApp, type Tenant } from '../support/http-app.ts';
import { type OpenWeb, openWeb } from '../support/open-web.ts';
import { toRequest } from '../support/store-app.ts';
import { storeDetection } from '../support/stored-detection.ts';
import { bundledWebFiles } from '../support/web-bundle.ts';

const NOW = Date.UTC(2026, 0, 15, 12);
const CONFIG = '{\n  // as deployed\n  "recursion_limit": 24\n}\n';

let root: string;
let http: HttpFixture;
let browser: Browser;
let target: DocumentServer;
let tenant: Tenant;
let opened: OpenWeb[] = [];

beforeAll(async () => {
  if (!hasBrowser) return;
  root = mkdtempSync(join(tmpdir(), 'misstep-heal-'));
  const files = await bundledWebFiles();
  const alerts = { smtp: null, allowPrivateWebhooks: ['127.0.0.0/8'] };
  [http, browser, target] = await Promise.all([
    startHttpApp({}, { healingRoots: [{ folder: root, tenantId: null }], alerts }, { readWebFiles: () => files }),
    startBrowser(),
    startDocumentServer({ limit: 24 }),
  ]);
  tenant = await http.newTenant();
  for (const spans of demoSpans(NOW)) await http.services.ingest.ingest(tenant.tenantId, toRequest(spans));
  await http.services.analysis.runAllNow(tenant.tenantId);
}, 120_000);
afterEach(async () => {
  const problems = opened.flatMap((page) => page.problems);
  for (const { page } of opened) await page.context().close();
  opened = [];
  expect(problems).toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  await target?.close();
  await http?.close();
  if (root) rmSync(root, { recursive: true, force: true });
});

async function open(
  path: string,
  credentials: Tenant = tenant,
  options: Parameters<typeof openWeb>[3] = {},
): Promise<Page> {
  const web = await openWeb(browser, http, credentials, options);
  opened.push(web);
  await web.page.goto(path);
  return web.page;
}

const send = async (path: string, body?: Json) => {
  const response = await http.send({
    path: `/api/v1/tenants/${tenant.tenantId}${path}`,
    credential: tenant.apiKey,
    ...(body === undefined ? {} : { body }),
  });
  expect(response.status, response.text).toBeLessThan(300);
  return response.json;
};
const limitDetection = async () =>
  (await send('/detections')).items.find(({ subtype }: { subtype: string }) => subtype === 'recursion_limit');
const eventually: typeof expect.poll = (read) => expect.poll(read, { timeout: 60_000 });
const config = () => readFileSync(join(root, 'agent.jsonc'), 'utf8');
const current = (page: Page) => page.getByRole('list', { name: 'Progress' }).locator('[aria-current="step"]');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Creates a plan for the detection through the API. */
async function plan(body: Json & object): Promise<string> {
  const { detection_id } = await limitDetection();
  return (await send('/healing/operations', { detection_id, ...body } as Json)).operation_id;
}
const byUrl = () =>
  plan({
    executor: 'http_json',
    target: { url: target.url },
    changes: [{ format: 'json-patch', after: '[{"op":"replace","path":"/limit","value":6}]' }],
  });

describe.skipIf(!hasBrowser)('healing view in a browser', () => {
  it('plans a fix from the inbox, approves it, executes it on a file and rolls it back; a list in another tab updates', async () => {
    writeFileSync(join(root, 'agent.jsonc'), CONFIG);
    const { issue_id } = await limitDetection();
    const list = await open('/ui/healing');
    const entry = list
      .getByRole('navigation')
      .first()
      .getByRole('link', { name: /^Healing/ });
    await list.getByText('No plan is waiting for you.').waitFor();
    const page = await open(`/ui/issues/${issue_id}`);
    await page.getByRole('link', { name: 'Plan fix' }).click();
    await page.getByRole('link', { name: /^Lower recursion_limit/ }).click();
    await page.getByText('Other ways: ').click();
    await page.getByLabel('In a file').check();
    await page.getByLabel('Path').fill('agent.jsonc');
    await button(page, 'Create plan').click();

    await eventually(() => current(page).textContent()).toContain('Pending approval');
    const change = page.getByRole('figure', { name: 'Change agent.jsonc' });
    expect(await change.textContent()).toMatch(/−removed: {3}"recursion_limit": 24\+added: {3}"recursion_limit": 6/);
    expect(await page.getByText('Test it before you use it in production.').count()).toBe(1);
    const waiting = list.getByRole('region', { name: 'Plans that wait for an action' });
    await waiting.getByRole('link', { name: /^Lower recursion_limit/ }).waitFor();
    const waitingCount = await waiting.locator('tbody tr').count();
    await eventually(() => entry.textContent()).toContain(String(waitingCount));
    expect(config()).toBe(CONFIG);

    await button(page, 'Approve').click();
    await eventually(() => current(page).textContent()).toContain('Approved');
    // An approved plan still waits for a person to execute it.
    await eventually(() => entry.textContent()).toContain(String(waitingCount));
    await button(page, 'Execute').click();
    await eventually(() => current(page).textContent()).toContain('Applied');
    await page.getByText('The target has the planned content.').waitFor();
    const outcome = page.getByRole('list', { name: 'Progress' }).getByText(/^No run since /);
    await outcome.waitFor();
    await list
      .getByRole('region', { name: 'Plan history' })
      .getByText(/No run since /)
      .waitFor();
    expect(config()).toBe(CONFIG.replace('24', '6'));
    await list.getByText('No plan is waiting for you.').waitFor();

    await page.getByRole('button', { name: /^Roll back/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Roll back this plan' });
    expect(await dialog.getByRole('figure').textContent()).toMatch(/−removed: .*6\+added: .*24/);
    await dialog.getByRole('button', { name: 'Restore this content' }).click();
    await eventually(() => current(page).textContent()).toContain('Rolled back');
    expect(config()).toBe(CONFIG);

    await page.getByRole('link', { name: /^Open the trace at step/ }).click();
    const panel = page.getByRole('complementary', { name: 'Detections' });
    await panel.getByText(/^Lower recursion_limit .*: rolled back$/).waitFor();
    await panel.locator('summary', { hasText: 'Lower recursion_limit' }).click();
    await panel.getByRole('link', { name: 'Plan fix' }).last().click();
    await page
      .getByRole('region', { name: 'Plans already made' })
      .getByText(/Rolled back/)
      .waitFor();
  });

  it('shows in one sentence why the server rejects a plan or an action, and leaves the plan unchanged', async () => {
    writeFileSync(join(root, 'agent.jsonc'), CONFIG);
    const { detection_id, fixes } = await limitDetection();
    const page = await open(`/ui/healing/new?detection=${detection_id}&fix=${fixes[1].fix_id}`);
    await page.getByText('Other ways: ').click();
    await page.getByLabel('In a file').check();
    await page.getByLabel('Path').fill('../secret.json');
    await button(page, 'Create plan').click();
    await page.getByRole('alert').getByText('The fix could not be planned').waitFor();
    await page.getByLabel('Path').fill('agent.jsonc');
    await button(page, 'Create plan').click();
    await button(page, 'Approve').click();
    await eventually(() => current(page).textContent()).toContain('Approved');
    writeFileSync(join(root, 'agent.jsonc'), CONFIG.replace('24', '12'));
    await button(page, 'Execute').click();
    await page
      .getByRole('alert')
      .getByText(/^Not executed: /)
      .waitFor();
    expect(await current(page).textContent()).toContain('Approved');
    expect(config()).toContain('12');
    await button(page, 'Reject').click();
    await page.getByRole('list', { name: 'Progress' }).getByText('Rejected').waitFor();
    expect(await button(page, 'Execute').count()).toBe(0);
  });

  it('checks a plan with an unknown outcome, and lets a person record the outcome', async () => {
    target.store = () => ({ limit: 7 });
    const page = await open(`/ui/healing/${await byUrl()}`);
    await button(page, 'Approve').click();
    await button(page, 'Execute').click();
    await page.getByRole('list', { name: 'Progress' }).getByText('Outcome unknown').waitFor();
    await button(page, 'Check the target').click();
    await page.getByText(/^The target has neither .* Checked /).waitFor();
    await button(page, 'Record as failed').click();
    await page.getByRole('list', { name: 'Progress' }).getByText('Failed').waitFor();
    await page.getByRole('link', { name: '‹ Healing' }).click();
    await page.getByRole('link', { name: 'Failed', exact: true }).click();
    await page.getByRole('region', { name: 'History' }).locator('tbody tr').first().waitFor();
    expect(new URL(page.url()).search).toBe('?status=failed');
  });

  it('starts a manual plan and records its outcome', async () => {
    const { detection_id } = await limitDetection();
    const page = await open(`/ui/healing/new?detection=${detection_id}`);
    await page.getByLabel('Where you make it (optional)').fill('the planner of the desk');
    await button(page, 'Create plan').click();
    await button(page, 'Approve').click();
    await button(page, 'Start the change').click();
    await page.getByText('Make the change by hand, then record the outcome here.').waitFor();
    expect(await page.getByText('Test it before you use it in production.').count()).toBe(1);
    await button(page, 'Record as applied').click();
    await eventually(() => current(page).textContent()).toContain('Applied');
    expect(await page.getByText('Test it before you use it in production.').count()).toBe(0);

    const { issue_id } = await limitDetection();
    const issueStatus = async () => (await send(`/issues/${issue_id}`)).status;
    await button(page, 'Resolve issue').click();
    await eventually(issueStatus).toBe('resolved');
    await eventually(() => button(page, 'Resolve issue').count()).toBe(0);
    await send(`/issues/${issue_id}/reopen`, {});
  });

  it('names the open plan first in every view of the trace, and in its verdict', async () => {
    const { detection_id, trace_id, fixes } = await limitDetection();
    const { title } = fixes.at(-1);
    const pending = await plan({ fix_id: fixes.at(-1).fix_id, executor: 'manual', target: {} });
    for (const view of ['tree', 'timeline', 'chat', 'state']) {
      const page = await open(`/ui/traces/${trace_id}?finding=${detection_id}&view=${view}`);
      const panel = page.getByRole('complementary', { name: 'Detections' });
      const first = panel.locator('h3', { hasText: /^Fix$/ }).locator('+ *');
      await eventually(() => first.textContent()).toBe(`${title}: pending approval`);
      await page
        .getByRole('region', { name: 'Verdict' })
        .getByText(/issue, 1 run, fix pending approval$/)
        .waitFor();
      expect(await first.getByRole('link').getAttribute('href')).toBe(`/ui/healing/${pending}`);
      expect(await panel.locator('summary', { hasText: title }).count()).toBe(0);
      await page.emulateMedia({ media: 'print' });
      expect(await page.evaluate<string>('document.body.innerText')).toContain(`Fix: ${title}: pending approval`);
    }
    await send(`/healing/operations/${pending}/reject`, {});
  });

  it('lists a fix that did not hold as waiting, and suggests another one in the run after it', async () => {
    const again = await http.newTenant('again');
    const ingest = async (spans: Parameters<typeof toRequest>[0]) => {
      await http.services.ingest.ingest(again.tenantId, toRequest(spans));
      await http.services.analysis.runAllNow(again.tenantId);
    };
    const ask = async (path: string, body?: Json) =>
      (
        await http.send({
          path: `/api/v1/tenants/${again.tenantId}${path}`,
          credential: again.apiKey,
          ...(body === undefined ? {} : { body }),
        })
      ).json;
    const cycles = (nowMs: number) => demoSpans(nowMs)[DEMO_RUNS.indexOf(plannerCritic)]!;
    const newest = async () => (await ask('/detections?detection_type=loop')).items[0];
    await ingest(cycles(NOW));
    const { detection_id, fixes } = await newest();
    const fix = { detection_id, fix_id: fixes[0].fix_id, executor: 'manual', target: {} };
    const { operation_id, title } = await ask('/healing/operations', fix);
    for (const [step, body] of [
      ['approve', {}],
      ['execute', {}],
      ['resolve', { outcome: 'applied' }],
    ] as const)
      await ask(`/healing/operations/${operation_id}/${step}`, body);
    http.clock.advance(1_000);
    await ingest(cycles(NOW + 24 * 3_600_000));

    const page = await open('/ui/healing', again);
    const waiting = page.getByRole('region', { name: 'Plans that wait for an action' });
    await waiting.getByText(/^.* Detected again in 1 of 1 run since /).waitFor();
    await waiting.getByText(/^Applied, did not hold/).waitFor();
    expect(await page.getByRole('region', { name: 'Plan history' }).count()).toBe(0);
    const entry = page
      .getByRole('navigation')
      .first()
      .getByRole('link', { name: /^Healing/ });
    await eventually(() => entry.textContent()).toContain('1');
    await waiting.getByRole('link', { name: 'Plan another fix' }).click();
    await page.getByText('applied, did not hold').waitFor();
    await page.getByRole('heading', { level: 2, name: fixes[1].title }).waitFor();

    const { trace_id, detection_id: later } = await newest();
    expect(later).not.toBe(detection_id);
    await page.goto(`/ui/traces/${trace_id}?finding=${later}`);
    const panel = page.getByRole('complementary', { name: 'Detections' });
    await panel.getByText(/applied .* UTC, detected again in this run/).waitFor();
    await panel.getByRole('link', { name: title }).click();
    await page.getByRole('link', { name: 'Plan another fix' }).waitFor();
    const outcome = page.getByRole('list', { name: 'Progress' }).getByText(/^Detected again in 1 of 1 run since then/);
    expect(await outcome.getByRole('link', { name: '1 run' }).getAttribute('href')).toContain('/ui/traces?agent=');
    expect(await button(page, 'Resolve issue').count()).toBe(0);
    await page.getByRole('button', { name: 'Record as undone…' }).waitFor();
    await ingest(demoSpans(NOW)[DEMO_RUNS.indexOf(refusedTool)]!);
    await page.goto('/ui/issues');
    await page.getByText('fix did not hold').first().waitFor();
    const list = page.getByRole('list', { name: 'Issues' });
    // The other issue has no plan.
    expect(await list.getByText('new', { exact: true }).count()).toBe(1);
    await page.getByRole('link', { name: /^Open\W*2$/ }).waitFor();
    await page.getByRole('link', { name: /^New\W*1$/ }).waitFor();
  });

  it('has no buttons for a read-only key', async () => {
    const reader = { ...tenant, apiKey: await http.newKey(tenant.tenantId, ['read']) };
    const id = await byUrl();
    const page = await open(`/ui/healing/${id}`, reader);
    await page.getByRole('list', { name: 'Progress' }).waitFor();
    expect(await button(page, 'Approve').count()).toBe(0);
    const { issue_id, detection_id } = await limitDetection();
    await page.goto(`/ui/issues/${issue_id}`);
    await page.getByRole('heading', { level: 3, name: 'Fix' }).waitFor();
    expect(await page.getByRole('link', { name: 'Plan fix' }).count()).toBe(0);
    await page.goto(`/ui/healing/new?detection=${detection_id}`);
    await page.getByText('Your key is read-only').waitFor();
  });

  it('escapes hostile text', async () => {
    const markup = HOSTILE_MARKUP.join('\n');
    const fix: Fix = {
      fixType: 'loop_guard',
      title: markup,
      description: markup,
      rationale: markup,
      confidence: 0.5,
      risk: 'low',
      changes: [{ target: markup, format: 'text', before: null, after: markup }],
      isBreaking: true,
      requiresTesting: true,
    };
    await storeDetection(http.app.store.db, tenant.tenantId, 'det_hostile', { title: markup, fixes: [fix] });
    const page = await open('/ui/healing/new?detection=det_hostile');
    await page.getByLabel('Where you make it (optional)').fill(markup.slice(0, 200));
    await button(page, 'Create plan').click();
    await current(page).waitFor();
    const shown = (await page.getByRole('main').textContent())!;
    for (const part of ['<img src=x onerror="window.isOwned=true">', '⟨U+202E⟩gnp.exe', '␛[31mred'])
      expect(shown).toContain(part);
    await page.getByRole('link', { name: '‹ Healing' }).click();
    await page.getByRole('region', { name: 'Plans that wait for an action' }).waitFor();
    expect(await page.locator('main img, main script, a[href^="javascript"]').count()).toBe(0);
    expect(await page.evaluate('window.isOwned')).toBeUndefined();
  });
});

describe.skipIf(!hasBrowser)('healing pages in a browser', () => {
  it.each(['light', 'dark'] as const)('have no accessibility violations and fit 320 px, %s', async (colorScheme) => {
    const id = await byUrl();
    const { detection_id } = await limitDetection();
    const page = await open('/ui/healing', tenant, { colorScheme });
    for (const path of ['/ui/healing', `/ui/healing/${id}`, `/ui/healing/new?detection=${detection_id}`]) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(path);
      await page.locator('h1').waitFor();
      await expect.poll(() => page.locator('output[aria-label="Loading"]').count()).toBe(0);
      if (path !== '/ui/healing') await page.getByRole('figure').first().waitFor();
      expect(await axeViolations(page), path).toEqual([]);
      expect(await page.evaluate<number>('document.querySelectorAll("*").length')).toBeLessThanOrEqual(1_500);
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await page.evaluate<number>('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(320);
    }
  });
});
