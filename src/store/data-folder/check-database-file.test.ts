import { describe, expect, it } from 'vitest';
import { readHeader } from './check-database-file.ts';

function header(fields: {
  pageBytes?: number;
  pages?: number;
  counter?: number;
  validFor?: number;
  id?: number;
}): Buffer {
  const bytes = Buffer.alloc(100);
  bytes.write('SQLite format 3\0', 'latin1');
  bytes.writeUInt16BE(fields.pageBytes ?? 4096, 16);
  bytes.writeUInt32BE(fields.counter ?? 5, 24);
  bytes.writeUInt32BE(fields.pages ?? 3, 28);
  bytes.writeUInt32BE(fields.id ?? 0, 68);
  bytes.writeUInt32BE(fields.validFor ?? 5, 92);
  return bytes;
}

describe('the header of a SQLite file', () => {
  it.each([
    ['as SQLite writes it', header({}), { pageBytes: 4096, pageCount: 3, applicationId: 0 }],
    ['with the largest page', header({ pageBytes: 1 }), { pageBytes: 65_536, pageCount: 3, applicationId: 0 }],
    [
      'without a maintained page count',
      header({ validFor: 4 }),
      { pageBytes: 4096, pageCount: null, applicationId: 0 },
    ],
    ['of an application', header({ id: 7 }), { pageBytes: 4096, pageCount: 3, applicationId: 7 }],
    ['with a page size that is not a power of two', header({ pageBytes: 5000 }), null],
    ['with too small a page', header({ pageBytes: 256 }), null],
    ['cut short', header({}).subarray(0, 99), null],
    ['with another beginning', header({}).fill(0, 0, 1), null],
    ['of no bytes', Buffer.alloc(0), null],
  ])('%s', (_name, bytes, expected) => expect(readHeader(bytes)).toEqual(expected));
});
