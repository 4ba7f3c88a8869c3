import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Dashboard } from '../test/support/dashboard.ts';
import { createTenant, get, post } from '../test/support/served.ts';

/** Draws every view, light and dark, at three widths, with the example runs and without: `dist/screenshots/*.png`. */
const folder = resolve(import.meta.dirname, '../dist/screenshots');
const WIDTHS = [1440, 768, 320];
const asked = process.argv.slice(2);

const dashboard = new Dashboard();
try {
  await dashboard.start();
  const { served, desk: full } = dashboard;
  const empty = await createTenant(served.url, 'new team');
  const { items } = await get<{ items: { issue_id: string }[] }>(served.url, full, '/issues');
  const traces = await get<{ items: { trace_id: string; detection_count: number; agent_ids: string[] }[] }>(
    served.url,
    full,
    '/traces',
  );
  const trace = traces.items.find((one) => one.detection_count > 0) ?? traces.items[0];
  const plan = await planFix();
  const team = traces.items.toSorted((one, other) => other.agent_ids.length - one.agent_ids.length)[0];
  const views = [
    { name: 'sign-in', path: '/ui/sign-in', key: null },
    { name: 'start', path: '/ui/start', key: full.apiKey },
    { name: 'start-empty', path: '/ui/start', key: empty.apiKey },
    { name: 'issues', path: '/ui/issues', key: full.apiKey },
    { name: 'issue', path: `/ui/issues/${items[0]?.issue_id}`, key: full.apiKey },
    { name: 'issues-empty', path: '/ui/issues', key: empty.apiKey },
    { name: 'traces', path: '/ui/traces', key: full.apiKey },
    { name: 'traces-empty', path: '/ui/traces', key: empty.apiKey },
    { name: 'trace', path: `/ui/traces/${trace?.trace_id}`, key: full.apiKey },
    { name: 'trace-graph', path: `/ui/traces/${team?.trace_id}?view=graph`, key: full.apiKey },
    { name: 'agents', path: '/ui/agents', key: full.apiKey },
    { name: 'analytics', path: '/ui/analytics/cost', key: full.apiKey },
    { name: 'healing', path: '/ui/healing', key: full.apiKey },
    { name: 'healing-empty', path: '/ui/healing', key: empty.apiKey },
    { name: 'plan', path: `/ui/healing/${plan.operation_id}`, key: full.apiKey },
    { name: 'new-plan', path: `/ui/healing/new?detection=${plan.detection_id}`, key: full.apiKey },
    { name: 'check', path: '/ui/check', key: full.apiKey },
    { name: 'detectors', path: '/ui/detectors', key: full.apiKey },
    { name: 'conversations', path: '/ui/conversations', key: full.apiKey },
    { name: 'workflows', path: '/ui/workflows', key: full.apiKey },
    { name: 'alerts', path: '/ui/alerts', key: full.apiKey },
    { name: 'imports', path: '/ui/imports', key: full.apiKey },
    { name: 'settings-keys', path: '/ui/settings', key: full.apiKey },
    { name: 'settings-retention', path: '/ui/settings/retention', key: full.apiKey },
    { name: 'settings-integrations', path: '/ui/settings/integrations', key: full.apiKey },
    { name: 'settings-judge', path: '/ui/settings/judge', key: full.apiKey },
    { name: 'settings-audit', path: '/ui/settings/audit', key: full.apiKey },
    { name: 'unknown', path: '/ui/nothing', key: full.apiKey },
  ].filter(({ name }) => asked.length === 0 || asked.includes(name));
  mkdirSync(folder, { recursive: true });
  for (const { name, path, key } of views)
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of WIDTHS) {
        const { page } = await dashboard.open(path, key, { colorScheme, viewport: { width, height: 900 } });
        // The page keeps a stream open, so that the network is never idle.
        await page.locator('h1').waitFor({ state: 'attached' });
        if (name === 'trace-graph') await page.getByRole('region', { name: /^Drawing/ }).waitFor();
        await page.waitForTimeout(500);
        await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`) });
        await page.context().close();
      }
} finally {
  await dashboard.stop();
}

interface Plan {
  operation_id: string;
  detection_id: string;
}

/** Plans in several states; one of a threshold, which needs nothing but this server, waits for approval. */
async function planFix(): Promise<Plan> {
  const { served, desk } = dashboard;
  const { items } = await get<{ items: { detection_id: string }[] }>(served.url, desk, '/detections');
  const operations = '/healing/operations';
  for (const [at, { detection_id }] of items.slice(0, 3).entries()) {
    const { operation_id } = await post<Plan>(served.url, desk, operations, { detection_id });
    for (const step of ['approve', 'execute'].slice(0, at))
      await post(served.url, desk, `${operations}/${operation_id}/${step}`, {});
  }
  return post<Plan>(served.url, desk, operations, {
    detection_id: items[0]?.detection_id,
    executor: 'settings',
    target: { setting: 'detector_overrides' },
    changes: [{ format: 'json-patch', after: '[{"op":"add","path":"/derailment","value":0.5}]' }],
  });
}
