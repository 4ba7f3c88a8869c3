import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { ingest } from '../../test/support/ingest.ts';
import { longTrace } from '../../test/support/long-trace.ts';
import { loopingBody } from '../../test/support/looping-run.ts';
import { type Credentials, createTenant } from '../../test/support/served.ts';
import { importLines, tracesBody } from './fairness-traffic.ts';
import { type BenchServer, startServer } from './server.ts';

export interface FairnessSizes {
  /** Traces of the quiet tenant in each case. */
  samples: number;
  /** Traces in the import of the other tenant. */
  importTraces: number;
  /** Spans of each expensive trace. */
  expensiveSpans: number;
}

export interface FairnessRow {
  name: string;
  p50Ms: number;
  p95Ms: number;
  longestMs: number;
  /** Traces of other tenants that waited when the last sample had its detection. */
  waiting: number;
}

const FLOOD_SENDERS = 8;
const FLOOD_TRACES_PER_BODY = 100;
const EXPENSIVE_TRACES = 6;
const POLL_MS = 20;
const LIMIT_MS = 120_000;

/**
 * How long a quiet tenant waits from the acknowledgement of a trace to its stored detection, alone and under load of another
 * tenant. Each case has a separate server. @throws Error if a detection takes longer than two minutes
 */
export async function measureFairness(sizes: FairnessSizes): Promise<FairnessRow[]> {
  const { importTraces, expensiveSpans } = sizes;
  return [
    await measure('alone', sizes.samples, async () => () => Promise.resolve()),
    await measure('under a flood', sizes.samples, flood),
    await measure(`during an import of ${importTraces} traces`, sizes.samples, (server, flooding) =>
      uploadImport(server, flooding, importTraces),
    ),
    await measure(`during ${EXPENSIVE_TRACES} traces of ${expensiveSpans} spans`, sizes.samples, (server, flooding) =>
      sendExpensive(server, flooding, expensiveSpans),
    ),
  ];
}

/** Starts the load of another tenant and resolves when it runs. @returns a function that stops it */
type Load = (server: BenchServer, flooding: Credentials) => Promise<() => Promise<void>>;

async function measure(name: string, samples: number, startLoad: Load): Promise<FairnessRow> {
  const server = await startServer({ durability: 'normal' });
  const database = new BetterSqlite3(join(server.dataFolder, 'misstep.db'), { readonly: true });
  try {
    // The first trace also starts the worker threads.
    await delayOf(server, database, 0);
    const endLoad = await startLoad(server, await createTenant(server.url, 'loud'));
    const delays: number[] = [];
    for (let number = 1; number <= samples; number += 1) delays.push(await delayOf(server, database, number));
    const waiting = (database.prepare(`select count(*) from jobs where kind = 'settle'`).pluck().get() ?? 0) as number;
    await endLoad();
    delays.sort((one, other) => one - other);
    const at = (share: number) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] as number;
    return { name, p50Ms: at(0.5), p95Ms: at(0.95), longestMs: at(1), waiting };
  } finally {
    database.close();
    await server.stop();
  }
}

/** Milliseconds from the acknowledgement to the detection in the database. */
async function delayOf(quiet: BenchServer, database: BetterSqlite3.Database, number: number): Promise<number> {
  const { traceId, body } = loopingBody(number);
  await ingest(quiet.url, quiet, body);
  const acknowledgedAt = performance.now();
  const isFound = database.prepare('select 1 from detections where trace_id = ? limit 1').pluck();
  while (isFound.get(traceId) === undefined) {
    if (performance.now() - acknowledgedAt > LIMIT_MS) throw new Error(`trace ${traceId} has no detection`);
    await new Promise((next) => setTimeout(next, POLL_MS));
  }
  return performance.now() - acknowledgedAt;
}

async function flood(server: BenchServer, flooding: Credentials): Promise<() => Promise<void>> {
  let isOver = false;
  let sent = 0;
  const started = Promise.withResolvers<void>();
  const senders = Array.from({ length: FLOOD_SENDERS }, async () => {
    while (!isOver) {
      await ingest(server.url, flooding, tracesBody(sent++ * FLOOD_TRACES_PER_BODY, FLOOD_TRACES_PER_BODY));
      if (sent > 2 * FLOOD_SENDERS) started.resolve();
    }
  });
  await Promise.race([started.promise, Promise.all(senders)]);
  return async () => {
    isOver = true;
    await Promise.all(senders);
  };
}

async function uploadImport(server: BenchServer, flooding: Credentials, traces: number): Promise<() => Promise<void>> {
  const response = await fetch(`${server.url}/api/v1/import-jobs`, {
    method: 'POST',
    headers: { 'x-svc-api-key': flooding.apiKey, 'content-type': 'application/x-ndjson' },
    body: new Blob([...importLines(traces)]),
  });
  if (response.status !== 202) throw new Error(`the upload was answered with ${response.status}`);
  return () => Promise.resolve();
}

async function sendExpensive(server: BenchServer, flooding: Credentials, spans: number): Promise<() => Promise<void>> {
  for (let number = 1; number <= EXPENSIVE_TRACES; number += 1) {
    const traceId = `e${number.toString(16).padStart(31, '0')}`;
    // The root comes last, so that the trace settles once it is whole.
    const { bodies } = longTrace({ spans, startMs: Date.now(), textLength: 400, traceId });
    for (const body of bodies.toReversed()) await ingest(server.url, flooding, body);
  }
  return () => Promise.resolve();
}
