import type { AnyOperation, InputOf, OutputOf } from '../features/_kit/operation.ts';

/** The same operations on the local store or on a server; a command never knows which. */
export interface Backend {
  /** @throws AppError */
  call<Op extends AnyOperation>(operation: Op, input: InputOf<Op>): Promise<OutputOf<Op>>;
  /** The tenant whose data is meant where a command names none. @throws AppError */
  tenantId(): Promise<string>;
  /** Stores OTLP/JSON for that tenant. Resolves once it is committed. @throws AppError */
  ingestOtlp(body: string): Promise<{ acceptedSpans: number; rejectedSpans: number }>;
  close(): Promise<void>;
}
