import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { groupByTrace } from '../../src/features/ingest/trace-touch.ts';
import { decodeOtlpJson } from '../../src/formats/otlp/decode-json.ts';
import { encodeChunk } from '../../src/store/span-chunk.ts';
import { createTraffic } from './sample-traffic.ts';

export interface Ceilings {
  jsonParse: number;
  decode: number;
  encodeChunks: number;
  insertNormal: number;
  insertFull: number;
}

/** Spans a second of each step alone, in this process and on this machine: the upper bound of the complete path. */
export function measureCeilings(): Ceilings {
  const { bodies, spansPerBody } = createTraffic({
    bodies: 200,
    spansPerBody: 100,
    seed: 7,
    startMs: 1_795_000_000_000,
  });
  const buffers = bodies.map((body) => Buffer.from(body));
  const spans = bodies.length * spansPerBody;
  const groups = buffers.flatMap((body) => [...groupByTrace(decodeOtlpJson(body).spans).values()]);
  const chunks = groups.map(encodeChunk);
  return {
    jsonParse: rate(spans, () => buffers.forEach((body) => void JSON.parse(body.toString()))),
    decode: rate(spans, () => buffers.forEach((body) => void decodeOtlpJson(body))),
    encodeChunks: rate(spans, () => groups.forEach((group) => void encodeChunk(group))),
    insertNormal: insertRate(
      chunks.map((chunk) => chunk.data),
      spans,
      'NORMAL',
    ),
    insertFull: insertRate(
      chunks.map((chunk) => chunk.data),
      spans,
      'FULL',
    ),
  };
}

function rate(spans: number, work: () => void): number {
  work();
  const rates = [1, 2, 3].map(() => {
    const started = performance.now();
    work();
    return (spans / (performance.now() - started)) * 1000;
  });
  return Math.round(Math.max(...rates));
}

/** One row a chunk and one trace row, 1,000 spans a transaction: what the disk and SQLite allow. */
function insertRate(chunks: readonly Buffer[], spans: number, synchronous: 'NORMAL' | 'FULL'): number {
  const folder = mkdtempSync(join(tmpdir(), 'misstep-ceiling-'));
  const database = new BetterSqlite3(join(folder, 'x.db'));
  database.pragma('journal_mode = WAL');
  database.pragma(`synchronous = ${synchronous}`);
  database.exec(
    'create table chunk (tenant integer, trace text, data blob); create index by_trace on chunk (tenant, trace)',
  );
  database.exec('create table trace (tenant integer, trace text, name text, primary key (tenant, trace))');
  const insertChunk = database.prepare('insert into chunk values (1, ?, ?)');
  const insertTrace = database.prepare('insert or replace into trace values (1, ?, ?)');
  const insertGroup = database.transaction((from: number) => {
    for (let at = from; at < from + 100 && at < chunks.length; at += 1) {
      insertChunk.run(`${from}-${at}`, chunks[at]);
      insertTrace.run(`${from}-${at}`, 'bench');
    }
  });
  const result = rate(spans, () => {
    for (let at = 0; at < chunks.length; at += 100) insertGroup(at);
  });
  database.close();
  rmSync(folder, { recursive: true });
  return result;
}
