import { AppError } from '../../core/app-error.ts';
import { assertJsonWithin, type JsonLimits } from '../../core/bounded-json.ts';
import { parseJson } from '../../core/json.ts';
import type { Decoded } from '../../core/span.ts';
import { type DetectOptions, decodeAny, firstCharacter } from '../../formats/detect/detect-format.ts';
import type { FormatName } from '../../formats/detect/known-formats.ts';
import { KNOWN_FORMATS_PREFIX } from '../../formats/detect/known-formats.ts';
import { listIn } from '../../formats/detect/plan-layout.ts';
import type { Layout } from '../../formats/split/record-splitter.ts';

export interface DecodedRecord extends Decoded {
  formats: FormatName[];
  /** No part of it could be imported. */
  hasFailed: boolean;
}

/** A larger record would block the server for seconds. */
const RECORD_LIMITS = { maxNodes: 500_000 };
const WHOLE_FILE_LIMITS = { maxNodes: 1_000_000 };
const WRAPPED_NAMES = new Set(['resourceSpans', 'resource_spans']);

/** One record of a file, on its own; an error affects only this record. Never throws for bad data. */
export function decodeImportRecord(bytes: Buffer | null, layout: Layout, options: DetectOptions): DecodedRecord {
  if (bytes === null) return failed('is too large to be read as one record');
  const isWrapped = layout.kind === 'member' && WRAPPED_NAMES.has(layout.name);
  return decodeOrFail(isWrapped ? wrap(bytes, layout.name) : bytes, RECORD_LIMITS, options);
}

/** A whole file; its errors include their position. */
export function decodeImportFile(bytes: Buffer, options: DetectOptions): DecodedRecord {
  return decodeOrFail(bytes, WHOLE_FILE_LIMITS, options);
}

function decodeOrFail(bytes: Buffer, limits: JsonLimits, options: DetectOptions): DecodedRecord {
  try {
    if (isJsonText(bytes)) assertJsonWithin(bytes, limits);
  } catch (error) {
    return failed((error as AppError).message);
  }
  try {
    const { spans, rejections, format } = decodeAny(bytes, options);
    return { spans, rejections, formats: [format], hasFailed: spans.length === 0 && rejections.length > 0 };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return decodePage(bytes, options) ?? failed(withoutFormatList(error.message));
  }
}

function isJsonText(bytes: Buffer): boolean {
  const first = firstCharacter(bytes);
  return first === '{' || first === '[';
}

/** A page of an API's list, whose elements are the records. */
function decodePage(bytes: Buffer, options: DetectOptions): DecodedRecord | null {
  const list = listIn(parseJson(bytes.toString()) ?? null);
  if (list === null) return null;
  try {
    const { spans, rejections, format } = decodeAny(Buffer.from(JSON.stringify(list)), options);
    return { spans, rejections, formats: [format], hasFailed: spans.length === 0 };
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

function wrap(bytes: Buffer, name: string): Buffer {
  return Buffer.concat([Buffer.from(`{${JSON.stringify(name)}:[`), bytes, Buffer.from(']}')]);
}

function failed(message: string): DecodedRecord {
  return { spans: [], rejections: [{ pointer: '', message }], formats: [], hasFailed: true };
}

/** The list of all known formats is shown once, not at each of a thousand lines. */
function withoutFormatList(message: string): string {
  return message.split(KNOWN_FORMATS_PREFIX, 1)[0]!.trimEnd();
}
