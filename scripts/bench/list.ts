import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_CONFIG } from '../../src/app/config.ts';
import { openApp } from '../../src/app/open-app.ts';
import { decodeOtlpJson } from '../../src/formats/otlp/decode-json.ts';
import { createTraffic } from './sample-traffic.ts';
import { startServer } from './server.ts';
import { type ResponseTimes, timeResponses } from './time-answers.ts';

export interface ListFigures {
  spans: number;
  traces: number;
  /** Milliseconds over HTTP, by request. */
  pages: Record<string, ResponseTimes>;
}

const SPANS_PER_BODY = 1_000;

/** Fills a store through the real ingest service, then requests pages over HTTP. */
export async function measureList(spans: number): Promise<ListFigures> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'misstep-list-'));
  try {
    const { tenantId, apiKey } = await fill(dataFolder, spans);
    const server = await startServer({ durability: 'normal', dataFolder });
    try {
      const base = `${server.url}/api/v1/tenants/${tenantId}/traces`;
      const headers = { 'x-svc-api-key': apiKey };
      const deep = await cursorAt(base, headers, 20);
      const pages = {
        'first page of 50': await timeResponses(`${base}?page_size=50`, headers),
        'page 100': await timeResponses(`${base}?page_size=50&page=100`, headers),
        'by cursor': await timeResponses(`${base}?page_size=50&cursor=${deep}`, headers),
        'status=running': await timeResponses(`${base}?page_size=50&status=running`, headers),
        'text of the name': await timeResponses(`${base}?page_size=50&q=order`, headers),
        'by cost': await timeResponses(`${base}?page_size=50&sort=cost`, headers),
        facets: await timeResponses(`${base}/facets`, headers),
        histogram: await timeResponses(`${base}/histogram`, headers),
        'a day': await timeResponses(`${base}?page_size=50&date_from=2020-01-01&date_to=2100-01-01`, headers),
      };
      return { spans, traces: spans / 20, pages };
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

async function fill(dataFolder: string, spans: number): Promise<{ tenantId: string; apiKey: string }> {
  const app = await openApp({
    ...DEFAULT_CONFIG,
    dataFolder,
    idleMs: 86_400_000,
    settleMs: 86_400_000,
    maxQueuedSpans: 1e6,
  });
  const tenant = await app.services.tenants.create({ name: 'bench' });
  for (let body = 0; body < spans / SPANS_PER_BODY; body += 1) {
    const traffic = createTraffic({
      bodies: 1,
      spansPerBody: SPANS_PER_BODY,
      seed: body + 1,
      startMs: Date.now() - body * 7_000,
    });
    await app.services.ingest.ingestSpans(tenant.tenant_id, decodeOtlpJson(Buffer.from(traffic.bodies[0] as string)), {
      onceKey: `bench-${body}`,
    });
  }
  await app.close();
  return { tenantId: tenant.tenant_id, apiKey: tenant.api_key };
}

async function cursorAt(base: string, headers: Record<string, string>, depth: number): Promise<string> {
  let cursor = '';
  for (let page = 0; page < depth; page += 1) {
    const response = await fetch(`${base}?page_size=200${cursor && `&cursor=${cursor}`}`, { headers });
    cursor = ((await response.json()) as { next_cursor: string }).next_cursor;
  }
  return cursor;
}
