import type { ZodType } from 'zod';
import { AppError } from '../../core/app-error.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { NOT_IN_BASE_URL, partProblem } from '../../platforms/outbound/url-parts.ts';
import type { RegistrationKind } from './integration-source.ts';

/**
 * Details with the named members changed.
 *
 * @param place pointer of the object that contains them
 * @throws AppError `invalid_body`
 */
export function changedDetails(
  kind: RegistrationKind,
  before: JsonObject,
  change: Record<string, Json>,
  place = '/details',
): JsonObject {
  const details = { ...before };
  for (const [name, value] of Object.entries(change)) {
    const schema = kind.details[name] as ZodType | undefined;
    if (schema === undefined) rejectField(`${place}/${name}`, knownOf(kind.details));
    const parsed = schema.safeParse(value);
    if (!parsed.success) rejectField(`${place}/${name}`, parsed.error.issues[0]?.message ?? 'is invalid');
    details[name] = parsed.data as Json;
  }
  return details;
}

/** A secret that was entered as an id is not stored. */
export function redactedDetails(details: JsonObject, redactText: (text: string) => string): JsonObject {
  const entries = Object.entries(details);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? redactText(value) : value]),
  );
}

/**
 * Credentials with the named members changed; null deletes one.
 *
 * @param place pointer of the object that contains them
 * @throws AppError `invalid_body`
 */
export function changedCredentials(
  kind: RegistrationKind,
  before: Record<string, string>,
  change: Record<string, string | null>,
  place = '/credentials',
): Record<string, string> {
  const credentials = { ...before };
  for (const [name, value] of Object.entries(change)) {
    const schema = kind.credentials[name];
    if (schema === undefined) rejectField(`${place}/${name}`, knownOf(kind.credentials));
    if (value === null) delete credentials[name];
    else if (schema.safeParse(value).success) credentials[name] = value;
    else rejectField(`${place}/${name}`, 'is invalid');
  }
  return credentials;
}

function knownOf(members: object): string {
  return `known are ${Object.keys(members).join(', ') || 'none'}`;
}

/** @throws AppError `invalid_body` that names the member */
export function rejectField(pointer: string, message: string): never {
  throw new AppError('invalid_body', 'Request body failed validation.', { errors: [{ pointer, message }] });
}

/** The base URL without slashes at its end. @throws AppError `invalid_body` where the kind has no such URL */
export function checkedUrl(
  kind: RegistrationKind,
  text: string | null,
  urlProblem: (url: URL) => string | null,
): string | null {
  if (text === null) {
    if (kind.url === 'required') rejectField('/url', 'is needed');
    return null;
  }
  if (kind.url === 'none') rejectField('/url', `is not allowed: a ${kind.name} has no URL`);
  const url = URL.parse(text);
  const problem = url === null ? 'is not a URL' : (partProblem(text, NOT_IN_BASE_URL) ?? urlProblem(url));
  if (problem !== null) rejectField('/url', problem);
  return text.replace(/\/{1,8}$/, '');
}
