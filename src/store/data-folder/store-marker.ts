import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultOfErrno } from '../store-fault.ts';
import { MARKER_FILE } from './entries.ts';
import { replaceOwnerFile } from './owner-file.ts';

const STORE_ID = /^str_[0-9a-z]{8,64}$/;

/** Id of the store that the folder holds; null if the folder has no marker. @throws StoreFault */
export function readMarker(folder: string): string | null {
  const file = join(folder, MARKER_FILE);
  try {
    const id = readFileSync(file, 'utf8').trim();
    // A marker truncated by a power failure counts as missing: the database holds the same id.
    return STORE_ID.test(id) ? id : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw faultOfErrno(error, file);
  }
}

/** @throws StoreFault */
export function writeMarker(folder: string, storeId: string): void {
  const file = join(folder, MARKER_FILE);
  try {
    replaceOwnerFile(file, `${storeId}\n`);
  } catch (error) {
    throw faultOfErrno(error, file);
  }
}
