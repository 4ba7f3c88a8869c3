import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../support/program.ts';
import { type Credentials, createTenant, isBuilt, serve } from '../support/served.ts';
import { runSpans, toRequest } from '../support/store-app.ts';

const PAGE_BYTES = 16_384;
const RUNS = 60;

let folder: string;
let sound: string;
let credentials: Credentials;

beforeAll(async () => {
  if (!isBuilt) return;
  folder = mkdtempSync(join(tmpdir(), 'misstep-damaged-'));
  sound = join(folder, 'sound');
  const served = await serve(sound);
  credentials = await createTenant(served.url);
  for (let run = 0; run < RUNS; run += 1) await send(served.url, run);
  await served.end('SIGTERM');
});
afterAll(() => {
  if (isBuilt) rmSync(folder, { recursive: true, force: true });
});

async function send(url: string, run: number): Promise<Response> {
  return fetch(`${url}/api/v1/tenants/${credentials.tenantId}/traces/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-svc-api-key': credentials.apiKey },
    body: toRequest(runSpans(run, { startNs: 1_790_000_000_000_000_000n })).body as Buffer<ArrayBuffer>,
  });
}

function copyOf(name: string): string {
  const data = join(folder, name.replaceAll(/\W/g, '-'));
  cpSync(sound, data, { recursive: true });
  return data;
}

const database = (data: string) => join(data, 'misstep.db');

/** Damages every third byte of the page. */
function damagePage(data: string, page: number): void {
  const bytes = readFileSync(database(data));
  for (let at = 0; at < PAGE_BYTES; at += 3) bytes[page * PAGE_BYTES + at]! ^= 0x5a;
  writeFileSync(database(data), bytes);
}

const pagesOf = (data: string) => statSync(database(data)).size / PAGE_BYTES;

function otherDatabase(data: string, applicationId: number): void {
  rmSync(database(data));
  const other = new BetterSqlite3(database(data));
  other.pragma(`application_id = ${applicationId}`);
  other.exec('create table note (text text)');
  other.close();
}

function changedPages(before: Buffer, after: Buffer): number[] {
  const pages = Math.ceil(Math.max(before.length, after.length) / PAGE_BYTES);
  const pageOf = (bytes: Buffer, page: number) => bytes.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
  return Array.from({ length: pages }, (_, page) => page).filter(
    (page) => !pageOf(before, page).equals(pageOf(after, page)),
  );
}

function zeroHeader(data: string): void {
  const bytes = readFileSync(database(data));
  writeFileSync(database(data), bytes.fill(0, 0, 100));
}

const DAMAGES: [string, (data: string) => void, RegExp][] = [
  ['a damaged page in the middle', (data) => damagePage(data, Math.floor(pagesOf(data) / 2)), /is damaged/],
  ['a damaged schema', (data) => damagePage(data, 0), /is not a database|is damaged/],
  ['a file cut to half', (data) => truncateSync(database(data), Math.floor(pagesOf(data) / 2) * PAGE_BYTES), /damaged/],
  ['a zeroed header', zeroHeader, /is not a database/],
  ['an empty file', (data) => truncateSync(database(data), 0), /is empty, but this folder holds a store/],
  ['another text', (data) => writeFileSync(database(data), 'no database '.repeat(2_000)), /is not a database/],
  ['the database of another program', (data) => otherDatabase(data, 7), /of another program/],
  ['an unmarked database of another program', (data) => otherDatabase(data, 0), /of another program/],
  ['no database', (data) => rmSync(database(data)), /does not exist, but this folder holds a store/],
];

describe.skipIf(!isBuilt)('a store with (needs dist/misstep: npm run build)', () => {
  it.each(DAMAGES)('%s is rejected at the start with path and remedy, and nothing is changed', (name, damage, text) => {
    const data = copyOf(name);
    damage(data);
    const before = existsSync(database(data)) ? readFileSync(database(data)) : null;
    for (const command of [
      ['serve', '--port', '0'],
      ['traces', 'list', '--tenant', 'test'],
      ['migrate', 'status'],
    ]) {
      const { status, stderr, stdout } = runProgram(data, command);
      expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
      expect(stderr).toContain(`${database(data)} `);
      expect(stderr).toMatch(text);
      expect(stderr).toMatch(/restore|another folder/);
      expect(stderr).not.toMatch(/\n {4}at /);
    }
    const after = existsSync(database(data)) ? readFileSync(database(data)) : null;
    expect(after === null ? null : changedPages(before as Buffer, after)).toEqual(before === null ? null : []);
  });
});

describe.skipIf(!isBuilt)('the identity of a store (needs dist/misstep: npm run build)', () => {
  const list = (data: string) => runProgram(data, ['tenants', 'list']);

  it('a store without store-id gets one; the same database stays usable', () => {
    const data = copyOf('without marker');
    const before = readFileSync(join(data, 'store-id'), 'utf8');
    rmSync(join(data, 'store-id'));
    expect(list(data)).toMatchObject({ status: 0, stdout: expect.stringContaining('test') });
    expect(readFileSync(join(data, 'store-id'), 'utf8')).toBe(before);
  });

  it('the database of another store is rejected; without store-id it is accepted', () => {
    const data = copyOf('exchanged');
    const other = join(folder, 'other');
    expect(runProgram(other, ['migrate', 'up']).status).toBe(0);
    renameSync(database(other), database(data));
    expect(list(data)).toMatchObject({ status: 3, stderr: expect.stringMatching(/belongs to another store/) });
    rmSync(join(data, 'store-id'));
    expect(list(data).status).toBe(0);
    expect(readFileSync(join(data, 'store-id'), 'utf8')).toBe(readFileSync(join(other, 'store-id'), 'utf8'));
  });

  it('a copy of the same store can replace it', () => {
    const data = copyOf('restored');
    cpSync(database(sound), database(data));
    expect(list(data)).toMatchObject({ status: 0, stdout: expect.stringContaining('test') });
  });

  it('without store-id and database the folder gets a new store', () => {
    const data = copyOf('repaired');
    const before = readFileSync(join(data, 'store-id'), 'utf8');
    for (const name of ['store-id', 'misstep.db']) rmSync(join(data, name));
    expect(runProgram(data, ['migrate', 'up']).status).toBe(0);
    expect(readFileSync(join(data, 'store-id'), 'utf8')).not.toBe(before);
  });
});
