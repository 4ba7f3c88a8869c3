import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runSpans, toRequest } from '../../../test/support/store-app.ts';
import { DEFAULT_CONFIG } from '../../app/config.ts';
import { planOwnMemory } from '../../app/memory-plan.ts';
import { openApp } from '../../app/open-app.ts';
import { systemClock } from '../../core/clock.ts';
import { DEFAULT_HTTP_CONFIG } from '../../http/http-config.ts';
import { startServer } from './start-server.ts';

let dataFolder: string;
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'misstep-serve-'));
});
afterEach(() => rm(dataFolder, { recursive: true }));

/** A store whose traces were analyzed by a version that stored no figures. */
async function oldStore(traces: number): Promise<string> {
  const app = await openApp({ ...DEFAULT_CONFIG, dataFolder });
  const { tenant_id } = await app.services.tenants.create({ name: 'old' });
  const startNs = BigInt(Date.now()) * 1_000_000n;
  for (let at = 1; at <= traces; at += 1)
    await app.services.ingest.ingest(tenant_id, toRequest(runSpans(at, { startNs })));
  await app.services.analysis.runAllNow(tenant_id);
  const { db } = app.store;
  await db.updateTable('traces').set({ figures: null, figures_day: null, workflow_id: null }).execute();
  await db.deleteFrom('daily_figures').execute();
  await db.deleteFrom('workflows').execute();
  await app.close();
  return tenant_id;
}

it('a server adds what an earlier version did not sum, by itself', { timeout: 60_000 }, async () => {
  const tenantId = await oldStore(30);
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const http = { ...DEFAULT_HTTP_CONFIG, port: 0, rateLimits: null };
  const server = await startServer(
    { app: { ...DEFAULT_CONFIG, dataFolder }, http, memory: planOwnMemory() },
    { clock: systemClock, logger },
  );
  try {
    const { analytics } = server.app.services;
    await vi.waitFor(async () => expect((await analytics.cost(tenantId, 2)).total_traces).toBe(30), 30_000);
    await vi.waitFor(() => expect(lines.join('')).toContain('added traces of an earlier version'), 30_000);
  } finally {
    await server.close();
  }
});
