import { homedir } from 'node:os';
import type { Logger } from 'pino';
import type { App } from '../../app/open-app.ts';
import { localTenantId } from '../../client/local-tenant.ts';
import type { Clock } from '../../core/clock.ts';
import { drainIntoStore } from '../../features/spool/drain-into-store.ts';
import { claudeFolder, readTranscriptFile } from '../../features/spool/transcript-file.ts';
import { isStorageFailure } from './is-storage-failure.ts';

/** Spooled records stay in the spool while nothing can be stored. */
export async function drainSpool(
  { services }: App,
  { folder, clock, logger }: { folder: string; clock: Clock; logger: Logger },
): Promise<void> {
  if (!services.storage.isWritable()) return;
  const report = await drainIntoStore(folder, {
    ingest: services.ingest,
    tenantIdOf: (named) => localTenantId(services.tenants, named),
    now: () => clock.now(),
    readTranscript: (path) => readTranscriptFile(path, claudeFolder(homedir(), process.env)),
  });
  const { files, entries, spans, torn, refused, rejections, failures } = report;
  if (files > 0) logger.info({ entries, spans }, 'stored records from the spool');
  if (torn + refused + rejections.length > 0)
    logger.warn({ torn, refused, rejections: rejections.slice(0, 5) }, 'records in the spool were lost');
  for (const { file, error } of failures)
    if (!isStorageFailure(error)) logger.warn({ file, err: error }, 'a spool file could not be ingested');
}
