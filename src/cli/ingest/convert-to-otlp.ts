import { decodeEntries, type ReceivedBody } from '../../features/spool/decode-entries.ts';
import { encodeOtlpJson } from '../../formats/otlp/encode-json.ts';

/** One OTLP/JSON body with all spans; `nothing` if the records contain none, null if nothing is recognized. */
export function convertToOtlp(received: readonly ReceivedBody[]): Buffer | 'nothing' | null {
  const { spans, rejections } = decodeEntries(received);
  if (spans.length === 0) return rejections.length === 0 ? 'nothing' : null;
  return Buffer.from(encodeOtlpJson(spans));
}
