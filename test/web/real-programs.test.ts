import { readdirSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAtLeast } from '../../src/core/severity.ts';
import type { Span } from '../../src/core/span.ts';
import { analyzeSpans } from '../../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../../src/features/analysis/tenant-detection.ts';
import { decodeAny } from '../../src/formats/detect/detect-format.ts';
import { createModelCatalog } from '../../src/formats/model-catalog/catalog.ts';
import { hasBrowser } from '../support/browser.ts';
import { Dashboard } from '../support/dashboard.ts';
import { isBuilt } from '../support/served.ts';

const models = createModelCatalog();
const GAUGE = new URL('../gauge/', import.meta.url);
const missed = new Set(
  readFileSync(new URL('missed-failures.tsv', GAUGE), 'utf8')
    .split('\n')
    .map((line) => line.split('\t')[0]),
);

interface RecordedRun {
  run: string;
  fault?: string;
  bodies: ({ path?: string } & ({ json: unknown } | { base64: string }))[];
}

interface SentRun {
  framework: string;
  bodies: { path: string; bytes: Buffer; type: string }[];
  traceId: string;
}

/** For each framework, the request bodies of its exporter for the first failing run with a detection. */
function failingRuns(): SentRun[] {
  const folder = new URL('recorded/', GAUGE);
  const files = readdirSync(folder).filter((name) => name.endsWith('.br'));
  const found = files.sort().flatMap((file): SentRun[] => {
    const text = brotliDecompressSync(readFileSync(new URL(file, folder))).toString('utf8');
    const [head, ...runs] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)) as [{ framework: string; name: string }, ...RecordedRun[]];
    const failing = runs.find(
      ({ run, fault }) => fault !== undefined && !missed.has(`${head.framework}/${head.name} ${run}`),
    );
    if (failing === undefined) return [];
    const bodies = failing.bodies.map(({ path = '/v1/traces', ...body }) =>
      'json' in body
        ? { path, bytes: Buffer.from(JSON.stringify(body.json)), type: 'application/json' }
        : { path, bytes: Buffer.from(body.base64, 'base64'), type: 'application/x-protobuf' },
    );
    const spans = bodies.flatMap(({ bytes }) => decodeAny(bytes, { receivedAtMs: 0 }).spans);
    return [{ framework: head.framework, bodies, traceId: flaggedTrace(spans) }];
  });
  return [...Map.groupBy(found, ({ framework }) => framework).values()].map(([first]) => first!);
}

/** The trace with a detection of severity `warning` or higher; a session has one trace for each turn. */
function flaggedTrace(spans: readonly Span[]): string {
  const traces = [...Map.groupBy(spans, ({ traceId }) => traceId)];
  const flagged = traces.find(([, own]) =>
    analyzeSpans(own, { isSettled: true, models, tenant: DEFAULT_DETECTION }).result.detections.some(({ severity }) =>
      isAtLeast(severity, 'warning'),
    ),
  );
  if (flagged === undefined) throw new Error('no trace has a detection');
  return flagged[0];
}

const runs = failingRuns();
const dashboard = new Dashboard();

async function send({ bodies }: SentRun): Promise<void> {
  for (const { path, bytes, type } of bodies) {
    const response = await fetch(dashboard.served.url + path, {
      method: 'POST',
      headers: { 'content-type': type, authorization: `Bearer ${dashboard.desk.apiKey}` },
      body: new Uint8Array(bytes),
    });
    if (!response.ok) throw new Error(`sending: ${response.status} ${await response.text()}`);
  }
}

/** Opens the first detection of the trace, its step and its fix. */
async function readDetection(page: Page): Promise<void> {
  const panel = page.getByRole('complementary', { name: 'Detections' });
  await panel.getByRole('heading', { name: 'Fix', exact: true }).waitFor();
  await page.getByRole('region', { name: 'Step', exact: true }).waitFor();
}

describe.skipIf(!isBuilt || !hasBrowser)(
  'recorded runs of real frameworks in a browser (needs dist/misstep and chromium)',
  { timeout: 300_000 },
  () => {
    beforeAll(() => dashboard.start(), 240_000);
    afterAll(() => dashboard.stop());

    it('the recordings cover seven frameworks', () => {
      expect(runs.map(({ framework }) => framework)).toEqual([
        'langchain',
        'langgraph',
        'llamaindex',
        'mastra',
        'openai-agents',
        'openai-sdk',
        'vercel-ai',
      ]);
    });

    it.each(runs)('shows detection, step and fix of a run sent by the exporter of $framework', async (run) => {
      await send(run);
      const { page, problems } = await dashboard.open(`/ui/traces/${run.traceId}`, dashboard.desk.apiKey);
      page.setDefaultTimeout(120_000);
      await readDetection(page);
      expect(await page.getByRole('treegrid').getAttribute('aria-rowcount')).toMatch(/^\d+$/);
      for (const view of ['Conversation', 'Graph', 'Timeline'])
        if ((await page.getByRole('tab', { name: view }).count()) > 0)
          await page.getByRole('tab', { name: view }).click();
      expect(problems).toEqual([]);
      await page.context().close();
    });
  },
);
