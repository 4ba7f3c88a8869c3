import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { faultOfErrno, StoreFault } from '../store-fault.ts';

/** `MStp`: marks a SQLite file as a store of Misstep. Stores of earlier versions have 0. */
export const APPLICATION_ID = 0x4d537470;

const HEADER_BYTES = 100;
const MAGIC = Buffer.from('SQLite format 3\0', 'latin1');

/** The fields of a SQLite header that are checked before SQLite opens the file. */
export interface DatabaseHeader {
  pageBytes: number;
  /** Null if an old program wrote the file last and did not maintain the count. */
  pageCount: number | null;
  applicationId: number;
}

/** @returns null if these bytes are not the beginning of a SQLite file */
export function readHeader(bytes: Buffer): DatabaseHeader | null {
  if (bytes.length < HEADER_BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  const size = bytes.readUInt16BE(16);
  const pageBytes = size === 1 ? 65_536 : size;
  const isPowerOfTwo = pageBytes >= 512 && (pageBytes & (pageBytes - 1)) === 0;
  if (!isPowerOfTwo) return null;
  const isCountValid = bytes.readUInt32BE(24) === bytes.readUInt32BE(92);
  return {
    pageBytes,
    pageCount: isCountValid ? bytes.readUInt32BE(28) : null,
    applicationId: bytes.readUInt32BE(68),
  };
}

/**
 * Checks that are possible without SQLite: the header, the length, and whether the folder already holds a store.
 * @param hasMarker whether the folder holds the marker of a store
 * @returns null if there is no database yet and SQLite creates one
 * @throws StoreFault
 */
export function checkDatabaseFile(file: string, hasMarker: boolean): DatabaseHeader | null {
  const found = readStart(file);
  if (found === null) {
    if (hasMarker) throw new StoreFault('database_missing', file);
    return null;
  }
  if (found.bytes === 0) {
    if (hasMarker) throw new StoreFault('emptied', file);
    return null;
  }
  const header = readHeader(found.start);
  if (header === null) throw new StoreFault('not_a_database', file);
  if (header.applicationId !== 0 && header.applicationId !== APPLICATION_ID)
    throw new StoreFault('foreign_database', file);
  const expected = (header.pageCount ?? 0) * header.pageBytes;
  // With a write-ahead log the header may be ahead of the file, until SQLite has recovered it.
  if (found.bytes < expected && sizeOf(`${file}-wal`) === 0)
    throw new StoreFault('damaged', file, { detail: `${found.bytes} of ${expected} bytes` });
  return header;
}

function readStart(file: string): { start: Buffer; bytes: number } | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (code === 'ELOOP') throw new StoreFault('symbolic_link', file);
    throw faultOfErrno(error, file);
  }
  try {
    const start = Buffer.alloc(HEADER_BYTES);
    const length = readSync(descriptor, start, 0, HEADER_BYTES, 0);
    return { start: start.subarray(0, length), bytes: fstatSync(descriptor).size };
  } catch (error) {
    throw faultOfErrno(error, file);
  } finally {
    closeSync(descriptor);
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
