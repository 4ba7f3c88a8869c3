import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultOfErrno, faultOfSqlite, STORE_FAULTS, StoreFault, type StoreFaultReason } from './store-fault.ts';

const withCode = (code: string) => Object.assign(new Error(`text of ${code}`), { code });

describe('errors on opening', () => {
  it.each([
    ['EACCES', 'no_permission'],
    ['EPERM', 'no_permission'],
    ['EROFS', 'read_only'],
    ['ENOSPC', 'disk_full'],
    ['EDQUOT', 'disk_full'],
    ['ENAMETOOLONG', 'name_too_long'],
    ['ENOTDIR', 'not_a_folder'],
    ['ELOOP', 'link_loop'],
    ['ENOENT', 'cannot_create'],
    ['EIO', 'disk_error'],
  ])('%s of the file system is %s', (code, reason) => {
    expect(faultOfErrno(withCode(code), '/data')).toMatchObject({ code: 'store_unusable', reason, path: '/data' });
  });

  it.each([
    ['SQLITE_CORRUPT', 'damaged'],
    ['SQLITE_CORRUPT_INDEX', 'damaged'],
    ['SQLITE_NOTADB', 'not_a_database'],
    ['SQLITE_READONLY_DIRECTORY', 'read_only'],
    ['SQLITE_FULL', 'disk_full'],
    ['SQLITE_IOERR_READ', 'disk_error'],
    ['SQLITE_CANTOPEN', 'no_permission'],
  ])('%s of SQLite is %s', (code, reason) => {
    expect(faultOfSqlite(withCode(code), '/data/misstep.db')).toMatchObject({ code: 'store_unusable', reason });
  });

  it('a locked file is `busy`, and other errors are unchanged', () => {
    expect(faultOfSqlite(withCode('SQLITE_BUSY'), '/x')).toMatchObject({ code: 'busy' });
    for (const error of [withCode('SQLITE_CONSTRAINT'), new Error('x'), undefined]) {
      expect(faultOfSqlite(error, '/x')).toBe(error);
      expect(faultOfErrno(error, '/x')).toBe(error);
    }
    const fault = new StoreFault('damaged', '/x');
    expect(faultOfErrno(faultOfSqlite(fault, '/y'), '/y')).toBe(fault);
  });
});

describe('each fault', () => {
  const reasons = Object.keys(STORE_FAULTS) as StoreFaultReason[];
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/data-folder.md'), 'utf8');

  it.each(reasons)('%s names path, problem and remedy, and hides the path from clients', (reason) => {
    const fault = new StoreFault(reason, '/secret/path', { detail: 'detail' });
    const { problem, remedy } = STORE_FAULTS[reason];
    expect(fault.message).toBe(`/secret/path ${problem} (detail). ${remedy}`);
    expect(fault.publicMessage).not.toMatch(/secret|detail/);
  });

  it.each(reasons)('%s is in docs/data-folder.md', (reason) => {
    expect(page).toContain(STORE_FAULTS[reason].problem);
  });
});
