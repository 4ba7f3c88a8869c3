import { isDeepStrictEqual } from 'node:util';
import type { Operation } from 'fast-json-patch';
import { type Document, isMap, isScalar, isSeq, parseAllDocuments, visit } from 'yaml';
import type { Json } from '../../core/json.ts';
import { changeJson } from './change-json.ts';
import type { Change } from './executor.ts';
import { tokensOf } from './json-pointer.ts';
import { rejectContent } from './reject-change.ts';

const BOM = '\uFEFF';

/**
 * Edits a YAML text; comments, quotes and block scalars are kept, whitespace between them may be normalised.
 * @throws AppError `invalid_body`
 */
export function editYamlText(text: string, pointer: string, changes: readonly Change[]): string {
  const bare = text.startsWith(BOM) ? text.slice(1) : text;
  const document = parseText(bare);
  const { value, operations } = changeJson(jsonOf(document), pointer, changes);
  for (const operation of operations) edit(document, operation);
  const edited = toText(document, bare);
  if (!isDeepStrictEqual(jsonOf(parseText(edited)), value))
    rejectContent('its changes cannot be made without touching other parts, such as the target of an alias');
  return text.slice(0, text.length - bare.length) + edited;
}

function parseText(text: string): Document {
  const documents = parseAllDocuments(text);
  const [document] = documents;
  if (documents.length !== 1 || document === undefined || document.errors.length > 0)
    return rejectContent('the current content is not one YAML document');
  visit(document as Document, {
    Scalar(_key, { value }) {
      if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
        rejectContent('it holds a number that is too large to be written back as it is');
    },
  });
  return document as Document;
}

function jsonOf(document: Document): Json {
  try {
    return document.toJS({ maxAliasCount: 100 }) as Json;
  } catch {
    return rejectContent('the current content is not one YAML document');
  }
}

function toText(document: Document, text: string): string {
  const indent = /^( +)[^\s#-]/m.exec(text)?.[1]?.length ?? 2;
  const indentSeq = !/^( *)[^\s#-][^\n]*:[ \t]*\r?\n\1- /m.test(text);
  const written = document.toString({ lineWidth: 0, indent: Math.max(2, indent), indentSeq });
  return text.includes('\r\n') ? written.replaceAll('\n', '\r\n') : written;
}

function edit(document: Document, operation: Operation): void {
  const keys = tokensOf(operation.path);
  if (operation.op === 'remove') remove(document, keys);
  if (operation.op === 'replace') replace(document, keys, operation.value);
  if (operation.op === 'add') add(document, keys, operation.value);
  if (operation.op === 'copy') add(document, keys, valueAt(document, tokensOf(operation.from)));
  if (operation.op === 'move') {
    const value = valueAt(document, tokensOf(operation.from));
    remove(document, tokensOf(operation.from));
    add(document, keys, value);
  }
}

function valueAt(document: Document, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((part, token) => (part as Record<string, unknown>)[token], jsonOf(document));
}

function remove(document: Document, keys: readonly string[]): void {
  if (keys.length === 0) document.contents = null;
  else document.deleteIn(keys);
}

/** A scalar keeps its comment and its style. */
function replace(document: Document, keys: readonly string[], value: unknown): void {
  const currentNode = document.getIn(keys, true);
  if (isScalar(currentNode) && (typeof value !== 'object' || value === null)) currentNode.value = value;
  else put(document, keys, value);
}

function put(document: Document, keys: readonly string[], value: unknown): void {
  if (keys.length === 0) document.contents = document.createNode(value) as never;
  else document.setIn(keys, document.createNode(value));
}

function add(document: Document, keys: readonly string[], value: unknown): void {
  const parent = keys.length === 0 ? null : document.getIn(keys.slice(0, -1), true);
  const name = keys.at(-1)!;
  if (isSeq(parent))
    parent.items.splice(name === '-' ? parent.items.length : Number(name), 0, document.createNode(value));
  else if (isMap(parent) && !parent.has(name)) parent.add(document.createPair(name, value));
  else put(document, keys, value);
}
