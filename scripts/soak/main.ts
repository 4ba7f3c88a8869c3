import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { seededRandom } from '../../test/support/random.ts';
import { type Credentials, createTenant, operatorTokenOf, serve } from '../../test/support/served.ts';
import { judgeSoak, quantile, type Sample } from './judge-soak.ts';
import { readLoopDelay, readSample } from './read-sample.ts';
import { SoakClient } from './soak-client.ts';
import { SoakLedger } from './soak-ledger.ts';
import { read, runFloodingTenant, runMixedTenant, runQuietTenant, type TrafficParts } from './soak-traffic.ts';

/**
 * `npm run soak [-- --minutes 30]`: the executable under the load of a flooding, two mixed and a quiet tenant. It ends with
 * a table of the samples and a line for each judgement; the exit code is 1 if one fails.
 */
const { values: flags } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, keep: { type: 'boolean' } },
});
const minutes = Number(flags.minutes);
if (!(minutes > 0)) throw new Error('--minutes takes a number above 0');

const FLOODING_SENDERS = 3;
const random = seededRandom(20_261_122);
const dataFolder = mkdtempSync(join(tmpdir(), 'misstep-soak-'));
const server = await serve(dataFolder);
// If the soak itself fails, the server is stopped.
process.once('exit', () => server.child.kill('SIGKILL'));
let stderr = '';
server.child.stderr?.on('data', (chunk) => {
  stderr = (stderr + chunk).slice(-4_000);
});
const client = new SoakClient(server.url);
const ledger = new SoakLedger(random);
const [flooding, first, second, quiet] = (await Promise.all(
  ['flooding', 'first', 'second', 'quiet'].map((name) => createTenant(server.url, name)),
)) as [Credentials, Credentials, Credentials, Credentials];

const startedMs = Date.now();
const endMs = startedMs + minutes * 60_000;
let number = 0;
const parts: TrafficParts = {
  client,
  ledger,
  isOver: () => Date.now() >= endMs || server.child.exitCode !== null,
  pause: (ms) => wait(ms),
  now: () => Date.now(),
  nextNumber: () => {
    number += 1;
    return number;
  },
};

const samples: Sample[] = [];
const sampling = recordSamples();
const [quietDelaysMs] = await Promise.all([
  runQuietTenant(parts, quiet),
  ...Array.from({ length: FLOODING_SENDERS }, () => runFloodingTenant(parts, flooding)),
  ...[first, second].flatMap((tenant) => [mixed(tenant), read(parts, tenant)]),
]);
await sampling;
const { lostSpans, readSpans } = await readBack();
printSamples();
const judgements = judgeSoak({
  samples,
  answers: client.answers,
  faults: client.faults,
  quietDelaysMs,
  acknowledgedSpans: readSpans,
  lostSpans,
});
for (const [what, count] of [...client.answers].sort()) console.log(`  ${what.padEnd(28)} ${count}`);
console.log(`\n${ledger.acknowledgedSpans} spans acknowledged in ${minutes} min`);
for (const { what, isPassed, figure } of judgements) console.log(`${isPassed ? 'PASS' : 'FAIL'}  ${what}: ${figure}`);
const isAlive = server.child.exitCode === null;
console.log(`${isAlive ? 'PASS' : 'FAIL'}  the server runs to the end`);
if (stderr !== '') console.log(`\nThe end of its log:\n${stderr}`);
await server.end('SIGTERM');
if (flags.keep) console.log(`The data folder is ${dataFolder}`);
else rmSync(dataFolder, { recursive: true, force: true });
process.exitCode = isAlive && judgements.every(({ isPassed }) => isPassed) ? 0 : 1;

async function mixed(tenant: Credentials): Promise<void> {
  const body = JSON.stringify({ name: 'soak' });
  const headers = { 'content-type': 'application/json' };
  const { text } = await client.send(tenant, {
    what: 'register',
    path: '/api/v1/llmapps/apps',
    method: 'POST',
    headers,
    body,
  });
  const { webhook } = JSON.parse(text) as { webhook: { path: string } };
  await runMixedTenant(parts, tenant, webhook.path);
}

async function recordSamples(): Promise<void> {
  const everyMs = Math.min(10_000, (minutes * 60_000) / 40);
  const token = operatorTokenOf(server.url);
  while (!parts.isOver()) {
    await wait(everyMs);
    if (server.child.exitCode !== null) return;
    const atS = Math.round((Date.now() - startedMs) / 1000);
    samples.push(readSample(server.child.pid as number, dataFolder, atS, await readLoopDelay(server.url, token)));
  }
}

/** Reads the sampled traces and counts missing spans. */
async function readBack(): Promise<{ lostSpans: number; readSpans: number }> {
  let lost = 0;
  let readSpans = 0;
  for (const { traceId, tenant, spanIds } of ledger.entries()) {
    const path = `/api/v1/tenants/{tenant}/traces/${traceId}`;
    const { status, text } = await client.send(tenant, { what: 'read back', path });
    const trace = status === 200 ? (JSON.parse(text) as { spans: { span_id: string }[] }) : { spans: [] };
    const stored = new Set(trace.spans.map((span) => span.span_id));
    lost += spanIds.filter((spanId) => !stored.has(spanId)).length;
    readSpans += spanIds.length;
  }
  return { lostSpans: lost, readSpans };
}

function printSamples(): void {
  const every = Math.max(1, Math.floor(samples.length / 20));
  console.log('\n     s   MB resident   files   threads   MB WAL   MB database   ms event loop');
  for (const sample of samples.filter((_, index) => index % every === 0 || index === samples.length - 1)) {
    const { atS, residentMb, openFiles, threads, walMb, databaseMb, loopDelayMs } = sample;
    const cells = [atS, residentMb, openFiles, threads, walMb, databaseMb, loopDelayMs ?? Number.NaN];
    const widths = [6, 14, 8, 10, 9, 14, 16];
    console.log(cells.map((cell, at) => cell.toFixed(0).padStart(widths[at]!)).join(''));
  }
  const delays = samples.flatMap(({ loopDelayMs }) => loopDelayMs ?? []);
  console.log(
    `\nEvent loop, longest delay between two samples: p50 ${quantile(delays, 0.5).toFixed(0)} ms, p95 ${quantile(delays, 0.95).toFixed(0)} ms, max ${Math.max(0, ...delays).toFixed(0)} ms`,
  );
}
