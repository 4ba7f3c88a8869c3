import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';

/** Names of arguments that contain the path of one file or folder. */
const PATH_KEYS = [
  ...['file_path', 'absolute_path', 'path', 'filePath', 'filename', 'file', 'target_file', 'notebook_path'],
  ...['filepath', 'file_name', 'relative_path', 'relative_workspace_path', 'targetFile', 'fileName', 'uri'],
];
/** Names of arguments that select lines. */
const RANGE_KEYS = new Set([
  ...['offset', 'limit', 'start_line', 'end_line', 'startLine', 'endLine', 'view_range', 'line_start', 'line_end'],
  ...['pages', 'range', 'line_number', 'start_line_one_indexed', 'end_line_one_indexed_inclusive'],
]);
/** Names of the arguments for the replaced and the replacing text. */
const OLD_KEY = /^(?:old|search|find|original|match)(?:_?(?:str(?:ing)?|text|content|code|source|value|lines?))?$/i;
const NEW_KEY =
  /^(?:new|replace(?:ment)?|replace_?with|updated|insert)(?:_?(?:str(?:ing)?|text|content|code|source|value|lines?))?$/i;
/** Names of arguments with the whole content of a file, and of arguments with the content or a search term. */
const CONTENT_KEY = /^(?:contents?|file_?(?:text|contents?)|code_(?:edit|content)|edits|changes|insert_?text)$/i;
const TEXT_KEY = /^(?:text|code|body|data|source|edit|blocks?)$/i;
/** A shorter single-line text may be a search term. */
const CONTENT_CHARACTERS = 80;
/** Names of arguments with the program text to run. */
const CODE_KEY = /^(?:code|python(?:_code)?|source_code|snippet|javascript|js_code|program)$/i;

/** The argument that names a file, with its key; null if no argument does. */
export function pathArgument(args: Json): { key: string; path: string } | null {
  if (!isJsonObject(args)) return null;
  const key = PATH_KEYS.find((name) => isText(args[name]));
  return key === undefined ? null : { key, path: args[key] as string };
}

/** The requested line range of a file, normalised; empty for the whole file. */
export function rangeOf(args: JsonObject): string {
  return Object.entries(args)
    .filter(([key]) => RANGE_KEYS.has(key))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort()
    .join(' ');
}

const PATCH = /^\*\*\* (?:Begin Patch|(?:Update|Add|Delete) File: )|^(?:diff --git|--- \S.{0,300}\n\+\+\+ \S)/m;
/** One of them is in every patch; searched for first because that is fast. */
const PATCH_CUES = ['*** ', 'diff --git', '\n+++ '];
const PATCHED = /^\*\*\* (?:Update|Add|Delete) File: (\S.{0,300})$|^\+\+\+ (?:b\/)?(\S{1,300})/gm;
const PATCH_START = 4_000;

/** The non-empty texts of an argument: the argument itself, or the members of a record. */
export function textsAmong(args: Json): string[] {
  const values = typeof args === 'string' ? [args] : isJsonObject(args) ? Object.values(args) : [];
  return values.filter(isText);
}

/** The argument that is a patch; null if no argument is one. */
export function patchArgument(args: Json): string | null {
  return textsAmong(args).find(isPatchText) ?? null;
}

function isPatchText(text: string): boolean {
  const start = text.slice(0, PATCH_START);
  return PATCH_CUES.some((cue) => start.includes(cue)) && PATCH.test(start);
}

/** Files that a patch changes. */
export function patchedFiles(args: Json): string[] {
  const patch = patchArgument(args);
  return patch === null ? [] : [...patch.matchAll(PATCHED)].map(([, codex, unified]) => (codex ?? unified)!.trim());
}

/** The file change that the arguments describe. */
export type FileChange = 'patch' | 'replacement' | 'content';

/** The kind of file change in the arguments: a patch, an old and a new text, or a content; null if they change no file. */
export function fileChange(args: Json): FileChange | null {
  if (patchArgument(args) !== null) return 'patch';
  const path = pathArgument(args);
  if (path === null || !isJsonObject(args)) return null;
  const keys = Object.keys(args).filter((key) => key !== path.key && isContent(args[key]!));
  const isReplacing = keys.some((key) => NEW_KEY.test(key));
  if (isReplacing && keys.some((key) => OLD_KEY.test(key))) return 'replacement';
  const isWhole = keys.some((key) => CONTENT_KEY.test(key) || (TEXT_KEY.test(key) && isLong(args[key]!)));
  return isReplacing || isWhole ? 'content' : null;
}

/** The replaced and the replacing text of an edit; null if the arguments do not name both. */
export function replacedText(args: Json): { before: string; after: string } | null {
  if (!isJsonObject(args)) return null;
  const textOf = (key: RegExp) =>
    Object.entries(args).find((entry): entry is [string, string] => key.test(entry[0]) && typeof entry[1] === 'string');
  const before = textOf(OLD_KEY);
  const after = textOf(NEW_KEY);
  return before === undefined || after === undefined ? null : { before: before[1], after: after[1] };
}

function isLong(value: Json): boolean {
  return typeof value !== 'string' || value.length > CONTENT_CHARACTERS || value.includes('\n');
}

/** Whether a value is a text or a list of edits. */
function isContent(value: Json): boolean {
  return typeof value === 'string' || (Array.isArray(value) && value.some(isJsonObject));
}

/** Program text that a call runs; null if the arguments contain none, or if they name a file to write the text to. */
export function codeArgument(args: Json): string | null {
  if (!isJsonObject(args) || pathArgument(args) !== null) return null;
  const found = Object.entries(args).find(([key, value]) => CODE_KEY.test(key) && isText(value));
  return found === undefined ? null : (found[1] as string);
}

/** Names of arguments for the recipient of a message or payment. */
const RECIPIENT_KEY =
  /^(?:to|cc|bcc|recipients?|to_(?:address|email|number|phone|user|account)|e?mail(?:_address)?s?|phone(?:_number)?|channel(?:_(?:id|name))?|chat_id|webhook(?:_url)?|invitees|participants|attendees|iban|payee|beneficiary)$/i;

/** Whether the arguments name a recipient. */
export function hasRecipient(args: Json): boolean {
  return (
    isJsonObject(args) &&
    Object.entries(args).some(([key, value]) => RECIPIENT_KEY.test(key) && (isText(value) || Array.isArray(value)))
  );
}

/** Whether no argument could be an answer, a question or a task. */
export function hasNoContent(args: Json): boolean {
  const values = typeof args === 'string' ? [args] : isJsonObject(args) ? Object.values(args) : [];
  return values.every((value) => value === null || value === '');
}

/** The only text among the arguments; null if there are none or several. */
export function onlyText(args: Json): string | null {
  const texts = textsAmong(args);
  return texts.length === 1 ? texts[0]! : null;
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}
