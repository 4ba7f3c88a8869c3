import { describe, expect, it } from 'vitest';
import { AppError } from '../core/app-error.ts';
import { isTransient, storageFailureOf, toStorageError } from './storage-failure.ts';

const withCode = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });

describe('disk errors', () => {
  it.each([
    ['SQLITE_FULL', 'full'],
    ['ENOSPC', 'full'],
    ['EDQUOT', 'full'],
    ['EFBIG', 'full'],
    ['SQLITE_READONLY', 'read_only'],
    ['SQLITE_READONLY_DBMOVED', 'read_only'],
    ['EROFS', 'read_only'],
    ['SQLITE_IOERR', 'failing'],
    ['SQLITE_IOERR_WRITE', 'failing'],
    ['SQLITE_CANTOPEN', 'failing'],
    ['EIO', 'failing'],
  ])('%s is %s: storage_unavailable with a retry time', (code, kind) => {
    const error = withCode(code);
    expect(storageFailureOf(error)).toEqual({ kind, code });
    expect(toStorageError(error)).toMatchObject({ code: 'storage_unavailable', retryAfterSeconds: 5, cause: error });
    expect(isTransient(error)).toBe(true);
  });

  it.each([
    ['SQLITE_BUSY', 'busy', true],
    ['SQLITE_BUSY_SNAPSHOT', 'busy', true],
    ['EMFILE', 'unavailable', false],
  ])('%s is %s', (code, expected, isTransientError) => {
    expect(toStorageError(withCode(code))).toMatchObject({ code: expected, retryAfterSeconds: 1 });
    expect(isTransient(withCode(code))).toBe(isTransientError);
  });

  it.each([
    ['an error of a statement', withCode('SQLITE_CONSTRAINT_UNIQUE')],
    ['a damaged file', withCode('SQLITE_CORRUPT')],
    ['a missing file', withCode('ENOENT')],
    ['too many file watches', withCode('ENOSPC', { syscall: 'watch' })],
    ['an error without a code', new Error('x')],
    ['no error', undefined],
    ['a text', 'SQLITE_FULL'],
  ])('%s is not a storage failure', (_name, thrown) => {
    expect([storageFailureOf(thrown), toStorageError(thrown), isTransient(thrown)]).toEqual([null, null, false]);
  });

  it.each([
    [
      'wrapped as unavailable',
      new AppError('unavailable', 'x', { cause: withCode('SQLITE_FULL') }),
      'storage_unavailable',
    ],
    ['wrapped as a conflict', new AppError('conflict', 'x', { cause: withCode('SQLITE_FULL') }), undefined],
    ['wrapped twice', new Error('x', { cause: new Error('y', { cause: withCode('EIO') }) }), 'storage_unavailable'],
  ])('%s is recognized by its cause', (_name, thrown, code) => expect(toStorageError(thrown)?.code).toBe(code));
});
