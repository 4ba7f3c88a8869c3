import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Detection } from '../src/core/detection.ts';
import { demoSpans } from '../src/features/demo/demo-spans.ts';
import { qualityScore, scoresOfGrade } from '../src/features/detections/quality.ts';
import { axeViolations } from './support/axe-violations.ts';
import { hasBrowser, startBrowser } from './support/browser.ts';
import { type HttpFixture, startHttpApp, type Tenant } from './support/http-app.ts';
import { loopingRun } from './support/looping-run.ts';
import { openWeb } from './support/open-web.ts';
import { runSpans, toRequest, traceIdOf } from './support/store-app.ts';
import { bundledWebFiles } from './support/web-bundle.ts';
import { expectAccessible } from './support/web-visit.ts';

const NOW = Date.UTC(2026, 0, 15, 12);
const ISSUES_PER_PAGE = 40;

let http: HttpFixture;
let tenant: Tenant;
let browser: Browser;
let context: BrowserContext;
let complaints: string[];

beforeAll(async () => {
  const files = await bundledWebFiles();
  http = await startHttpApp({}, {}, { readWebFiles: () => files });
  browser = await startBrowser();
}, 120_000);
afterAll(async () => {
  await browser.close();
  await http.close();
});
afterEach(async () => {
  await context.close();
  // The browser logs violations of the content security policy to the console.
  expect(complaints).toEqual([]);
});

/** A page signed in with a key of a tenant with the demo runs. */
async function signIn(
  path: string,
  { scopes, isEmpty = false }: { scopes?: ('read' | 'write')[]; isEmpty?: boolean } = {},
) {
  tenant = await http.newTenant();
  if (!isEmpty) {
    for (const spans of demoSpans(NOW)) await http.services.ingest.ingest(tenant.tenantId, toRequest(spans));
    await http.services.analysis.runAllNow(tenant.tenantId);
  }
  const api_key = scopes ? await http.newKey(tenant.tenantId, scopes) : tenant.apiKey;
  const { page } = await openWeb(browser, http, { ...tenant, apiKey: api_key });
  context = page.context();
  complaints = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(http.url + path);
  return page;
}

/** Runs of this many agents, one each. */
async function ingestClerks(clerks: number): Promise<void> {
  for (let number = 1; number <= clerks; number += 1) {
    const spans = loopingRun(number, 1).map((span) => ({
      ...span,
      attributes: { ...span.attributes, 'gen_ai.agent.name': `clerk ${number}` },
    }));
    await http.services.ingest.ingestSpans(tenant.tenantId, { spans, rejections: [] });
  }
  await http.services.analysis.runAllNow(tenant.tenantId);
}

const rows = (page: Page, label: string) => page.getByRole('region', { name: label }).locator('tbody tr');

