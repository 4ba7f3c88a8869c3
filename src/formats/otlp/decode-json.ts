import type { Attributes, Decoded, SpanScope } from '../../core/span.ts';
import { type RejectedOfTrace, withRejections } from '../misstep/rejected-records.ts';
import { readName, readSpan } from './json-span.ts';
import { isRecord, type JsonReading, readAttributes } from './json-values.ts';
import { OTLP_LIMITS, type OtlpLimits, tooManySpans } from './limits.ts';
import { invalidBody, readJsonBody } from './read-json-body.ts';

/**
 * Reads an `ExportTraceServiceRequest` in OTLP/JSON (opentelemetry-proto 1.x; snake_case keys are also accepted). A span
 * without readable ids, name or times is rejected and only affects itself. Attributes, events and links that are unreadable
 * or exceed the limits are dropped from their span and counted in its `otel.dropped_*_count`.
 * @throws AppError `malformed` if the text is not JSON, `invalid_body` if it is not such a request, `payload_too_large` if
 * it has more spans or nodes than `limits` allow.
 */
export function decodeOtlpJson(body: Buffer | string, limits: OtlpLimits = OTLP_LIMITS): Decoded {
  return readJsonBody(body, limits, readRequest);
}

const SCOPE_KEYS = [
  'scopeSpans',
  'scope_spans',
  'instrumentationLibrarySpans',
  'instrumentation_library_spans',
] as const;

function readRequest(reading: JsonReading, request: unknown): Decoded {
  if (!isRecord(request)) throw invalidBody('', 'The body must be a JSON object.');
  const key = request.resourceSpans === undefined && request.resource_spans ? 'resource_spans' : 'resourceSpans';
  const groups = request[key] ?? emptyGroups(request);
  if (!Array.isArray(groups)) throw invalidBody(`/${key}`, `${key} must be an array.`);
  const decoded: DecodedSpans = { spans: [], rejections: [], rejected: [] };
  groups.forEach((group, index) => {
    readResourceSpans(reading, group, `/${key}/${index}`, decoded);
  });
  const { spans, rejections, rejected } = decoded;
  return { spans: rejected.length === 0 ? spans : withRejections(spans, rejected), rejections };
}

interface DecodedSpans extends Decoded {
  /** Rejected spans whose trace is known. */
  rejected: RejectedOfTrace[];
}

const MOST_NAMES = 3;
const NAME_CHARACTERS = 40;

/** An empty request is valid. A body with other members only is of another format, whose spans would be lost silently. */
function emptyGroups(request: Record<string, unknown>): [] {
  const names = Object.keys(request);
  if (names.length === 0 || 'resourceSpans' in request || 'resource_spans' in request) return [];
  const shown = names.slice(0, MOST_NAMES).map((name) => `"${name.slice(0, NAME_CHARACTERS)}"`);
  throw invalidBody('/resourceSpans', `resourceSpans is missing; the body has ${shown.join(', ')}.`);
}

function readResourceSpans(reading: JsonReading, group: unknown, pointer: string, decoded: DecodedSpans): undefined {
  if (!isRecord(group)) return reject(decoded, pointer, 'must be an object');
  const key = SCOPE_KEYS.find((name) => group[name] !== undefined && group[name] !== null);
  if (key === undefined) return undefined;
  const groups = group[key];
  if (!Array.isArray(groups)) return reject(decoded, `${pointer}/${key}`, 'must be an array');
  const resource = readResource(reading, group.resource);
  groups.forEach((scopeSpans, index) => {
    readScopeSpans(reading, scopeSpans, resource, `${pointer}/${key}/${index}`, decoded);
  });
}

export function readResource(reading: JsonReading, raw: unknown): Attributes {
  const resource = isRecord(raw) ? raw : {};
  reading.nestedLeft = reading.limits.nestedValues;
  return readAttributes(
    reading,
    resource.attributes,
    resource.droppedAttributesCount ?? resource.dropped_attributes_count,
  );
}

function readScopeSpans(
  reading: JsonReading,
  group: unknown,
  resource: Attributes,
  pointer: string,
  decoded: DecodedSpans,
): undefined {
  if (!isRecord(group)) return reject(decoded, pointer, 'must be an object');
  const entries = group.spans ?? [];
  if (!Array.isArray(entries)) return reject(decoded, `${pointer}/spans`, 'must be an array');
  const scope = readScope(reading, group.scope ?? group.instrumentationLibrary ?? group.instrumentation_library);
  for (let index = 0; index < entries.length; index += 1) {
    if (decoded.spans.length + decoded.rejections.length >= reading.limits.spans) throw tooManySpans(reading.limits);
    readEntry(reading, entries[index], resource, scope, pointer, index, decoded);
  }
}

export function readScope(reading: JsonReading, raw: unknown): SpanScope {
  const scope = isRecord(raw) ? raw : {};
  return { name: readName(reading, scope.name) ?? '', version: readName(reading, scope.version) ?? '' };
}

function readEntry(
  reading: JsonReading,
  entry: unknown,
  resource: Attributes,
  scope: SpanScope,
  group: string,
  index: number,
  decoded: DecodedSpans,
): undefined {
  if (!isRecord(entry)) return reject(decoded, `${group}/spans/${index}`, 'must be an object');
  reading.nestedLeft = reading.limits.nestedValues;
  const read = readSpan(reading, entry, resource, scope);
  if (!('field' in read)) {
    decoded.spans.push(read);
    return undefined;
  }
  if (read.traceId !== undefined) decoded.rejected.push({ traceId: read.traceId, spansBefore: decoded.spans.length });
  return reject(decoded, `${group}/spans/${index}/${read.field}`, read.message);
}

function reject(decoded: Decoded, pointer: string, message: string): undefined {
  decoded.rejections.push({ pointer, message });
}
