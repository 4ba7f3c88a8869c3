import { createServer, request, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeOtlpJson } from '../../src/formats/otlp/encode-json.ts';
import { hasBrowser } from '../support/browser.ts';
import { Dashboard, type WatchedPage } from '../support/dashboard.ts';
import { type LocalServer, listenLocally } from '../support/local-server.ts';
import { loopingRun } from '../support/looping-run.ts';
import { get, isBuilt, post } from '../support/served.ts';

const PREFIX = '/misstep';
/** The machine may be busy. */
const TIMEOUT = { timeout: 180_000 };

interface Proxy extends LocalServer {
  /** Paths of requests without the prefix, which the page must not send. */
  outsidePaths: string[];
  target: number;
}

/** A reverse proxy that serves only paths below the prefix, and forwards them with or without the prefix. */
async function startProxy(keepsPrefix: boolean): Promise<Proxy> {
  const outside: string[] = [];
  const server: Server = createServer((incoming, outgoing) => {
    const { url = '/', method, headers } = incoming;
    if (url !== PREFIX && !url.startsWith(`${PREFIX}/`)) {
      outside.push(url);
      outgoing.writeHead(404).end();
      return;
    }
    const path = keepsPrefix ? url : url.slice(PREFIX.length) || '/';
    const forwarded = request({ host: '127.0.0.1', port: proxy.target, path, method, headers }, (response) => {
      outgoing.writeHead(response.statusCode!, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  const proxy: Proxy = { ...(await listenLocally(server)), outsidePaths: outside, target: 0 };
  return proxy;
}

/** The first trace with a detection and a non-empty graph. */
async function traceWithGraph({ served, desk }: Dashboard): Promise<string> {
  const { items } = await get<{ items: { trace_id: string }[] }>(served.url, desk, '/detections');
  for (const { trace_id } of items) {
    const { nodes } = await get<{ nodes: unknown[] }>(served.url, desk, `/traces/${trace_id}/graph`);
    if (nodes.length > 0) return trace_id;
  }
  throw new Error('no trace of the demo has a graph');
}

describe.skipIf(!isBuilt || !hasBrowser).each([
  ['keeps the prefix', true],
  ['removes the prefix', false],
])('dashboard behind a proxy that %s (needs dist/misstep and chromium)', TIMEOUT, (_title, keepsPrefix) => {
  const dashboard = new Dashboard();
  let proxy: Proxy;
  beforeAll(async () => {
    proxy = await startProxy(keepsPrefix);
    await dashboard.start('--public-url', proxy.url + PREFIX);
    proxy.target = Number(new URL(dashboard.served.url).port);
  }, 120_000);
  afterAll(async () => {
    await dashboard.stop();
    await proxy?.close();
  });

  /** Opens a full address in a browser without cookies. */
  async function open(address: string): Promise<WatchedPage> {
    const page = await (await dashboard.browser.newContext()).newPage();
    const watched: WatchedPage = { page, problems: [], requestedUrls: [] };
    page.on('console', (message) => watched.problems.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => watched.problems.push(error.message));
    page.on('request', (request) => watched.requestedUrls.push(request.url()));
    await page.goto(address);
    return watched;
  }

  it('signs in with the printed address, and shows inbox, trace, graph, deep link and live updates', async () => {
    const { served, desk } = dashboard;
    const { url } = await post<{ url: string }>(served.url, desk, '/sign-in-links', {});
    expect(url.startsWith(`${proxy.url}${PREFIX}/ui/sign-in#`)).toBe(true);
    const { page, problems, requestedUrls } = await open(url);
    await page.getByRole('heading', { name: 'Issues', exact: true }).waitFor();
    await page.locator('ul[aria-label="Open issues"] > li').first().waitFor();
    // Before the sign-in, the request for the session fails.
    problems.length = 0;

    await page.getByRole('link', { name: 'Open the trace at this step' }).click();
    await page.getByRole('region', { name: 'Step', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/misstep\/ui\/traces\/./);

    await page.goto(`${proxy.url}${PREFIX}/ui/traces/${await traceWithGraph(dashboard)}?view=graph`);
    await page.getByRole('region', { name: /^Drawing of the graph/ }).waitFor();
    expect(requestedUrls.filter((address) => address.includes('graph-worker')).length).toBeGreaterThan(0);

    await page.getByRole('link', { name: 'Detectors', exact: true }).click();
    await page.getByRole('link', { name: 'Injection' }).click();
    await page
      .getByRole('region', { name: 'Subtypes' })
      .getByRole('row', { name: /indirect/ })
      .waitFor();

    await page.goto(`${proxy.url}${PREFIX}/ui/traces`);
    await page.getByRole('heading', { name: 'Traces' }).waitFor();
    await expect.poll(() => requestedUrls.some((address) => address.includes('/stream'))).toBe(true);
    const sent = await fetch(`${proxy.url}${PREFIX}/v1/traces`, {
      method: 'POST',
      headers: { 'x-svc-api-key': desk.apiKey, 'content-type': 'application/json' },
      body: encodeOtlpJson(loopingRun(900)),
    });
    expect(sent.status).toBe(200);
    await page.getByRole('button', { name: '1 new run' }).waitFor();
    expect(proxy.outsidePaths).toEqual([]);
    expect(requestedUrls.filter((address) => !address.startsWith(proxy.url + PREFIX))).toEqual([]);
    expect(problems).toEqual([]);
  });
});
