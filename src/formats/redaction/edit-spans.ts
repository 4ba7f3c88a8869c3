import type { Json, JsonObject } from '../../core/json.ts';
import type { Attributes, Span, SpanScope } from '../../core/span.ts';
import { asText } from './encoded-text.ts';

/** Edits of the parts of a span. Each returns its input if nothing changes. */
export interface SpanEdit {
  /** `key`: the name of the text, null if it has none. */
  text(text: string, key: string | null): string;
  number(value: number, key: string | null): Json;
  key(key: string): string;
  id(id: string): string;
  /** Whether every value under the key is a secret. */
  isSecret(key: string): boolean;
  /** Called before the parts of each span. */
  enter?(span: Span): void;
}

const MAX_DEPTH = 256;

/** Edits every text of the spans in place; shared values are edited once. */
export function editSpans(spans: readonly Span[], edit: SpanEdit): void {
  const shared = new Set<Attributes | SpanScope>();
  for (const span of spans) {
    edit.enter?.(span);
    span.traceId = edit.id(span.traceId);
    span.spanId = edit.id(span.spanId);
    if (span.parentSpanId !== null) span.parentSpanId = edit.id(span.parentSpanId);
    span.name = edit.text(span.name, null);
    span.status.message = edit.text(span.status.message, null);
    editMembers(span.attributes, edit);
    for (const event of span.events) {
      event.name = edit.text(event.name, null);
      editMembers(event.attributes, edit);
    }
    for (const link of span.links) {
      link.traceId = edit.id(link.traceId);
      link.spanId = edit.id(link.spanId);
      editMembers(link.attributes, edit);
    }
    if (!shared.has(span.resource)) editMembers(span.resource, edit);
    if (!shared.has(span.scope)) editScope(span.scope, edit);
    shared.add(span.resource).add(span.scope);
  }
}

function editScope(scope: SpanScope, edit: SpanEdit): void {
  scope.name = edit.text(scope.name, null);
  scope.version = edit.text(scope.version, null);
}

function editMembers(attributes: Attributes, edit: SpanEdit): void {
  let renamed: Map<string, string> | null = null;
  for (const key in attributes) {
    const value = attributes[key]!;
    const edited = editJson(value, key, edit);
    if (edited !== value) setOwn(attributes, key, edited);
    const newKey = edit.key(key);
    if (newKey !== key) renamed = (renamed ?? new Map()).set(key, newKey);
  }
  if (renamed === null) return;
  const entries = Object.entries(attributes);
  for (const [key] of entries) delete attributes[key];
  for (const [key, value] of entries) setOwn(attributes, freeKey(attributes, renamed.get(key) ?? key), value);
}

/** The value itself if nothing changed, else a copy; `key` is its name. */
export function editJson(value: Json, key: string | null, edit: SpanEdit, depth = 0): Json {
  if (typeof value === 'string') return edit.text(value, key);
  if (typeof value === 'number') return edit.number(value, key);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '[truncated: nested too deep]';
  return Array.isArray(value) ? editArray(value, key, edit, depth) : editObject(value, key, edit, depth);
}

function editArray(values: Json[], key: string | null, edit: SpanEdit, depth: number): Json {
  let copy: Json[] | null = null;
  for (let index = 0; index < values.length; index += 1) {
    const edited = editJson(values[index]!, key, edit, depth + 1);
    if (edited === values[index]) continue;
    copy ??= values.slice();
    copy[index] = edited;
  }
  return copy ?? values;
}

function editObject(value: JsonObject, key: string | null, edit: SpanEdit, depth: number): Json {
  const tag = tagOf(value);
  if (tag === '$bytes') return editBytes(value, key, edit);
  if (tag !== null) return editNumberText(value, tag, key, edit);
  let copy: JsonObject | null = null;
  let renamed: Map<string, string> | null = null;
  for (const name of Object.keys(value)) {
    const edited = editJson(value[name]!, name, edit, depth + 1);
    const newName = edit.key(name);
    if (newName !== name) renamed = (renamed ?? new Map()).set(name, newName);
    if (edited === value[name]) continue;
    copy ??= { ...value };
    setOwn(copy, name, edited);
  }
  return renamed === null ? (copy ?? value) : withKeys(copy ?? value, renamed);
}

function withKeys(value: JsonObject, renamed: ReadonlyMap<string, string>): JsonObject {
  const copy: JsonObject = {};
  for (const name of Object.keys(value)) setOwn(copy, freeKey(copy, renamed.get(name) ?? name), value[name]!);
  return copy;
}

/** Two keys may get the same marker; neither value may be lost. */
function freeKey(value: JsonObject, wanted: string): string {
  let key = wanted;
  for (let copy = 2; Object.hasOwn(value, key); copy += 1) key = `${wanted} ${copy}`;
  return key;
}

type Tag = '$bytes' | '$int64' | '$double';

/** `{$bytes}` and similar tags contain encoded data. */
function tagOf(value: JsonObject): Tag | null {
  for (const tag of ['$bytes', '$int64', '$double'] as const) {
    if (tag in value) return typeof value[tag] === 'string' && Object.keys(value).length === 1 ? tag : null;
  }
  return null;
}

/** Bytes that contain text stay bytes, of the edited text; under a name for a secret, other bytes become a marker. */
function editBytes(value: JsonObject, key: string | null, edit: SpanEdit): Json {
  const base64 = value.$bytes as string;
  const text = textOfBytes(base64);
  if (text === null) return key !== null && edit.isSecret(key) ? edit.text(base64, key) : value;
  const edited = edit.text(text, key);
  return edited === text ? value : { $bytes: Buffer.from(edited).toString('base64') };
}

function editNumberText(value: JsonObject, tag: Tag, key: string | null, edit: SpanEdit): Json {
  const text = value[tag] as string;
  const edited = key === null ? text : edit.text(text, key);
  return edited === text ? value : edited;
}

/** The text in `{$bytes}`; null if the bytes are not text. */
export function textOfBytes(base64: string): string | null {
  const bytes = Buffer.from(base64, 'base64');
  const text = asText(bytes);
  return text !== null && Buffer.from(text).equals(bytes) ? text : null;
}

function setOwn(target: JsonObject, key: string, value: Json): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}
