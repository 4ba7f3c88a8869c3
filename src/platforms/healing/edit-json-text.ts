import { isDeepStrictEqual } from 'node:util';
import type { Operation } from 'fast-json-patch';
import { applyEdits, type JSONPath, modify, type ParseError, parse } from 'jsonc-parser';
import type { Json } from '../../core/json.ts';
import { changeJson, partOf } from './change-json.ts';
import type { Change } from './executor.ts';
import { tokensOf } from './json-pointer.ts';
import { rejectContent } from './reject-change.ts';

const BOM = '\uFEFF';

/**
 * Edits a JSON text in place; the rest, including comments, keeps its formatting.
 * @throws AppError `invalid_body`
 */
export function editJsonText(text: string, pointer: string, changes: readonly Change[]): string {
  const textWithoutBom = text.startsWith(BOM) ? text.slice(1) : text;
  const { value, operations } = changeJson(parseText(textWithoutBom), pointer, changes);
  const edited = operations.reduce(edit, textWithoutBom);
  if (!isDeepStrictEqual(parseText(edited), value))
    rejectContent('its changes cannot be made without touching other parts');
  return text.slice(0, text.length - textWithoutBom.length) + edited;
}

function parseText(text: string): Json {
  const errors: ParseError[] = [];
  const value = parse(text, errors, { allowTrailingComma: true }) as Json | undefined;
  return errors.length > 0 || value === undefined ? rejectContent('the current content is not valid JSON') : value;
}

function edit(text: string, operation: Operation): string {
  const document = parseText(text);
  switch (operation.op) {
    case 'add':
      return addValue(text, document, operation.path, operation.value);
    case 'replace':
      return set(text, tokensFor(document, operation.path), operation.value);
    case 'remove':
      return set(text, tokensFor(document, operation.path), undefined);
    case 'copy':
      return addValue(text, document, operation.path, partOf(document, operation.from));
    case 'move': {
      const value = partOf(document, operation.from);
      const without = set(text, tokensFor(document, operation.from), undefined);
      return addValue(without, parseText(without), operation.path, value);
    }
    default:
      return text;
  }
}

function addValue(text: string, document: Json, path: string, value: unknown): string {
  const way = tokensFor(document, path);
  const isInArray = typeof way.at(-1) === 'number';
  return set(text, way, value, isInArray);
}

function set(text: string, way: JSONPath, value: unknown, isArrayInsertion = false): string {
  const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize: indentOf(text), eol: lineEndOf(text) };
  if (way.length > 0) return applyEdits(text, modify(text, way, value, { isArrayInsertion, formattingOptions }));
  return `${JSON.stringify(value, null, formattingOptions.tabSize)}${/\r?\n$/.exec(text)?.[0] ?? ''}`;
}

/** Property names and array indexes; `-` is the position after the last element. */
function tokensFor(document: Json, path: string): JSONPath {
  let part: Json | undefined = document;
  return tokensOf(path).map((token) => {
    const within: Json | undefined = part;
    if (!Array.isArray(within)) {
      part = within === undefined ? undefined : partOf(within, `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`);
      return token;
    }
    const place = token === '-' ? within.length : Number(token);
    part = within[place];
    return place;
  });
}

function indentOf(text: string): number {
  return /^ +(?=\S)/m.exec(text)?.[0].length ?? 2;
}

function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
