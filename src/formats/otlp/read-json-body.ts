import { AppError } from '../../core/app-error.ts';
import type { JsonReading } from './json-values.ts';
import type { OtlpLimits } from './limits.ts';

/**
 * Parses an OTLP/JSON body and decodes it with `read`. If a number may have been rounded, `read` is called again with such
 * numbers as text.
 * @throws AppError `malformed` if the text is not JSON, `payload_too_large` if it has more nodes than `limits` allow
 */
export function readJsonBody<Result>(
  body: Buffer | string,
  limits: OtlpLimits,
  read: (reading: JsonReading, request: unknown) => Result,
): Result {
  const text = withoutByteOrderMark(typeof body === 'string' ? body : body.toString('utf8'));
  assertNodeLimit(text, limits);
  const hasLoneSurrogates = /\\u[dD][89a-fA-F]/.test(text) || !text.isWellFormed();
  const reading: JsonReading = { limits, hasLoneSurrogates, sawInexact: false, nestedLeft: 0 };
  const result = read(reading, parse(text));
  return reading.sawInexact ? read(reading, parse(quoteLongIntegers(text))) : result;
}

export function invalidBody(pointer: string, message: string): AppError {
  return new AppError('invalid_body', message, { errors: [{ pointer, message }] });
}

function withoutByteOrderMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('malformed', 'The body is not valid JSON.');
  }
}

/** A few bytes of JSON can become a large object in memory, so the nodes are counted before parsing. */
function assertNodeLimit(text: string, limits: OtlpLimits): void {
  if (text.length <= limits.jsonNodes * 2) return;
  let nodes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x7b || code === 0x5b) nodes += 1;
  }
  if (nodes <= limits.jsonNodes) return;
  throw new AppError('payload_too_large', `The body has more than ${limits.jsonNodes} objects and arrays.`);
}

/**
 * Quotes integers that a double cannot represent, as OTLP/JSON requires. Text values are never changed: quotes inside them
 * are escaped, so a quote after `{`, `,` or white space that is followed by a key name starts a key.
 */
function quoteLongIntegers(text: string): string {
  return text.replace(
    /(?<=[{,\s])("(?:[a-zA-Z_]{0,6}[tT]ime_?[uU]nix_?[nN]ano|int_?[vV]alue)"\s{0,8}:\s{0,8})(-?\d{16,20})(?=[\s,}])/g,
    '$1"$2"',
  );
}
