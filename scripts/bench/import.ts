import { createWriteStream, openAsBlob, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { encodeSpanLine } from '../../src/formats/misstep/span-line.ts';
import { openSqlite } from '../../src/store/dialect.ts';
import { seededRandom } from '../../test/support/random.ts';
import { type Credentials, createTenant, type Served, serve } from '../../test/support/served.ts';
import { runSpans } from '../../test/support/store-app.ts';

export interface ImportFigures {
  megabytes: number;
  spans: number;
  seconds: number;
  /** Resident megabytes of the server before the import, maximum until it was killed, and maximum after its restart. */
  idleMb: number;
  peakMb: number;
  resumedPeakMb: number;
  /** Share of the file that was imported before the kill. */
  killedAt: number;
}

interface Job {
  import_job_id: string;
  status: string;
  progress: number;
  spans_accepted: number;
  error_count: number;
}

/**
 * Uploads a generated file to a running server, kills the server half-way, restarts it and waits for the end of the import.
 *
 * @throws Error if a span is missing or duplicated afterwards
 */
export async function measureImport(megabytes: number): Promise<ImportFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'misstep-import-'));
  try {
    const file = join(folder, 'runs.jsonl');
    const spans = await writeRuns(file, megabytes * 1_000_000);
    return { megabytes, spans, ...(await importWithKill(join(folder, 'data'), file, spans)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function importWithKill(dataFolder: string, file: string, spans: number) {
  const first = await serve(dataFolder);
  const credentials = await createTenant(first.url);
  await pause(1_000);
  const idleMb = memoryOf(first).resident;
  const started = performance.now();
  const job = await upload(first, credentials, file);
  const half = await follow(first, credentials, job, (now) => now.progress >= 0.5 || now.status === 'completed');
  const peakMb = memoryOf(first).peak;
  await first.end('SIGKILL');
  const second = await serve(dataFolder);
  const ended = await follow(second, credentials, job, (now) => now.status !== 'processing' && now.status !== 'queued');
  const seconds = (performance.now() - started) / 1000;
  const resumedPeakMb = memoryOf(second).peak;
  await second.end('SIGTERM');
  if (ended.status !== 'completed' || ended.spans_accepted !== spans || ended.error_count > 0)
    throw new Error(`the import ended with status ${JSON.stringify(ended)}`);
  const stored = await storedSpans(dataFolder);
  if (stored !== spans) throw new Error(`${stored} spans are stored, not ${spans}`);
  return { seconds, idleMb, peakMb, resumedPeakMb, killedAt: half.progress };
}

/** Runs of four spans with texts that compress like real ones. @returns the number of spans */
async function writeRuns(file: string, bytes: number): Promise<number> {
  const random = seededRandom(3);
  let spans = 0;
  function* lines() {
    for (let written = 0, trace = 1; written < bytes; trace += 1) {
      for (const span of runSpans(trace)) {
        const words = Array.from({ length: 120 }, () => Math.floor(random() * 1e6).toString(36));
        const line = `${encodeSpanLine({ ...span, attributes: { ...span.attributes, note: words.join(' ') } })}\n`;
        written += line.length;
        spans += 1;
        yield line;
      }
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(file));
  return spans;
}

async function upload(served: Served, { apiKey }: Credentials, file: string): Promise<Job> {
  const response = await fetch(`${served.url}/api/v1/import-jobs`, {
    method: 'POST',
    headers: { 'x-svc-api-key': apiKey, 'content-type': 'application/x-ndjson' },
    body: await openAsBlob(file),
  });
  if (response.status !== 202) throw new Error(`the upload was answered with ${response.status}`);
  return (await response.json()) as Job;
}

async function follow(
  served: Served,
  { apiKey }: Credentials,
  { import_job_id }: Job,
  isEnough: (job: Job) => boolean,
): Promise<Job> {
  for (;;) {
    const response = await fetch(`${served.url}/api/v1/import-jobs/${import_job_id}`, {
      headers: { 'x-svc-api-key': apiKey },
    });
    const job = (await response.json()) as Job;
    if (isEnough(job)) return job;
    await pause(50);
  }
}

/** Megabytes, as proc(5) has them. */
function memoryOf({ child }: Served): { resident: number; peak: number } {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const read = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
  return { resident: read('VmRSS'), peak: read('VmHWM') };
}

async function storedSpans(dataFolder: string): Promise<number> {
  const store = openSqlite({ file: join(dataFolder, 'misstep.db'), durability: 'normal', isReadOnly: true });
  try {
    const row = await store.db
      .selectFrom('traces')
      .select((select) => select.fn.sum<number>('span_count').as('spans'))
      .executeTakeFirstOrThrow();
    return Number(row.spans);
  } finally {
    await store.close();
  }
}
