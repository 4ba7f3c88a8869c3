import type { Refusal } from '../../core/span.ts';
import type { IngestService } from '../ingest/ingest.service.ts';
import { type DrainReport, drainSpool, type SpoolBatch } from './drain-spool.ts';
import { type PlacedEntry, spoolEntries } from './spool-entries.decoder.ts';

export interface StoreDrainReport extends DrainReport {
  spans: number;
  /** Tenants that got spans. */
  tenantIds: string[];
  refusals: Refusal[];
}

export interface DrainTarget {
  ingest: Pick<IngestService, 'prepare' | 'ingestPrepared'>;
  /** Id of the tenant an entry names by id or name; of the default one for null. */
  tenantIdOf(named: string | null): Promise<string>;
  now(): number;
}

/** Takes every entry of the folder into the store, each exactly once, whatever crashes in between. */
export async function drainIntoStore(folder: string, target: DrainTarget): Promise<StoreDrainReport> {
  const taken = { spans: 0, tenantIds: new Set<string>(), refusals: [] as Refusal[] };

  async function sink({ onceKey, entries }: SpoolBatch): Promise<void> {
    const byTenant = Map.groupBy(entries, (entry) => entry.tenantId);
    for (const [named, group] of byTenant) {
      const tenantId = await target.tenantIdOf(named);
      const body = Buffer.concat(group.map((entry) => entry.body));
      const entries = group.map((entry): PlacedEntry => {
        const { receivedAtMs, contentType } = entry;
        return { receivedAtMs, contentType, length: entry.body.length };
      });
      const prepared = await target.ingest.prepare(tenantId, spoolEntries, body, { entries }, { isBackground: true });
      // A key for each tenant: a crash between two of them must not pass for both.
      await target.ingest.ingestPrepared(tenantId, prepared, { onceKey: `${onceKey} ${tenantId}` });
      taken.spans += prepared.acceptedSpans;
      taken.tenantIds.add(tenantId);
      taken.refusals.push(...prepared.facts.refusals);
    }
  }

  const report = await drainSpool(folder, sink, target.now());
  return { ...report, ...taken, tenantIds: [...taken.tenantIds] };
}
