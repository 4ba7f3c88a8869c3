import fastJsonPatch, { type Operation } from 'fast-json-patch';
import { type Json, parseJson } from '../../core/json.ts';
import { changeOnce } from './change-text.ts';
import type { Change } from './executor.ts';
import { tokensOf } from './json-pointer.ts';
import { rejectChange } from './reject-change.ts';

export interface ChangedJson {
  value: Json;
  /** The same changes as one JSON Patch (RFC 6902) of the whole document. */
  operations: Operation[];
}

/**
 * A JSON document with the changes applied. `pointer` (RFC 6901) names the part to change, `''` the whole: the paths
 * of a JSON Patch are relative to it, and a diff or a text change is applied to the string at that place.
 * @throws AppError `invalid_body`
 */
export function changeJson(document: Json, pointer: string, changes: readonly Change[]): ChangedJson {
  let value = document;
  const operations: Operation[] = [];
  changes.forEach((change, place) => {
    const made =
      change.format === 'json-patch'
        ? prefixPaths(change, pointer, place)
        : [changeString(value, pointer, change, place)];
    value = patchDocument(value, made, place);
    operations.push(...made);
  });
  return { value, operations };
}

function prefixPaths({ after }: Change, pointer: string, place: number): Operation[] {
  const operations = parseJson(after) as Operation[] | undefined;
  if (!Array.isArray(operations) || operations.length === 0)
    rejectChange(place, 'is not a list of JSON Patch operations');
  const problem = fastJsonPatch.validate(operations);
  if (problem) rejectChange(place, `is not a JSON Patch: ${firstLine(problem.message)}`);
  return operations.map((operation) =>
    'from' in operation
      ? { ...operation, path: pointer + operation.path, from: pointer + operation.from }
      : { ...operation, path: pointer + operation.path },
  );
}

function changeString(document: Json, pointer: string, change: Change, place: number): Operation {
  const value = partOf(document, pointer);
  if (typeof value !== 'string')
    rejectChange(
      place,
      pointer === ''
        ? 'changes a text, and the document is not a text: give the pointer to a text in it, such as /prompt'
        : `needs a text, but there is no text at ${pointer}`,
    );
  return { op: 'replace', path: pointer, value: changeOnce(value, change, place) };
}

/** The part that a pointer names, own properties only; undefined if absent. */
export function partOf(document: Json, pointer: string): Json | undefined {
  return tokensOf(pointer).reduce<Json | undefined>(memberOf, document);
}

function memberOf(value: Json | undefined, token: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined;
  return (value as Record<string, Json>)[token];
}

function patchDocument(document: Json, operations: readonly Operation[], place: number): Json {
  try {
    return operations.reduce((value, operation) => {
      const problem = pathsExist(value, operation) ? fastJsonPatch.validate([operation], value) : MISSING_PATH;
      if (problem) throw problem;
      return fastJsonPatch.applyOperation(value, operation, true, false, true).newDocument as Json;
    }, document);
  } catch (error) {
    return rejectChange(place, `does not apply: ${firstLine((error as Error).message)}`);
  }
}

const MISSING_PATH = new Error('the path does not exist');

/** The library would also follow inherited properties, and change them for the whole program. */
function pathsExist(document: Json, operation: Operation): boolean {
  const paths = 'from' in operation ? [operation.path, operation.from] : [operation.path];
  return paths.every((path) => path === '' || partOf(document, path.slice(0, path.lastIndexOf('/'))) !== undefined);
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? '';
}
