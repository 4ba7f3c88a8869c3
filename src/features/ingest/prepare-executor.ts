import type { RedactionOptions } from '../../formats/redaction/kinds.ts';
import { createRedactor } from '../../formats/redaction/redactor.ts';
import { type BodyDecoder, type PreparedBody, prepareSpans } from './prepare.ts';

export interface PrepareRequest<Params> {
  tenantNo: number;
  /** Nothing else may use it afterwards: another thread may take it over. */
  body: Buffer;
  params: Params;
  /** Unix milliseconds. */
  now: number;
  /** No sender waits for the answer, so it may take its time. */
  isBackground?: boolean;
}

/** Where bodies are decoded, redacted and packed: worker threads in a server, the same thread in a command. */
export interface PrepareExecutor {
  /** @throws AppError as the decoder does; `backpressure` where it would take too long, `unavailable` where no worker can start */
  prepare<Params, Facts>(
    decoder: BodyDecoder<Params, Facts>,
    request: PrepareRequest<Params>,
  ): Promise<PreparedBody<Facts>>;
  /** How long a body of that many bytes would probably wait. */
  waitMs(tenantNo: number, bytes: number): number;
  /** How long the oldest body has waited. */
  oldestMs(): number;
  /** Bytes of bodies that wait or are in work. */
  bytesWaiting(): number;
  close(): Promise<void>;
}

export function createInThreadPrepare(redaction: RedactionOptions): PrepareExecutor {
  const redactor = createRedactor(redaction);
  return {
    prepare: async (decoder, { tenantNo, body, params, now }) =>
      prepareSpans(decoder.decode(body, params), { redactor, tenant: String(tenantNo), now }, decoder.complete),
    waitMs: () => 0,
    oldestMs: () => 0,
    bytesWaiting: () => 0,
    close: async () => {},
  };
}
