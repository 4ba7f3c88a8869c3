import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join, relative, resolve, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isJsonObject, type Json, parseJson } from '../../src/core/json.ts';
import type { Span } from '../../src/core/span.ts';
import { decodeAny } from '../../src/formats/detect/detect-format.ts';

/** Every file below the folder, in order of its path; a file is its own list. */
export function filesOf(folder: string): string[] {
  if (!statSync(folder).isDirectory()) return [folder];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** The name that the figures of a file are summed under: its own, or that of its folder below `folder`. */
export function setOf(file: string, folder: string): string {
  const path = relative(resolve(folder), resolve(file)) || basename(file);
  return path.split(sep)[0]!.replace(/\.jsonl?(?:\.gz)?$/, '');
}

export function contentOf(file: string): Buffer {
  const bytes = readFileSync(file);
  return extname(file) === '.gz' ? gunzipSync(bytes) : bytes;
}

/** The bodies of a file as a sender posts them: one for each evaluation record, else the whole file. */
export function* bodiesOf(content: Buffer): Generator<Buffer> {
  if (!isListOfRecords(content)) {
    yield content;
    return;
  }
  for (let from = 0; from < content.length; ) {
    const newline = content.indexOf(10, from);
    const end = newline === -1 ? content.length : newline;
    if (end > from) yield content.subarray(from, end);
    from = end + 1;
  }
}

function isListOfRecords(content: Buffer): boolean {
  const end = content.indexOf(10);
  const first = end === -1 ? undefined : parseJson(content.toString('utf8', 0, end));
  return isJsonObject(first) && typeof first.dataset === 'string' && Array.isArray(first.steps);
}

/** The spans that ingest decodes from a body; each line of an unknown format becomes a span with an attribute. */
export function spansOf(body: Buffer): Span[] {
  try {
    const { spans } = decodeAny(body, { receivedAtMs: 0 });
    if (spans.length > 0) return spans;
  } catch {
    // Logs and outputs of programs have no known format.
  }
  return linesOf(body.toString()).map(plainSpan);
}

/** A document is one value, a list of JSON lines is one value for each. */
function linesOf(text: string): Json[] {
  const whole = parseJson(text);
  if (whole !== undefined) return [whole];
  const lines = text.split('\n').filter((line) => line !== '');
  const values = lines.map(parseJson);
  return values.some((value) => value === undefined) ? [text] : (values as Json[]);
}

function plainSpan(body: Json): Span {
  return {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    parentSpanId: null,
    name: 'body',
    kind: 1,
    startNs: 0n,
    endNs: null,
    status: { code: 0, message: '' },
    attributes: { body },
    events: [],
    links: [],
    resource: {},
    scope: { name: '', version: '' },
  };
}
