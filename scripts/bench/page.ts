import type { Browser, CDPSession, Page } from 'playwright-core';
import { workerEntry } from '../../src/app/runtime-assets.ts';
import { decodeOtlpJson } from '../../src/formats/otlp/decode-json.ts';
import { TaskPool } from '../../src/jobs/task-pool.ts';
import { startBrowser } from '../../test/support/browser.ts';
import { type HttpFixture, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import { longTrace } from '../../test/support/long-trace.ts';
import { openWeb } from '../../test/support/open-web.ts';
import { bundledWebFiles } from '../../test/support/web-bundle.ts';
import { frameTimes } from './frame-times.ts';

export interface PageFigures {
  spans: number;
  /** Milliseconds of the main thread from the navigation until the tree and the first step are shown: median of `OPENS`. */
  open: number;
  /** Milliseconds of the main thread for one key, by key. */
  keys: Record<string, number>;
  /** Milliseconds of the main thread for a frame while the wheel scrolls. */
  frames: { p95: number; worst: number; count: number };
  /** Milliseconds of the main thread for a wheel event with all its frames: the second slowest of twenty. */
  wheel: number;
  heapMb: number;
  nodes: number;
}

const KEYS = ['End', 'Home', 'PageDown', 'ArrowDown', 'ArrowLeft', 'ArrowRight'];
/** An odd number. */
const OPENS = 5;
const WHEELS = 20;
const MIN_FRAME_MS = 1;
/** Long enough for the work after a key or wheel event; waiting does not change the processor time. */
const SETTLE_MS = 400;

/** Opens a long trace in a browser and uses it: processor time, which a busy machine does not change, not elapsed time. */
export async function measurePage(spans: number): Promise<PageFigures> {
  const files = await bundledWebFiles();
  const openTasks = (file: string) => new TaskPool({ size: 2, entry: workerEntry(), store: { file } });
  const http = await startHttpApp(
    { validatesOutput: false },
    { maxQueuedSpans: 1e6 },
    { openTasks, readWebFiles: () => files },
  );
  const browser = await startBrowser();
  try {
    const tenant = await http.newTenant();
    const trace = longTrace({ spans, startMs: http.clock.now(), textLength: 60 });
    for (const body of trace.bodies)
      await http.services.ingest.ingestSpans(tenant.tenantId, decodeOtlpJson(Buffer.from(body)));
    const opens: number[] = [];
    for (let at = 1; at < OPENS; at += 1) {
      const { page, opened } = await openTrace(browser, http, tenant, trace.traceId);
      opens.push(opened.cpu);
      await page.context().close();
    }
    const { page, session, opened } = await openTrace(browser, http, tenant, trace.traceId);
    opens.push(opened.cpu);
    const open = opens.toSorted((one, other) => one - other)[(OPENS - 1) / 2]!;
    return { spans, open, ...(await use(page, session)), heapMb: opened.heapMb, nodes: opened.nodes };
  } finally {
    await browser.close();
    await http.close();
  }
}

/** Each time in a new context without a cache. */
async function openTrace(browser: Browser, http: HttpFixture, tenant: Tenant, traceId: string) {
  const { page } = await openWeb(browser, http, tenant);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(`/ui/traces/${traceId}`);
  await page.getByRole('treegrid').waitFor();
  await page.getByRole('tab', { selected: true }).waitFor();
  await page.waitForTimeout(SETTLE_MS);
  return { page, session, opened: await metricsOf(session) };
}

async function use(page: Page, session: CDPSession): Promise<Pick<PageFigures, 'keys' | 'wheel' | 'frames'>> {
  await page.getByRole('treegrid').focus();
  const keys: Record<string, number> = {};
  for (const key of KEYS) keys[key] = await cpuOf(page, session, () => page.keyboard.press(key));
  await page.mouse.move(600, 420);
  const wheels: number[] = [];
  for (let at = 0; at < WHEELS; at += 1) wheels.push(await cpuOf(page, session, () => page.mouse.wheel(0, 300)));
  const times = await frameTimes(session, async () => {
    for (let at = 0; at < WHEELS; at += 1) {
      await page.mouse.wheel(0, 300);
      await page.waitForTimeout(SETTLE_MS);
    }
  });
  // Frames without a change take almost no time and would hide the others.
  const drawn = times.filter((ms) => ms >= MIN_FRAME_MS).toSorted((one, other) => one - other);
  const frames = { p95: drawn[Math.ceil(drawn.length * 0.95) - 1]!, worst: drawn.at(-1)!, count: drawn.length };
  return { keys, frames, wheel: wheels.toSorted((one, other) => other - one)[1]! };
}

async function cpuOf(page: Page, session: CDPSession, run: () => Promise<void>): Promise<number> {
  const before = await metricsOf(session);
  await run();
  await page.waitForTimeout(SETTLE_MS);
  return (await metricsOf(session)).cpu - before.cpu;
}

async function metricsOf(session: CDPSession): Promise<{ cpu: number; heapMb: number; nodes: number }> {
  const { metrics } = await session.send('Performance.getMetrics');
  const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { cpu: value('TaskDuration') * 1_000, heapMb: value('JSHeapUsedSize') / 1e6, nodes: value('Nodes') };
}
