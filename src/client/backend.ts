import type { WebAddress } from '../core/web-address.ts';
import type { AnyOperation, InputOf, OutputOf } from '../features/_kit/operation.ts';
import type { ImportRecord } from '../features/imports/import.record.ts';
import type { ImportRequest } from '../features/imports/new-import-job.ts';

/** The same operations against the local store or a server; commands do not know which. */
export interface Backend {
  /** @throws AppError */
  call<Op extends AnyOperation>(operation: Op, input: InputOf<Op>): Promise<OutputOf<Op>>;
  /** The tenant to use if a command names none. @throws AppError */
  tenantId(): Promise<string>;
  /** Stores OTLP/JSON for that tenant. Resolves after the commit. @throws AppError */
  ingestOtlp(body: string): Promise<{ acceptedSpans: number; rejectedSpans: number }>;
  /** Creates an import job for a file, or finds the existing job with the same content. @throws AppError */
  addImport(path: string, request: ImportRequest): Promise<{ job: ImportRecord; isKnown: boolean }>;
  /** Runs the job if no server does it in the background; releases it when the signal aborts. */
  workOnImport(importJobId: string, signal: AbortSignal): Promise<void>;
  /** Analyzes queued traces if no server does it in the background. */
  workOnAnalyses(): Promise<void>;
  /** Runs deletion jobs if no server does it in the background. */
  workOnDeletions(): Promise<void>;
  /** Fetches runs of registered platforms if no server does it in the background; stops when the signal aborts. */
  workOnSyncs(signal: AbortSignal): Promise<void>;
  /** All data of that tenant as lines that an import can restore. @throws AppError */
  exportLines(): Promise<AsyncIterable<string | Uint8Array>>;
  /** Addresses of the dashboard's pages. */
  pages(): Promise<WebAddress>;
  close(): Promise<void>;
}
