import { decodeEntries, type ReceivedBody } from '../../features/spool/decode-entries.ts';
import { encodeOtlpJson } from '../../formats/otlp/encode-json.ts';

/** One OTLP/JSON body with the spans of all; null where none holds any. */
export function convertToOtlp(received: readonly ReceivedBody[]): Buffer | null {
  const { spans } = decodeEntries(received);
  return spans.length === 0 ? null : Buffer.from(encodeOtlpJson(spans));
}
