import { longTrace } from '../../test/support/long-trace.ts';
import { createTenant, freePort } from '../../test/support/served.ts';
import { type BenchServer, startServer } from './server.ts';
import { type StallRow, stallRows } from './stall-routes.ts';

export interface StallFigures {
  route: string;
  status: number;
  /** Longest delay of the server's event loop while it answered, ms, as its own metric reports it. */
  longestMs: number;
  /** Longest time in which `GET /livez` of another client got no answer, ms. Includes the network and a busy machine. */
  pingMs: number;
  /** Processor time of the event loop's thread, ms: a small value excludes a long stall. Pings are included. */
  loopCpuMs: number;
  /** Processor time of all threads of the server, ms. */
  cpuMs: number;
  /** From the first byte of the request to the last byte of the response, ms. */
  wallMs: number;
  responseBytes: number;
}

/** Stores one trace of `spans` spans, then requests each route whose name contains `named`, while a monitor measures delays. */
export async function measureStalls(spans: number, named = ''): Promise<{ spans: number; rows: StallFigures[] }> {
  const metricsPort = await freePort();
  const server = await startServer({ durability: 'normal', flags: ['--metrics-listen', `127.0.0.1:${metricsPort}`] });
  try {
    const monitor = new Monitor(server, `http://127.0.0.1:${metricsPort}/metrics`);
    const trace = longTrace({ spans, startMs: Date.now() - 3_600_000 });
    const rows = [await monitor.measure({ route: 'nothing', wait: 2_000 })];
    for (const body of trace.bodies) await post(server, body);
    await untilAnalyzed(server, trace.traceId);
    const other = await createTenant(server.url, 'other');
    for (const row of await stallRows({ server, traceId: trace.traceId, other }))
      if (row.route.includes(named)) rows.push(await monitor.measure(row));
    return { spans, rows };
  } finally {
    await server.stop();
  }
}

const PING_MS = 1;
const TICK_MS = 50;
const POLL_MS = 100;

class Monitor {
  readonly #server: BenchServer;
  readonly #metricsUrl: string;

  constructor(server: BenchServer, metricsUrl: string) {
    this.#server = server;
    this.#metricsUrl = metricsUrl;
  }

  async measure(row: StallRow): Promise<StallFigures> {
    await this.#longestDelayMs();
    const pinging = new AbortController();
    const pings = this.#ping(pinging.signal);
    const cpu = this.#server.cpuSeconds();
    const loopCpu = this.#server.loopCpuMs();
    const started = performance.now();
    const answer = 'wait' in row ? await pause(row.wait) : await request(this.#server, row);
    const wallMs = performance.now() - started;
    const cpuMs = (this.#server.cpuSeconds() - cpu) * 1000;
    const loopCpuMs = this.#server.loopCpuMs() - loopCpu;
    pinging.abort();
    const pingMs = await pings;
    // The monitor records a delay only at its next tick.
    await pause(TICK_MS);
    return { route: row.route, ...answer, wallMs, cpuMs, loopCpuMs, pingMs, longestMs: await this.#longestDelayMs() };
  }

  /** Since the previous call. */
  async #longestDelayMs(): Promise<number> {
    const response = await fetch(this.#metricsUrl);
    const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await response.text())?.[1];
    return Number(seconds ?? Number.NaN) * 1000;
  }

  async #ping(signal: AbortSignal): Promise<number> {
    let longestMs = 0;
    while (!signal.aborted) {
      const started = performance.now();
      await (await fetch(`${this.#server.url}/livez`)).arrayBuffer();
      longestMs = Math.max(longestMs, performance.now() - started);
      await pause(PING_MS);
    }
    return longestMs;
  }
}

async function pause(ms: number): Promise<{ status: number; responseBytes: number }> {
  await new Promise((resume) => setTimeout(resume, ms));
  return { status: 0, responseBytes: 0 };
}

async function request(
  server: BenchServer,
  row: Exclude<StallRow, { wait: number }>,
): Promise<{ status: number; responseBytes: number }> {
  const response = await fetch(server.url + row.path, {
    method: row.method ?? (row.body === undefined ? 'GET' : 'POST'),
    headers: {
      'x-svc-api-key': server.apiKey,
      ...(row.body === undefined ? {} : { 'content-type': 'application/json' }),
      'accept-encoding': 'identity',
      ...row.headers,
    },
    body: row.body,
  });
  let responseBytes = 0;
  for await (const piece of response.body ?? []) responseBytes += (piece as Uint8Array).length;
  while (response.ok && (await row.isDone?.()) === false) await pause(POLL_MS);
  return { status: response.status, responseBytes };
}

async function post(server: BenchServer, body: string): Promise<void> {
  const path = `/api/v1/tenants/${server.tenantId}/traces/ingest`;
  for (;;) {
    const { status } = await request(server, { route: 'ingest', path, body });
    if (status === 202) return;
    if (status !== 503) throw new Error(`ingest: ${status}`);
    await pause(500);
  }
}

const ANALYSIS_MS = 300_000;

async function untilAnalyzed(server: BenchServer, traceId: string): Promise<void> {
  const path = `${server.url}/api/v1/tenants/${server.tenantId}/traces?page_size=1`;
  const deadline = Date.now() + ANALYSIS_MS;
  while (Date.now() < deadline) {
    const response = await fetch(path, { headers: { 'x-svc-api-key': server.apiKey } });
    const { items } = (await response.json()) as { items: { trace_id: string; analyzed: boolean }[] };
    if (items.some((item) => item.trace_id === traceId && item.analyzed)) return;
    await pause(500);
  }
  throw new Error(`the trace was not analyzed within ${ANALYSIS_MS / 1000} s`);
}
