import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startBrowser } from '../../../test/support/browser.ts';
import { createTenant, post, serve } from '../../../test/support/served.ts';
import { loopingTrace, plainTrace, type SoakTrace } from '../soak-traces.ts';
import { judgeTabs } from './judge-tabs.ts';
import { navigationLinks, type OpenTab, openTabs, sampleTab, visitView } from './open-tabs.ts';

/**
 * `npm run soak -- tabs [--minutes 60]`: eight open tabs of the dashboard while traces arrive. One of them moves through
 * the views. It ends with a table of the samples and a line for each judgement; the exit code is 1 if one fails.
 */
const { values: flags } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
const minutes = Number(flags.minutes);
if (!(minutes > 0)) throw new Error('--minutes takes a number above 0');

const SEND_EVERY_MS = 4_000;
/** Every tenth trace fails, so that issues and detections change too. */
const FAILING_EVERY = 10;
const SAMPLE_EVERY_MS = (minutes * 60_000) / 60;
const UPDATE_LIMIT_MS = 60_000;

const dataFolder = mkdtempSync(join(tmpdir(), 'misstep-soak-tabs-'));
const server = await serve(dataFolder);
process.once('exit', () => server.child.kill('SIGKILL'));
const credentials = await createTenant(server.url, 'tabs');
await post(server.url, credentials, '/demo', {});
let sent = 0;
const running = await send(plainTrace({ number: nextNumber(), spans: 40, atMs: Date.now(), text: 'step' }));
await send(loopingTrace(nextNumber(), Date.now()));

const problems: string[] = [];
const browser = await startBrowser();
const views = [
  { name: 'issues', path: '/ui/issues' },
  { name: 'traces', path: '/ui/traces' },
  { name: 'trace', path: `/ui/traces/${running}` },
  { name: 'graph', path: `/ui/traces/${running}?view=graph` },
  { name: 'analytics', path: '/ui/analytics' },
  { name: 'agents', path: '/ui/agents' },
  { name: 'alerts', path: '/ui/alerts' },
  { name: 'all views in turn', path: '/ui' },
];
const tabs = await openTabs(browser, { url: server.url, credentials, views }, problems);

const startedMs = Date.now();
const endMs = startedMs + minutes * 60_000;
const isOver = () => Date.now() >= endMs || server.child.exitCode !== null;
await Promise.all([sendTraces(), recordSamples(tabs.slice(0, -1)), visitViews(tabs.at(-1) as OpenTab)]);
const isLive = await showsNewTrace(tabs.find(({ name }) => name === 'traces') as OpenTab);
await browser.close();
printSamples();
const judgements = judgeTabs({
  tabs: tabs.map(({ name, samples }) => ({ tab: name, samples })),
  problems,
  sentTraces: sent,
  isLive,
});
for (const { what, isPassed, figure } of judgements) console.log(`${isPassed ? 'PASS' : 'FAIL'}  ${what}: ${figure}`);
await server.end('SIGTERM');
rmSync(dataFolder, { recursive: true, force: true });
process.exitCode = judgements.every(({ isPassed }) => isPassed) ? 0 : 1;

function nextNumber(): number {
  sent += 1;
  return sent;
}

async function send({ traceId, spans }: SoakTrace): Promise<string> {
  const body = { resourceSpans: [{ scopeSpans: [{ spans }] }] };
  await post(server.url, credentials, '/traces/ingest', body);
  return traceId;
}

async function sendTraces(): Promise<void> {
  while (!isOver()) {
    const number = nextNumber();
    const atMs = Date.now();
    await send(
      number % FAILING_EVERY === 0 ? loopingTrace(number, atMs) : plainTrace({ number, spans: 12, atMs, text: 'step' }),
    );
    await wait(SEND_EVERY_MS);
  }
}

async function recordSamples(still: readonly OpenTab[]): Promise<void> {
  while (!isOver()) {
    for (const tab of still) await sampleTab(tab, secondsNow());
    await wait(SAMPLE_EVERY_MS);
  }
}

/** Visits all views repeatedly. Samples are taken in the first view only, because views differ in size. */
async function visitViews(tab: OpenTab): Promise<void> {
  let sampledMs = 0;
  while (!isOver()) {
    const links = await navigationLinks(tab);
    for (let at = 0; at < links && !isOver(); at += 1) {
      await visitView(tab, at);
      await wait(SEND_EVERY_MS);
    }
    await visitView(tab, 0);
    await wait(SEND_EVERY_MS);
    if (Date.now() - sampledMs < SAMPLE_EVERY_MS) continue;
    await sampleTab(tab, secondsNow());
    sampledMs = Date.now();
  }
}

function secondsNow(): number {
  return Math.round((Date.now() - startedMs) / 1000);
}

/** Whether the list offers a trace that arrives now, without a reload. */
async function showsNewTrace({ page }: OpenTab): Promise<boolean> {
  const before = await page.locator('main').textContent();
  await send(plainTrace({ number: nextNumber(), spans: 3, atMs: Date.now(), text: 'step' }));
  for (let waited = 0; waited < UPDATE_LIMIT_MS; waited += 1_000) {
    if ((await page.locator('main').textContent()) !== before) return true;
    await wait(1_000);
  }
  return false;
}

function printSamples(): void {
  const every = Math.max(1, Math.floor((tabs[0]?.samples.length ?? 1) / 6));
  for (const { name, samples } of tabs) {
    const shown = samples.filter((_, index) => index % every === 0 || index === samples.length - 1);
    console.log(`\n${name}: minute, heap MB, DOM nodes, listeners`);
    for (const { atS, heapMb, nodes, listeners } of shown)
      console.log(
        `  ${(atS / 60).toFixed(0).padStart(4)} ${heapMb.toFixed(1).padStart(7)} ${String(nodes).padStart(7)} ${String(listeners).padStart(7)}`,
      );
  }
  console.log('');
}
