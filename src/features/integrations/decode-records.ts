import type { JsonObject } from '../../core/json.ts';
import type { Decoded } from '../../core/span.ts';

/** Decodes the records of a response one by one: an invalid record affects only itself. */
export function decodeRecords(
  records: readonly JsonObject[],
  decode: (record: JsonObject) => Decoded,
): Decoded & { refused: number } {
  const all: Decoded & { refused: number } = { spans: [], refusals: [], refused: 0 };
  for (const record of records) {
    const { spans, refusals } = decodeOne(record, decode);
    for (const span of spans) all.spans.push(span);
    for (const refusal of refusals) all.refusals.push(refusal);
    if (spans.length === 0 && refusals.length > 0) all.refused += 1;
  }
  return all;
}

/** Decoders walk a record recursively. */
function decodeOne(record: JsonObject, decode: (record: JsonObject) => Decoded): Decoded {
  try {
    return decode(record);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { spans: [], refusals: [{ pointer: '', message: 'the record is nested too deeply' }] };
  }
}