describe.skipIf(!hasBrowser)('the list of traces, in a browser', () => {
  it('filters by a facet, shows the filter as a chip, and removes it', async () => {
    const page = await signIn('/ui/traces');
    await page.getByText('7 traces').waitFor();
    expect(await rows(page, 'Runs').count()).toBe(7);
    await page
      .getByRole('complementary', { name: 'Filters by value' })
      .getByRole('link', { name: /^failed/ })
      .click();
    await page.getByText('2 traces').waitFor();
    expect(page.url()).toContain('/ui/traces?status=error');
    await page.getByRole('link', { name: 'Remove filter Status: failed' }).click();
    await page.getByText('7 traces').waitFor();
    await page.goBack();
    await page.getByText('2 traces').waitFor();
  });

  it('shows the further values of a facet and finds one of them', async () => {
    const page = await signIn('/ui/traces', { isEmpty: true });
    await ingestClerks(12);
    await page.goto(`${http.url}/ui/traces`);
    const facet = page.locator('details').filter({ has: page.getByText('Agent', { exact: true }) });
    const links = facet.getByRole('link', { name: /^clerk/ });
    await expect.poll(() => links.count()).toBe(8);
    await facet.getByRole('button', { name: '4 more values' }).click();
    await expect.poll(() => links.count()).toBe(12);
    await page.getByRole('searchbox', { name: 'Find in Agent' }).fill('CLERK 12');
    await expect.poll(() => links.count()).toBe(1);
    await links.click();
    await page.getByText('1 trace', { exact: true }).waitFor();
  });

  it('lists a hundred values of a facet within the page', async () => {
    const page = await signIn('/ui/traces', { isEmpty: true });
    await ingestClerks(130);
    await page.reload();
    const filters = page.getByRole('complementary', { name: 'Filters by value' });
    const more = filters.getByRole('button', { name: '122 more values' });
    await more.first().click();
    await filters.getByText('70 more values: find them here.').waitFor();
    await more.click();
    await filters.getByRole('searchbox', { name: 'Find in Workflow' }).waitFor();
    await filters.getByText('70 more values: find them here.').waitFor();
    await filters.getByText('30 rarer values: search at the top of the page.').waitFor();
    expect(await filters.getByRole('searchbox').count()).toBe(1);
    await expectAccessible(page);
  });

  it('is searched from the keyboard and sorted', async () => {
    const page = await signIn('/ui/traces');
    await page.getByText('7 traces').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('planner');
    await page.keyboard.press('Enter');
    await page.getByText(/^[1-6] traces?$/).waitFor();
    expect(page.url()).toContain('q=planner');
    await page.getByRole('link', { name: 'Clear all' }).click();
    await page.getByLabel('Sort').selectOption('cost');
    await page.waitForURL(/sort=cost/);
    await expect.poll(() => rows(page, 'Runs').first().textContent()).toContain('guide');
  });

  it('is searched when the user stops typing', async () => {
    const page = await signIn('/ui/traces');
    await page.getByText('7 traces').waitFor();
    const field = page.getByRole('searchbox', { name: /^Search name/ });
    await field.pressSequentially('planner');
    await page.getByText(/^[1-6] traces?$/).waitFor();
    await field.fill('');
    await page.getByText('7 traces').waitFor();
  });

  it('does not move when a run starts, and shows the number of new runs', async () => {
    const page = await signIn('/ui/traces');
    await page.getByText('7 traces').waitFor();
    // The stream is open once the server has a listener.
    const tenantNo = await http.services.tenants.tenantNoOf(tenant.tenantId);
    await expect.poll(() => http.services.streams.listenerCount(tenantNo)).toBe(1);
    await http.services.ingest.ingest(tenant.tenantId, toRequest(runSpans(9)));
    const pill = page.getByRole('button', { name: '1 new run' });
    await pill.waitFor();
    expect(await rows(page, 'Runs').count()).toBe(7);
    await pill.click();
    await page.getByText('8 traces').waitFor();
    await page.locator(`a[href="/ui/traces/${traceIdOf(9)}"]`).waitFor();
    expect(await page.getByRole('button', { name: /new run/ }).count()).toBe(0);
  });

  it('filters by time after a drag in the histogram, and shows the numbers as a table', async () => {
    const page = await signIn('/ui/traces');
    const bars = page.getByRole('img', { name: /7 traces over time, 2 failed/ });
    await bars.waitFor();
    const box = (await bars.boundingBox())!;
    await page.mouse.move(box.x + 2, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + 20);
    await page.mouse.up();
    await page.waitForURL(/from=.*to=/);
    await page.getByRole('link', { name: /Remove filter From/ }).waitFor();
    await page.getByText('Show as table').click();
    expect(await page.getByRole('columnheader', { name: 'Began' }).isVisible()).toBe(true);
  });

  it('shows an empty state without traces, and another without matches', async () => {
    const page = await signIn('/ui/traces', { isEmpty: true });
    await page.getByText('No trace has arrived').waitFor();
    await page.goto(`${http.url}/ui/traces?model=none`);
    await page.getByText('No trace fits these filters').waitFor();
  });

  it('names the invalid part of a changed address', async () => {
    const page = await signIn('/ui/traces?grade=E');
    await page.getByRole('alert').getByText(/grade/).waitFor();
    complaints = complaints.filter((text) => !text.includes('status of 400'));
  });
});

