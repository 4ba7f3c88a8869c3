import { parseJson } from '../../core/json.ts';
import type { Decoded } from '../../core/span.ts';
import { decodeRecord } from './decode-record.ts';

/** Decodes records one by one, for files of any size. A bad line only affects itself. */
export function* decodeRecords(lines: Iterable<string>): Generator<Decoded> {
  let number = 0;
  for (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    yield decodeLine(line, number);
  }
}

function decodeLine(line: string, number: number): Decoded {
  const record = parseJson(line);
  if (record === undefined) return { spans: [], rejections: [{ pointer: `line ${number}`, message: 'not JSON' }] };
  const { spans, rejections } = decodeRecord(record);
  const at = (pointer: string) => (pointer === '' ? `line ${number}` : `line ${number}${pointer}`);
  return { spans, rejections: rejections.map(({ pointer, message }) => ({ pointer: at(pointer), message })) };
}
