import type { Refusal } from '../../core/span.ts';
import type { IngestService } from '../ingest/ingest.service.ts';
import { decodeEntries } from './decode-entries.ts';
import { type DrainReport, drainSpool, type SpoolBatch } from './drain-spool.ts';

export interface StoreDrainReport extends DrainReport {
  spans: number;
  /** Tenants that got spans. */
  tenantIds: string[];
  refusals: Refusal[];
}

export interface DrainTarget {
  ingest: Pick<IngestService, 'ingestSpans'>;
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
      const decoded = decodeEntries(group);
      // A key for each tenant: a crash between two of them must not pass for both.
      await target.ingest.ingestSpans(tenantId, decoded, { onceKey: `${onceKey} ${tenantId}` });
      taken.spans += decoded.spans.length;
      taken.tenantIds.add(tenantId);
      taken.refusals.push(...decoded.refusals);
    }
  }

  const report = await drainSpool(folder, sink, target.now());
  return { ...report, ...taken, tenantIds: [...taken.tenantIds] };
}
