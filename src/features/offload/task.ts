import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { OfflineModelCatalog } from '../../formats/model-catalog/catalog.ts';
import type { Database } from '../../store/schema.ts';
import type { TraceCache } from '../traces/trace-cache.ts';

/** What a task works with. In a worker thread `db` is a read-only connection of its own. */
export interface OffloadContext {
  db: Kysely<Database>;
  models: OfflineModelCatalog;
  traces: TraceCache;
}

/** `read`: of what is stored, or of what a platform answered. `check`: of a text that was sent. `judge`: detectors on one stored trace. */
export type OffloadKind = 'read' | 'check' | 'judge';

/** Work that would hold the event loop of a server, and so runs in a worker thread. */
export interface OffloadTask<Input, Output = unknown> {
  /** `noun.verb`, unique. */
  name: string;
  kind: OffloadKind;
  /** Makes a document in pieces. @throws AppError before the first piece if the input is refused */
  run(context: OffloadContext, input: Input): AsyncIterable<string> | Iterable<string>;
  /** The parsed document, for type checking alone. */
  outputType?: Output;
}

export function defineTask<Output>() {
  return <Input>(task: OffloadTask<Input, Output>): OffloadTask<Input, Output> => task;
}

/** The answer where a task took too long or too much memory. */
export class TooHeavyError extends AppError {
  constructor(kind: OffloadKind) {
    if (kind === 'check') super('invalid_body', 'The text takes too long to check: send it in shorter parts.');
    else super('unavailable', 'Reading this takes too long or too much memory: read it in smaller parts.');
    this.name = 'TooHeavyError';
  }
}
