import type { ReceivedBody } from '../../features/spool/decode-entries.ts';
import { appendEntry, DEFAULT_SPOOL_LIMITS } from '../../features/spool/spool-writer.ts';
import { EXIT } from '../exit-code.ts';
import type { IngestOptions } from './ingest-options.ts';

/** Outcome for a body: its exit code under `--strict`, and a line for `--verbose`. */
export interface IngestOutcome {
  exitCode: number;
  message: string;
}

export function spool(folder: string, received: ReceivedBody, options: IngestOptions): IngestOutcome {
  const limits = { ...DEFAULT_SPOOL_LIMITS, maxBytes: options.maxSpoolBytes ?? DEFAULT_SPOOL_LIMITS.maxBytes };
  const isAppended = appendEntry(folder, { ...received, tenantId: options.tenant }, limits);
  return isAppended
    ? { exitCode: EXIT.clean, message: `${received.body.length} bytes spooled in ${folder}` }
    : { exitCode: EXIT.busy, message: `the spool ${folder} is full; the record was dropped` };
}
