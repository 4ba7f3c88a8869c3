import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSpans } from '../src/cli/analyze/run-analyze.ts';
import type { Json } from '../src/core/json.ts';
import { decodeChunk } from '../src/store/span-chunk.ts';
import { type HttpFixture, startHttpApp, type Tenant } from './support/http-app.ts';

/** `misstep analyze FILE` and a server read the same files with secrets in them; markers differ by their key only. */

const FIXTURES = join(import.meta.dirname, 'fixtures');
/** Created at run time, so that scanners do not report this file as a leak. */
const TOKEN = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');
const PASSWORD = ['Tr0ub', 'ador7', 'x3'].join('');
const SECRET_FORMS = [
  ` with ${TOKEN}`,
  ` and "password": "${PASSWORD}"`,
  ` as ${Buffer.from(`ada:${TOKEN}`).toString('base64')}`,
  ` or ${TOKEN.slice(0, 9)}\u200b${TOKEN.slice(9)}`,
  ` https://ada:${PASSWORD}@example.org/x`,
];

let http: HttpFixture;
let tenant: Tenant;
beforeEach(async () => {
  http = await startHttpApp();
  tenant = await http.newTenant('desk');
});
afterEach(() => http.close());

/** The document, or each line of it, with a secret after every text of several words. */
function withSecrets(content: string): string {
  let count = 0;
  const value = (each: Json): Json => {
    if (typeof each === 'string') return / \S+ /.test(each) ? each + SECRET_FORMS[count++ % SECRET_FORMS.length] : each;
    if (Array.isArray(each)) return each.map(value);
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([key, member]) => [key, value(member)]));
  };
  try {
    return JSON.stringify(value(JSON.parse(content) as Json));
  } catch {
    const lines = content.split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.stringify(value(JSON.parse(line) as Json))).join('\n');
  }
}

/** Texts with a marker, which is written without its digest. */
function redactedTexts(spans: unknown): string[] {
  const texts = new Set<string>();
  JSON.stringify(spans, (_key, each) => {
    if (typeof each === 'string' && each.includes('[redacted:'))
      texts.add(each.replace(/(\[redacted:[a-z_]+):[0-9a-f]{4}\]/g, '$1]'));
    return typeof each === 'bigint' ? `${each}` : each;
  });
  return [...texts].sort();
}

function storedSpans(): unknown[] {
  const db = new Sqlite(join(http.dataFolder, 'misstep.db'), { readonly: true });
  const rows = db.prepare('select trace_id, data from span_chunks').all() as { trace_id: string; data: Buffer }[];
  db.close();
  return rows.map(({ trace_id, data }) => decodeChunk(data, trace_id));
}

describe('analyze and the server redact the same texts', () => {
  it.each([
    'otlp/js-sdk3.json',
    'records/refund-desk.record.json',
    'hooks/claude-code-session.jsonl',
    'hooks/cursor-session.jsonl',
    'conventions/langgraph/supervisor-healthy.json',
    'conventions/claude-code/interaction.json',
    'openai-agents/courier-lookup.export.jsonl',
    'langsmith/library.runs.jsonl',
    'trail/library-desk.trace.json',
  ])('%s', async (file) => {
    const body = Buffer.from(withSecrets(readFileSync(join(FIXTURES, file), 'utf8')));
    const { spans } = readSpans(body, file, 0);
    const response = await http.send({
      method: 'POST',
      path: '/api/v1/import-jobs?file_name=a.json',
      credential: tenant.apiKey,
      body,
      headers: { 'content-type': 'application/x-ndjson' },
    });
    expect(response.status, response.text).toBeLessThan(300);
    await http.services.imports.runDue(10);
    const stored = redactedTexts(storedSpans());
    const analyzed = redactedTexts(spans);
    expect(analyzed.length).toBeGreaterThan(0);
    expect(stored).toEqual(analyzed);
    expect(JSON.stringify(stored)).not.toContain(TOKEN);
    expect(JSON.stringify(stored)).not.toContain(PASSWORD);
  });
});
