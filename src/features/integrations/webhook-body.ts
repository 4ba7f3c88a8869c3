import { AppError } from '../../core/app-error.ts';
import { type Json, parseJson } from '../../core/json.ts';
import type { Decoded } from '../../core/span.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** JSON under whatever content type: LangGraph sends it as plain text. @throws AppError `malformed` */
export function webhookJson(body: Buffer): Json {
  const value = parseJson(webhookText(body));
  if (value === undefined) throw new AppError('malformed', 'The body is no valid JSON.');
  return value;
}

/** @throws AppError `malformed` */
export function webhookText(body: Buffer): string {
  try {
    return decoder.decode(body);
  } catch {
    throw new AppError('malformed', 'The body is no text in UTF-8.');
  }
}

/** Runs a decoder that walks its value recursively. @throws AppError `malformed` for JSON nested deeper than it can go */
export function decodeShallow<Runs extends Decoded>(decode: () => Runs): Runs {
  try {
    return decode();
  } catch (error) {
    if (error instanceof RangeError) throw new AppError('malformed', 'The body is nested too deep.');
    throw error;
  }
}
