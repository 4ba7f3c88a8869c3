import type { RedactionOptions } from '../../formats/redaction/kinds.ts';
import { createRedactor } from '../../formats/redaction/redactor.ts';
import { type BodyDecoder, type PreparedBody, prepareSpans } from './prepare.ts';

export interface PrepareRequest<Params> {
  tenantNo: number;
  /** Ownership passes to the executor: another thread may take the buffer. */
  body: Buffer;
  params: Params;
  /** Unix milliseconds. */
  now: number;
  /** No sender waits for the response, so there is no time limit. */
  isBackground?: boolean;
}

/** Where bodies are decoded, redacted and packed: worker threads in a server, the calling thread in a command. */
export interface PrepareExecutor {
  /** @throws AppError as the decoder does; `backpressure` if it would take too long, `unavailable` if no worker can start */
  prepare<Params, Facts>(
    decoder: BodyDecoder<Params, Facts>,
    request: PrepareRequest<Params>,
  ): Promise<PreparedBody<Facts>>;
  /** Estimated wait of a body with this many bytes. */
  waitMs(tenantNo: number, bytes: number): number;
  /** Age of the oldest body. */
  oldestMs(): number;
  /** Bytes of bodies that are queued or in progress. */
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
