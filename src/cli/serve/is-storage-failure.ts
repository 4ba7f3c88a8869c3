import { AppError } from '../../core/app-error.ts';
import { storageFailureOf } from '../../store/storage-failure.ts';

/** Whether the reason is the disk or the database. The storage guard reports these once for all work. */
export function isStorageFailure(error: unknown): boolean {
  return storageFailureOf(error) !== null || (error instanceof AppError && error.code === 'storage_unavailable');
}
