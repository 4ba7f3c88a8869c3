import { AppError } from '../../core/app-error.ts';

/** @throws AppError `invalid_body` that names the change by its index */
export function rejectChange(place: number, message: string): never {
  throw new AppError('invalid_body', 'The change cannot be made.', {
    errors: [{ pointer: `/changes/${place}`, message }],
  });
}

/** @throws AppError `invalid_body` about the target's content */
export function rejectContent(message: string): never {
  throw new AppError('invalid_body', 'The change cannot be made.', { errors: [{ pointer: '/target', message }] });
}

/** @throws AppError `invalid_body` if a change would have no effect */
export function rejectNoChange(before: string, after: string): string {
  if (before !== after) return after;
  throw new AppError('invalid_body', 'The change changes nothing: the content is already in place.', {
    errors: [{ pointer: '/changes', message: 'change nothing' }],
  });
}
