import type { WebAddress } from '../core/web-address.ts';
import type { AnyOperation, InputOf, OutputOf } from '../features/_kit/operation.ts';
import type { ImportRecord } from '../features/imports/import.record.ts';
import type { ImportRequest } from '../features/imports/new-import-job.ts';

/** The same operations on the local store or on a server; a command never knows which. */
export interface Backend {
  /** @throws AppError */
  call<Op extends AnyOperation>(operation: Op, input: InputOf<Op>): Promise<OutputOf<Op>>;
  /** The tenant whose data is meant where a command names none. @throws AppError */
  tenantId(): Promise<string>;
  /** Stores OTLP/JSON for that tenant. Resolves once it is committed. @throws AppError */
  ingestOtlp(body: string): Promise<{ acceptedSpans: number; rejectedSpans: number }>;
  /** Makes an import job of a file, or finds the one that was made of the same content before. @throws AppError */
  addImport(path: string, request: ImportRequest): Promise<{ job: ImportRecord; isKnown: boolean }>;
  /** Works on the job where no server does it in the background; lets go of it when the signal comes. */
  workOnImport(importJobId: string, signal: AbortSignal): Promise<void>;
  /** Analyses what waits where no server does it in the background. */
  workOnAnalyses(): Promise<void>;
  /** Works on deletion jobs where no server does it in the background. */
  workOnDeletions(): Promise<void>;
  /** Fetches runs of registered platforms where no server does it in the background; breaks off when the signal comes. */
  workOnSyncs(signal: AbortSignal): Promise<void>;
  /** All of that tenant's data as lines that an import takes back. @throws AppError */
  exportLines(): Promise<AsyncIterable<string | Uint8Array>>;
  /** Addresses of the dashboard's pages. */
  pages(): Promise<WebAddress>;
  close(): Promise<void>;
}
