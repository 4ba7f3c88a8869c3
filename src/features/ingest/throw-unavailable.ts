import { AppError } from '../../core/app-error.ts';
import { toStorageError } from '../../store/storage-failure.ts';

/** A full disk or a locked file is the service's fault, which a sender may retry; it must never look like success. */
export function throwUnavailable(error: unknown): never {
  const storageError = toStorageError(error);
  if (storageError !== null) throw storageError;
  if (error instanceof AppError) throw error;
  throw new AppError('unavailable', 'The database cannot be written at the moment.', {
    retryAfterSeconds: 5,
    cause: error,
  });
}