describe.skipIf(!hasBrowser)('other lists, in a browser', () => {
  it('an agent opens next to the list and links to its traces', async () => {
    const page = await signIn('/ui/agents');
    await page.getByRole('link', { name: 'planner', exact: true }).click();
    const panel = page.getByRole('region', { name: 'Agent planner' });
    await panel.getByText('loop · ').first().waitFor();
    await panel.getByRole('definition').first().getByRole('link', { name: /^\d+$/ }).click();
    await page.getByRole('link', { name: 'Remove filter Agent: planner' }).waitFor();
  });

  it('many agents fit into the page, and search finds all of them', async () => {
    const page = await signIn('/ui/agents', { isEmpty: true });
    await ingestClerks(130);
    await page.reload();
    await page.getByText('The first 100 of 130 agents. Search finds the others.').waitFor();
    await expectAccessible(page);
    await page.getByRole('searchbox', { name: 'Find an agent' }).fill('CLERK 13');
    await expect.poll(() => rows(page, 'Agents').count()).toBe(2);
  });

  it('an agent links to its open issues, and the filter can be removed', async () => {
    const page = await signIn('/ui/agents');
    const link = page.getByRole('link', { name: /open issues of planner$/ });
    const open = Number.parseInt((await link.textContent())!, 10);
    await link.click();
    await page.getByRole('heading', { name: 'Issues', level: 1 }).waitFor();
    expect(page.url()).toContain('/ui/issues?agent=planner');
    const issues = page.getByRole('list', { name: 'Open issues' }).locator(':scope > li');
    await expect.poll(() => issues.count()).toBe(open);
    await page.getByRole('link', { name: 'Remove filter Agent: planner' }).click();
    await expect.poll(() => issues.count()).toBeGreaterThan(open);
    await page.goto(`${http.url}/ui/agents?agent=planner`);
    await page
      .getByRole('region', { name: 'Agent planner' })
      .getByRole('link', { name: /^loop · / })
      .first()
      .click();
    await page.getByRole('link', { name: 'Remove filter Kind: loop' }).waitFor();
    await expect.poll(() => issues.filter({ hasNotText: 'loop' }).count()).toBe(0);
  });

  it('more issues than fit into the page are read page by page', async () => {
    const page = await signIn('/ui/issues');
    const { db } = http.app.store;
    const tenantNo = await http.services.tenants.tenantNoOf(tenant.tenantId);
    const known = await db
      .selectFrom('issues')
      .selectAll()
      .where('tenant_no', '=', tenantNo)
      .where('status', '=', 'open')
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: 60 }, (_, at) => ({
      ...known,
      ...{ issue_id: `iss_copy_${at}`, fingerprint: `copy ${at}`, title: `The till stopped ${at}` },
    }));
    await db.insertInto('issues').values(copies).execute();
    await page.goto(`${http.url}/ui/issues?q=till`);
    const issues = page.getByRole('list', { name: 'Open issues' }).locator(':scope > li');
    await expect.poll(() => issues.count()).toBe(ISSUES_PER_PAGE);
    await page.getByText('60 issues').waitFor();
    expect(await page.evaluate<number>('document.querySelectorAll("*").length')).toBeLessThanOrEqual(1_500);
    await page.getByRole('link', { name: 'Next page' }).click();
    await expect.poll(() => issues.count()).toBe(60 - ISSUES_PER_PAGE);
    await issues.first().getByRole('link').click();
    await page.getByRole('link', { name: 'First page' }).click();
    await expect.poll(() => issues.count()).toBe(ISSUES_PER_PAGE);
    await expectAccessible(page);
  });

  it('figures change with the period, and each chart has a table', async () => {
    const page = await signIn('/ui/analytics/cost');
    await page.getByRole('heading', { name: 'Analytics: Cost' }).waitFor();
    await page.getByRole('img', { name: 'Cost by day and model' }).waitFor();
    expect(await page.getByRole('link', { name: /tokens$/ }).getAttribute('href')).toBe('/ui/issues?sort=cost');
    await page.getByLabel('Days').selectOption('365');
    await page.waitForURL(/days=365/);
    await page.getByRole('link', { name: 'Loops' }).click();
    await page.getByRole('img', { name: 'Loops by day' }).waitFor();
    await page.getByRole('link', { name: 'The same call repeated in a row' }).waitFor();
    await page.getByRole('link', { name: 'Quality' }).click();
    await page.getByRole('img', { name: 'Mean score by day' }).waitFor();
    await page.getByRole('img', { name: 'Scored runs by day' }).waitFor();
    const [a, b, c, d] = (['A', 'B', 'C', 'D'] as const).map((grade) => scoresOfGrade(grade).from);
    await page.getByText(`Grade A begins at ${a} points, B at ${b}, C at ${c}, D at ${d}; the rest is F.`).waitFor();
    const lost = (['critical', 'warning', 'info'] as const).map(
      (severity) => 100 - qualityScore('ok', [{ severity, confidence: 1 } as Detection])!,
    );
    await page.getByText(`${lost[0]} points (critical), ${lost[1]} (warning) or ${lost[2]} (info)`).waitFor();
    await page.getByText(`loses ${100 - qualityScore('error', [])!} more`).waitFor();
  });

  it('a detector is switched off and on again, and its threshold is previewed before it is saved', async () => {
    const page = await signIn('/ui/detectors');
    const loops = page.getByRole('switch').first();
    await loops.waitFor();
    expect(await loops.getAttribute('aria-checked')).toBe('true');
    await loops.click();
    await expect.poll(() => loops.getAttribute('aria-checked')).toBe('false');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => loops.getAttribute('aria-checked')).toBe('true');
    await rows(page, 'Detectors').first().getByRole('link').click();
    const save = page.getByRole('button', { name: 'Save' });
    expect(await save.isDisabled()).toBe(true);
    await page.getByLabel('Threshold of the detector as a number').fill('0.99');
    await page.getByText(/^Last 7 days: \d+ fewer, 0 more$/).waitFor();
    await save.click();
    await page.getByText('You set 0.99 for this detector.').waitFor();
    await page.getByText(/^0\.99: all \d+ subtypes$/).waitFor();
    await page.getByRole('button', { name: 'Use the default thresholds' }).click();
    await page.getByText('the default of its subtype').waitFor();
    await page.getByText(/^0\.51: .*Steps repeat in a cycle/).waitFor();
  });

  it('a detector with previews only is off and says so, until it is switched on', async () => {
    const page = await signIn('/ui/detectors');
    const row = page.getByRole('row', { name: /^Hallucination/ });
    const control = row.getByRole('switch');
    await row.getByText('preview only: reports nothing').waitFor();
    expect(await control.getAttribute('aria-checked')).toBe('false');
    await control.click();
    await expect.poll(() => control.getAttribute('aria-checked')).toBe('true');
    await expect.poll(() => row.textContent()).toContain('2 of 2');
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.getByText('preview only: reports nothing').waitFor();
  });

  it('reports the previews of a detector that is on once “Report previews” is switched on', async () => {
    const page = await signIn('/ui/detectors');
    const row = page.getByRole('row', { name: /^Prompt injection/ });
    await row.getByText('without previews').waitFor();
    await row.getByText('1 of 3').waitFor();
    await row.getByRole('link').click();
    await page.getByRole('switch', { name: 'Report previews' }).click();
    await page.getByText('3 of 3 subtypes are reported').waitFor();
    await page.getByRole('link', { name: 'All detectors' }).click();
    await row.getByText('with previews', { exact: true }).waitFor();
    // Switched off and on again, the detector has its default.
    await row.getByRole('switch').click();
    await expect.poll(() => row.getByRole('switch').getAttribute('aria-checked')).toBe('false');
    await row.getByRole('switch').click();
    await row.getByText('without previews').waitFor();
  });

  it('a read-only key sees the detectors without switches', async () => {
    const page = await signIn('/ui/detectors', { scopes: ['read'] });
    await rows(page, 'Detectors').first().waitFor();
    expect(await page.getByRole('switch').count()).toBe(0);
  });

  it('a workflow links to its runs', async () => {
    const page = await signIn('/ui/workflows');
    await rows(page, 'Workflows').first().getByRole('link').first().click();
    await page.getByRole('link', { name: /^Remove filter Workflow/ }).waitFor();
  });

  it('finds a workflow by its name', async () => {
    const page = await signIn('/ui/workflows');
    await page.getByRole('searchbox', { name: 'Search name or service' }).fill('ORDER work');
    await expect.poll(() => rows(page, 'Workflows').count()).toBe(1);
    await rows(page, 'Workflows').getByRole('link', { name: 'order workflow', exact: true }).waitFor();
    await page.waitForURL(/q=ORDER/);
    await page.getByRole('searchbox', { name: 'Search name or service' }).fill('no such name');
    await page.getByText('No workflow has “no such name” in its name or service').waitFor();
  });

  it('the workflow with the lowest score is first, and links to its open issues', async () => {
    const page = await signIn('/ui/workflows');
    const scores = rows(page, 'Workflows').locator('[data-title="Mean score"]');
    await scores.first().waitFor();
    const values = (await scores.allTextContents()).map((text) => Number(text.split(' ')[1]));
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    const link = rows(page, 'Workflows')
      .getByRole('link', { name: /open issues of/ })
      .first();
    const counted = Number.parseInt((await link.textContent()) ?? '', 10);
    await link.click();
    const issues = page.locator('ul[aria-label="Open issues"] > li');
    await issues.first().waitFor();
    expect(await issues.count()).toBe(counted);
  });

  it('an agent list stays a table beside an open agent', async () => {
    const page = await signIn('/ui/agents?agent=planner');
    await page.getByRole('region', { name: 'Agent planner' }).getByText('Mean time per turn').waitFor();
    expect(await page.getByRole('region', { name: 'Agents' }).getByRole('columnheader').allTextContents()).toEqual([
      'Agent',
      'Open issues',
      expect.stringMatching(/^Last active/),
    ]);
    const current = page.locator('tr[aria-current]');
    expect((await current.boundingBox())!.height).toBeLessThan(48);
  });

  it('a detection of a detector names its run, agent and step', async () => {
    const page = await signIn('/ui/detectors?detector=loop');
    const found = page.getByRole('region', { name: 'Detections here' }).getByRole('listitem').first();
    await found.getByText(/\w+, step \d+ · \w+/).waitFor();
    await found.getByText(/^run of /).waitFor();
    await page.getByText('Counted as a failure').waitFor();
  });

  it('conversations are named after their first message', async () => {
    const page = await signIn('/ui/conversations', { isEmpty: true });
    await page.getByText('No conversation has arrived').waitFor();
    const turns = [
      { role: 'user', content: 'When does the museum <b>open</b>?' },
      { role: 'assistant', content: 'At nine.' },
    ];
    const body = { format: 'generic', data: { turns } };
    const path = `/api/v1/tenants/${tenant.tenantId}/conversations/ingest`;
    expect((await http.send({ path, body, credential: tenant.apiKey })).status).toBe(201);
    await http.services.analysis.runAllNow(tenant.tenantId);
    await page.reload();
    const row = rows(page, 'Conversations').first();
    await row.getByText('user, assistant').waitFor();
    expect(await row.getByText(/conv_/).count()).toBe(0);
    await expectAccessible(page);
    await row.getByRole('link', { name: 'When does the museum <b>open</b>?' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(page.url()).toContain('view=chat');
  });

  it('conversations are explained while there are none', async () => {
    const page = await signIn('/ui/conversations');
    await page.getByText('No conversation has arrived').waitFor();
  });
});

describe.skipIf(!hasBrowser)('every list', () => {
  it.each([
    '/ui/traces',
    '/ui/agents?agent=planner',
    '/ui/issues?agent=planner',
    '/ui/analytics/cost',
    '/ui/analytics/quality',
    '/ui/analytics/loops',
    '/ui/detectors?detector=loop',
    '/ui/workflows',
    '/ui/conversations',
  ])('has no violation of accessibility rules, and at most 1,500 nodes: %s', async (path) => {
    const page = await signIn(path);
    await page.locator('h1').waitFor();
    await page.waitForLoadState('load');
    await expect.poll(() => page.locator('output[aria-label="Loading"]').count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate<number>('document.querySelectorAll("*").length')).toBeLessThanOrEqual(1_500);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  });
});
