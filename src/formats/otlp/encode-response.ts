import { WireWriter } from './wire-writer.ts';

export type OtlpEncoding = 'json' | 'protobuf';

/** JSON name of the count for each signal; protobuf uses the same field number. */
const REJECTED = { traces: 'rejectedSpans', logs: 'rejectedLogRecords' } as const;

/**
 * An `ExportTraceServiceResponse` or `ExportLogsServiceResponse`: empty on full success, as OTLP requires; otherwise a
 * `partialSuccess`. `rejected` 0 with a message is only a warning.
 */
export function encodeExportResponse(
  encoding: OtlpEncoding,
  rejected: number,
  message: string,
  signal: keyof typeof REJECTED = 'traces',
): Buffer {
  const isFullSuccess = rejected === 0 && message === '';
  if (encoding === 'json') {
    const partialSuccess = { [REJECTED[signal]]: String(rejected), errorMessage: message };
    return Buffer.from(JSON.stringify(isFullSuccess ? {} : { partialSuccess }));
  }
  const wire = new WireWriter();
  if (!isFullSuccess) {
    wire.message(1, () => {
      if (rejected !== 0) wire.varint(1, rejected);
      if (message !== '') wire.text(2, message);
    });
  }
  return wire.finish();
}

/** A `google.rpc.Status`, the body of every OTLP error; `code` is a gRPC code. */
export function encodeStatus(encoding: OtlpEncoding, code: number, message: string): Buffer {
  if (encoding === 'json') return Buffer.from(JSON.stringify({ code, message }));
  const wire = new WireWriter();
  if (code !== 0) wire.varint(1, code);
  if (message !== '') wire.text(2, message);
  return wire.finish();
}

/** Inverse of the HTTP mapping in `google/rpc/code.proto`. */
const GRPC_CODES: Readonly<Record<number, number>> = {
  400: 3,
  401: 16,
  402: 8,
  403: 7,
  404: 5,
  405: 12,
  408: 4,
  409: 10,
  412: 9,
  413: 8,
  415: 3,
  422: 3,
  428: 9,
  429: 8,
  499: 1,
  500: 13,
  501: 12,
  502: 14,
  503: 14,
  504: 4,
};

/** The gRPC code for an HTTP status; 0 for success, 2 (unknown) if none corresponds. */
export function grpcCodeOf(httpStatus: number): number {
  if (httpStatus < 400) return 0;
  return GRPC_CODES[httpStatus] ?? (httpStatus < 500 ? 3 : 2);
}
