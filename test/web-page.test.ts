import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp } from './support/http-app.ts';
import { bundledWebFiles } from './support/web-bundle.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types misstep-worker',
];
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
/** Compressed bytes of the files of the first view. */
const FIRST_LOAD_BUDGET = 60 * 1024;
const ALL_BUDGET = 180 * 1024;
/** Compressed bytes of one file that is loaded on demand. */
const LAZY_BUDGET = 25 * 1024;

let http: HttpFixture;
beforeAll(async () => {
  const files = await bundledWebFiles();
  http = await startHttpApp({}, {}, { readWebFiles: () => files });
});
afterAll(() => http.close());

const assetsOf = (page: string) =>
  [...page.matchAll(/(?:src|href)="(\/ui\/assets\/[^"]+)"/g)].map((match) => match[1]!);

describe('the web page', () => {
  it.each(['/', '/ui', '/ui/', '/ui/issues', '/ui/traces/abc', '/ui/what/is/this'])('is at %s', async (path) => {
    const { status, headers, text } = await http.send({ path, headers: BROWSER });
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ]);
    expect(String(headers['content-security-policy']).split('; ')).toEqual(POLICY);
    expect(text).toContain('<div id="app">');
  });

  it('has nothing inline, and names only files of this server', async () => {
    const { text } = await http.send({ path: '/ui' });
    expect(text).not.toMatch(/<style| style=| on\w+=|<script(?![^>]* src=)|https?:/);
    expect(text).not.toContain('{{');
    expect(assetsOf(text).length).toBeGreaterThanOrEqual(3);
  });

  it('is not sent again while it is unchanged', async () => {
    const { headers } = await http.send({ path: '/ui/issues' });
    const again = await http.send({ path: '/ui/traces', headers: { 'if-none-match': String(headers.etag) } });
    expect([again.status, again.text]).toEqual([304, '']);
    const other = await http.send({ path: '/ui/traces', headers: { 'if-none-match': '"other"' } });
    expect(other.status).toBe(200);
  });

  it('keeps `/` as data for clients other than browsers', async () => {
    const clients: Record<string, string>[] = [{}, { accept: '*/*' }, { accept: 'application/json' }];
    for (const headers of clients) {
      const response = await http.send({ path: '/', headers });
      expect(response.json).toMatchObject({ name: 'Misstep', api: '/api/v1', docs: '/docs', ui: '/ui' });
      expect(response.headers.vary).toContain('Accept');
    }
  });
});

describe('a file of the web page', () => {
  it('is cached by the browser permanently, and compressed if accepted', async () => {
    const { text } = await http.send({ path: '/ui' });
    for (const path of assetsOf(text)) {
      const plain = await http.send({ path });
      const packed = await http.send({ path, headers: { 'accept-encoding': 'gzip, br' } });
      expect([plain.status, packed.headers['content-encoding']], path).toEqual([200, 'br']);
      expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(packed.headers.vary).toContain('Accept-Encoding');
      expect(brotliDecompressSync(packed.bytes).equals(plain.bytes), path).toBe(true);
    }
  });

  it.each(['/ui/assets/none.js', '/ui/assets/..%2f..%2fpackage.json', '/ui/assets/__proto__'])(
    'that does not exist is 404: %s',
    async (path) => expect((await http.send({ path })).status).toBe(404),
  );
});

it('names its files below the base path of the public URL', async () => {
  const files = await bundledWebFiles();
  const behindProxy = await startHttpApp(
    { publicUrl: { origin: 'https://traces.example', basePath: '/misstep' } },
    {},
    { readWebFiles: () => files },
  );
  try {
    const { text } = await behindProxy.send({ path: '/misstep/ui/issues' });
    const addresses = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
    expect(addresses.filter((address) => !address.startsWith('/misstep/'))).toEqual([]);
    expect((await behindProxy.send({ path: addresses[0]! })).status).toBe(200);
  } finally {
    await behindProxy.close();
  }
});

const overBudget = (sizes: ReadonlyMap<string, number>, budget: number) =>
  [...sizes].filter(([, bytes]) => bytes > budget).map(([name]) => name);

it('loads at most 25 KB with a view', async () => {
  const { page, files } = await bundledWebFiles();
  const first = new Set([...page.matchAll(/assets\/([^"]+)"/g)].map((match) => match[1]!));
  const lazy = new Map(
    [...files].filter(([name]) => !first.has(name)).map(([name, { brotli }]) => [name, brotli.length]),
  );
  expect(lazy.size).toBeGreaterThan(10);
  expect(overBudget(lazy, LAZY_BUDGET)).toEqual([]);
  const largest = [...lazy].reduce((a, b) => (b[1] > a[1] ? b : a));
  expect(overBudget(lazy, largest[1] - 1)).toContain(largest[0]);
});

it('is small: the first view and all views together', async () => {
  const { page, files } = await bundledWebFiles();
  const first = [...page.matchAll(/assets\/([^"]+)"/g)].map((match) => files.get(match[1]!)!.brotli.length);
  const all = [...files.values()].map(({ brotli }) => brotli.length);
  const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0);
  expect(sum(first)).toBeGreaterThan(5_000);
  expect(sum(first)).toBeLessThan(FIRST_LOAD_BUDGET);
  expect(sum(all)).toBeLessThan(ALL_BUDGET);
});
