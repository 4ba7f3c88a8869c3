import { AppError } from '../../core/app-error.ts';
import type { Rejection } from '../../core/span.ts';
import type { IngestService } from '../ingest/ingest.service.ts';
import { type DrainReport, drainSpool, type SpoolBatch } from './drain-spool.ts';
import { namedTranscripts } from './named-transcripts.ts';
import { recordRejected } from './rejected-records.ts';
import { sessionTranscript } from './session-transcript.decoder.ts';
import { type PlacedEntry, spoolEntries } from './spool-entries.decoder.ts';
import type { SpoolEntry } from './spool-entry.ts';

export interface StoreDrainReport extends DrainReport {
  spans: number;
  /** Tenants that received spans. */
  tenantIds: string[];
  rejections: Rejection[];
}

export interface DrainTarget {
  ingest: Pick<IngestService, 'prepare' | 'ingestPrepared'>;
  /** Id of the tenant that an entry names by id or name; null: the default tenant. */
  tenantIdOf(named: string | null): Promise<string>;
  now(): number;
  /** Bytes of a transcript that a hook call of this machine named; null if it may not be read. */
  readTranscript?(path: string): Buffer | null;
}

/** A transcript that cannot be read must not delay the hook calls. */
function nullIfUnreadable(error: unknown): null {
  if (error instanceof AppError && UNREADABLE.has(error.code)) return null;
  throw error;
}

const UNREADABLE: ReadonlySet<string> = new Set(['malformed', 'invalid_body', 'payload_too_large']);

/** Stores every entry of the folder exactly once, also after a crash at any point. */
export async function drainIntoStore(folder: string, target: DrainTarget): Promise<StoreDrainReport> {
  const stored = { spans: 0, tenantIds: new Set<string>(), rejections: [] as Rejection[] };

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
      // A key for each tenant: after a crash between two of them, only one counts as done.
      await target.ingest.ingestPrepared(tenantId, prepared, { onceKey: `${onceKey} ${tenantId}` });
      stored.spans += prepared.acceptedSpans;
      stored.tenantIds.add(tenantId);
      stored.rejections.push(...prepared.facts.rejections);
      await ingestTranscripts(group, tenantId, onceKey);
    }
  }

  /** Hook records contain neither usage nor titles; the transcript that they name does. */
  async function ingestTranscripts(entries: readonly SpoolEntry[], tenantId: string, onceKey: string): Promise<void> {
    if (target.readTranscript === undefined) return;
    for (const { path, sessionId, isTurn } of namedTranscripts(entries)) {
      const body = target.readTranscript(path);
      if (body === null) continue;
      const params = { sessionId, isTurn };
      const prepared = await target.ingest
        .prepare(tenantId, sessionTranscript, body, params, { isBackground: true })
        .catch(nullIfUnreadable);
      if (prepared === null) continue;
      await target.ingest.ingestPrepared(tenantId, prepared, {
        onceKey: `${onceKey} ${tenantId} transcript ${sessionId}`,
      });
      stored.spans += prepared.acceptedSpans;
    }
  }

  const report = await drainSpool(folder, sink, target.now());
  recordRejected(folder, stored.rejections, target.now());
  return { ...report, ...stored, tenantIds: [...stored.tenantIds] };
}
