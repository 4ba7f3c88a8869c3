import type { FieldError } from './field-error.ts';

/** Maximum number of errors in one response. */
export const MAX_FIELD_ERRORS = 100;
/** Maximum number of names in one message. */
const MAX_NAMES = 10;
const MAX_NAME_LENGTH = 60;
const MAX_POINTER_LENGTH = 300;
const MAX_MESSAGE_LENGTH = 1_000;
/** JSON bytes of all errors in one response; together with the other members of a problem document this stays below 64 kB. */
const MAX_ERRORS_BYTES = 40 * 1024;

/** At most `maxLength` UTF-16 units, with an ellipsis if text was omitted. */
export function truncate(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
}

/** The first ten names, each shortened, and the number of omitted names. */
export function listNames(names: readonly string[], show: (name: string) => string = (name) => name): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => show(truncate(name, MAX_NAME_LENGTH)));
  const omittedCount = names.length - shown.length;
  return omittedCount > 0 ? `${shown.join(', ')} and ${omittedCount} more` : shown.join(', ');
}

/** The same error with a short pointer and a short message; both may echo text from the request. */
export function boundedFieldError<Entry extends FieldError>(error: Entry): Entry {
  const pointer = truncate(error.pointer, MAX_POINTER_LENGTH);
  const message = truncate(error.message, MAX_MESSAGE_LENGTH);
  return pointer === error.pointer && message === error.message ? error : { ...error, pointer, message };
}

/** The first errors of a list: at most 100, and at most 40 kB as JSON, whatever names and values they echo. */
export function boundedFieldErrors<Entry extends FieldError>(errors: readonly Entry[]): Entry[] {
  const kept: Entry[] = [];
  let bytes = 0;
  for (const error of errors.slice(0, MAX_FIELD_ERRORS)) {
    const bounded = boundedFieldError(error);
    bytes += Buffer.byteLength(JSON.stringify(bounded)) + 1;
    if (bytes > MAX_ERRORS_BYTES) break;
    kept.push(bounded);
  }
  return kept;
}
