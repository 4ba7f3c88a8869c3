import { AppError } from '../../core/app-error.ts';

/** @throws AppError `invalid_body` that names the change by its place */
export function refuseChange(place: number, message: string): never {
  throw new AppError('invalid_body', 'The change cannot be made.', {
    errors: [{ pointer: `/changes/${place}`, message }],
  });
}
