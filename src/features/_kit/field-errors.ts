import type { z } from 'zod';
import { boundedFieldErrors, listNames, MAX_FIELD_ERRORS, truncate } from '../../core/bounded-errors.ts';
import type { FieldError } from '../../core/field-error.ts';

/** Maximum number of unknown members listed per object. */
const MAX_UNKNOWN_MEMBERS = 10;

/**
 * Pointers to the first hundred invalid fields; an unknown member has its own pointer, not that of its object.
 * @param below path of the checked value
 */
export function fieldErrorsOf(error: z.ZodError, below: readonly PropertyKey[] = []): FieldError[] {
  const errors = error.issues.slice(0, MAX_FIELD_ERRORS).flatMap((issue) => {
    const path = [...below, ...issue.path];
    if (issue.code !== 'unrecognized_keys') return [{ pointer: toPointer(path), message: issue.message }];
    return issue.keys
      .slice(0, MAX_UNKNOWN_MEMBERS)
      .map((key) => ({ pointer: toPointer([...path, key]), message: messageFor(key, issue.message) }));
  });
  return boundedFieldErrors(errors);
}

/** zod's own message lists every unknown member of the object. */
function messageFor(key: string, message: string): string {
  return message.startsWith('Unrecognized key') ? `Unrecognized key: ${JSON.stringify(truncate(key, 60))}` : message;
}

/** The `error` of a strict object: lists the unknown members, at most ten, and the known ones. */
export function unknownMembers(noun: string, known: readonly string[]) {
  return {
    error: (issue: { code?: string | undefined; keys?: unknown }) =>
      issue.code === 'unrecognized_keys'
        ? `unknown ${noun} ${listNames(issue.keys as string[])}; there are ${known.join(', ')}`
        : undefined,
  };
}

/** RFC 6901. */
export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
