import type { z } from 'zod';
import { boundedFieldErrors, listNames, MAX_FIELD_ERRORS, shortened } from '../../core/bounded-errors.ts';
import type { FieldError } from '../../core/field-error.ts';

/** Unknown members of one object that are listed: more of them say nothing new. */
const MAX_UNKNOWN_MEMBERS = 10;

/**
 * Pointers to the first hundred fields at fault; an unknown member is pointed at itself, not at the object that holds it.
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
  return message.startsWith('Unrecognized key') ? `Unrecognized key: ${JSON.stringify(shortened(key, 60))}` : message;
}

/** The `error` of a strict object: names what is unknown, at most ten members, and what there is. */
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
