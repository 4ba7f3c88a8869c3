import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { OfflineModelCatalog } from '../../formats/model-catalog/catalog.ts';
import type { Database } from '../../store/schema.ts';
import type { TraceCache } from '../traces/trace-cache.ts';

/** Dependencies of a task. In a worker thread `db` is a read-only connection of its own. */
export interface OffloadContext {
  db: Kysely<Database>;
  models: OfflineModelCatalog;
  traces: TraceCache;
}

/**
 * `read`: stored data, or the response of a platform. `check`: a text of the request. `judge`: detectors on one stored
 * trace.
 */
export type OffloadKind = 'read' | 'check' | 'judge';

/** Work that would block the event loop of a server; it runs in a worker thread. */
export interface OffloadTask<Input, Output = unknown> {
  /** `noun.verb`, unique. */
  name: string;
  kind: OffloadKind;
  /** Creates a document in pieces. @throws AppError before the first piece if the input is rejected */
  run(context: OffloadContext, input: Input): AsyncIterable<string> | Iterable<string>;
  /** The parsed document, for type checking alone. */
  outputType?: Output;
}

export function defineTask<Output>() {
  return <Input>(task: OffloadTask<Input, Output>): OffloadTask<Input, Output> => task;
}

/** The error if a task takes too long or too much memory. */
export class TooHeavyError extends AppError {
  constructor(kind: OffloadKind) {
    if (kind === 'check') super('invalid_body', 'The text takes too long to check: send it in shorter parts.');
    else super('unavailable', 'Reading this takes too long or too much memory: read it in smaller parts.');
    this.name = 'TooHeavyError';
  }
}
