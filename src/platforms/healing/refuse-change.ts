import { AppError } from '../../core/app-error.ts';

/** @throws AppError `invalid_body` that names the change by its place */
export function refuseChange(place: number, message: string): never {
  throw new AppError('invalid_body', 'The change cannot be made.', {
    errors: [{ pointer: `/changes/${place}`, message }],
  });
}

/** @throws AppError `invalid_body` about what stands at the target */
export function refuseText(message: string): never {
  throw new AppError('invalid_body', 'The change cannot be made.', { errors: [{ pointer: '/target', message }] });
}

/** @throws AppError `invalid_body` where a change would leave everything as it is */
export function refuseNoChange(before: string, after: string): string {
  if (before !== after) return after;
  throw new AppError('invalid_body', 'The change changes nothing: it stands there already.', {
    errors: [{ pointer: '/changes', message: 'change nothing' }],
  });
}
