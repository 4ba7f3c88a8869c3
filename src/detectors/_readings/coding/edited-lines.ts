import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import { patchArgument, patchedFiles, pathArgument, replacedText } from '../calls/argument-roles.ts';
import type { ToolUse } from '../calls/calls.ts';
import { diffedFiles } from './unified-diff.ts';

/** What an edit changes in one file, as its arguments show it. */
export interface EditedLines {
  path: string;
  /** Lines that the edit removes or replaces. */
  before: readonly string[];
  /** Lines that it adds or puts in their place. */
  after: readonly string[];
}

/**
 * The lines that an edit takes away and adds, by file: from a replaced and a replacing text, from a list of them, or from a patch. Null
 * if the arguments show only the new content.
 */
export function editedLines({ arguments: args }: ToolUse): EditedLines[] | null {
  const patch = patchArgument(args);
  if (patch !== null) return patchedLines(patch, patchedFiles(args));
  const path = pathArgument(args)?.path;
  if (path === undefined || !isJsonObject(args)) return null;
  const replaced = replacements(args);
  return replaced.length === 0 || replaced.includes(null)
    ? null
    : replaced.map((each) => ({ path, before: linesOf(each!.before), after: linesOf(each!.after) }));
}

function replacements(args: JsonObject): ReturnType<typeof replacedText>[] {
  const list = Object.values(args).find((value): value is Json[] => Array.isArray(value) && value.some(isJsonObject));
  return list === undefined ? [replacedText(args)] : list.map(replacedText);
}

function patchedLines(patch: string, paths: readonly string[]): EditedLines[] | null {
  const files = diffedFiles(patch);
  if (files.length > 0) return files.map(({ path, added, removed }) => ({ path, before: removed, after: added }));
  if (paths.length !== 1) return null;
  const lines = linesOf(patch).filter((line) => !/^(?:\+\+\+|---|\*\*\*|@@)/.test(line));
  const signed = (sign: string) => lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
  return [{ path: paths[0]!, before: signed('-'), after: signed('+') }];
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trimEnd());
}
