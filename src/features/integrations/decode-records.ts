import type { JsonObject } from '../../core/json.ts';
import type { Decoded } from '../../core/span.ts';

/** Decodes the records of a response one by one: an invalid record affects only itself. */
export function decodeRecords(
  records: readonly JsonObject[],
  decode: (record: JsonObject) => Decoded,
): Decoded & { rejected: number } {
  const all: Decoded & { rejected: number } = { spans: [], rejections: [], rejected: 0 };
  for (const record of records) {
    const { spans, rejections } = decodeOne(record, decode);
    for (const span of spans) all.spans.push(span);
    for (const rejection of rejections) all.rejections.push(rejection);
    if (spans.length === 0 && rejections.length > 0) all.rejected += 1;
  }
  return all;
}

/** Decoders walk a record recursively. */
function decodeOne(record: JsonObject, decode: (record: JsonObject) => Decoded): Decoded {
  try {
    return decode(record);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { spans: [], rejections: [{ pointer: '', message: 'the record is nested too deeply' }] };
  }
}
