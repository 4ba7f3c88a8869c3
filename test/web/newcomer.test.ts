import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { context, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, startBrowser } from '../support/browser.ts';
import { freePort, isBuilt, PROGRAM } from '../support/served.ts';

const CALLS = 24;
const CALL = {
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'search_orders',
  'gen_ai.tool.call.arguments': '{"query":"order 17"}',
  'gen_ai.tool.call.result': '{"rows":[]}',
};
const SIGN_IN = /http:\/\/127\.0\.0\.1:\d+\/ui\/sign-in#t=\w+/;

let browser: Browser;
let server: ChildProcess;
let link: string;
const data = mkdtempSync(join(tmpdir(), 'misstep-newcomer-'));

/** Starts the server, and returns the link that it prints. */
async function startServer(): Promise<string> {
  const [command, ...prefixArgs] = PROGRAM;
  const args = ['serve', '--port', String(await freePort()), '--data', data, '--tenant', 'desk', '--no-input'];
  server = spawn(command, [...prefixArgs, ...args], { env: { PATH: process.env.PATH } });
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const match = SIGN_IN.exec(output);
      if (match !== null) resolve(match[0]);
    };
    server.stdout?.on('data', read);
    server.stderr?.on('data', read);
    server.once('exit', () => reject(new Error(`misstep serve ended: ${output}`)));
  });
}

/** A run that repeats one call, sent by the OpenTelemetry SDK. */
async function sendLoop(url: string, apiKey: string): Promise<void> {
  const exporter = new OTLPTraceExporter({ url, headers: { 'x-svc-api-key': apiKey } });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'order desk' }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('order desk');
  const agent = tracer.startSpan('invoke_agent clerk', {
    attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'clerk' },
  });
  const parentContext = trace.setSpan(context.active(), agent);
  for (let call = 0; call < CALLS; call += 1)
    tracer.startSpan('execute_tool search_orders', { attributes: CALL }, parentContext).end();
  agent.end();
  await provider.forceFlush();
  await provider.shutdown();
}

describe.skipIf(!isBuilt || !hasBrowser)('first use (needs dist/misstep and chromium)', { timeout: 180_000 }, () => {
  beforeAll(async () => {
    link = await startServer();
    browser = await startBrowser('--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1');
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    if (server?.exitCode === null) await new Promise((ended) => server.once('exit', ended).kill('SIGTERM'));
    rmSync(data, { recursive: true, force: true });
  });

  it('opens the printed link, sends a trace, and shows its failure, step and fix without a reload', async () => {
    const page: Page = await browser.newPage();
    const requestedUrls: string[] = [];
    page.on('request', (request) => requestedUrls.push(request.url()));
    await page.goto(link);
    await page.getByText('Waiting for the first trace').waitFor();
    // A reload would remove this flag.
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
    await page.getByRole('button', { name: 'Create a key that can only send' }).click();
    await page.getByText('it is not shown again').waitFor();
    const apiKey = /mst_[\w-]+/.exec((await page.locator('pre').textContent())!)![0];
    const { origin } = new URL(link);
    await sendLoop(`${origin}/v1/traces`, apiKey);
    await page.getByRole('heading', { name: 'It arrived' }).waitFor();
    await page.getByText(`${CALLS + 1} steps`).waitFor();

    await page.getByRole('link', { name: 'See what is wrong with them' }).click();
    await page.locator('ul[aria-label="Open issues"] > li').first().waitFor();
    await page.getByText(`search_orders`).first().waitFor();
    await page.getByRole('link', { name: 'Open the trace at this step' }).click();
    const step = page.getByRole('region', { name: 'Step', exact: true });
    await step.waitFor();
    expect(await step.textContent()).toContain('search_orders');
    const panel = page.getByRole('complementary', { name: 'Detections' });
    await panel.getByRole('heading', { name: 'Fix', exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Wrong', exact: true }).first().click();
    await panel.getByText('Marked wrong').first().waitFor();

    await page.getByRole('link', { name: 'Detectors', exact: true }).click();
    await page.getByRole('link', { name: 'Loop' }).first().click();
    await page.getByRole('region', { name: 'What your feedback recommends' }).getByText('there is 1').waitFor();
    expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true);
    expect(requestedUrls.filter((address) => !address.startsWith(origin) && !address.startsWith('data:'))).toEqual([]);
  });
});
