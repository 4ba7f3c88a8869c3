import type { z } from 'zod';
import type { FieldError } from '../../core/app-error.ts';

/** Pointers to the fields at fault; an unknown member is pointed at itself, not at the object that holds it. @param below where the checked value stands */
export function fieldErrorsOf(error: z.ZodError, below: readonly PropertyKey[] = []): FieldError[] {
  return error.issues.flatMap((issue) => {
    const path = [...below, ...issue.path];
    if (issue.code !== 'unrecognized_keys') return [{ pointer: toPointer(path), message: issue.message }];
    return issue.keys.map((key) => ({ pointer: toPointer([...path, key]), message: issue.message }));
  });
}

/** RFC 6901. */
export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
