import type { Trace } from '../../../core/trace.ts';
import { toolUses } from '../calls/calls.ts';
import { codeIn } from '../calls/fenced-code.ts';
import { namedPath } from '../coding/file-reads.ts';
import { isFileEdit } from './call-acts.ts';
import { conversation } from './conversation.ts';
import { codeOf, codeRuns } from './executions.ts';

/** A function or class of a given module that code of the run defines again. */
export interface RedefinedImport {
  name: string;
  module: string;
  /** Step of the first definition. */
  step: number;
}

const IMPORT = /^[ \t]{0,8}from[ \t]{1,4}([A-Za-z_][\w.]{0,80})[ \t]{1,4}import[ \t]{1,4}([A-Za-z_]\w{0,80})[ \t]*$/gm;

/**
 * Python: the first name that the user's code imports from a module and that code of the run defines itself. The code then
 * runs its own version in place of the given one. Null if the run redefines no import.
 */
export function redefinedImport(trace: Trace): RedefinedImport | null {
  for (const [, module, name] of givenImports(trace)) {
    const found = codeRuns(trace).find((use) => definedNames(codeOf(use)).includes(name!));
    if (found !== undefined) return { name: name!, module: module!, step: found.step };
  }
  return null;
}

/** The imports of one name in the user's code. */
function givenImports(trace: Trace): RegExpExecArray[] {
  return conversation(trace)
    .filter(({ by }) => by === 'user')
    .flatMap(({ text }) => [...codeIn(text).matchAll(IMPORT)]);
}

/** A file of the user that code or an edit of the run wrote again. */
export interface ReplacedFile {
  file: string;
  module: string;
  /** Step of the first such call. */
  step: number;
}

/** The name of the file that a code block is stored in, as AutoGen and AG2 read it. */
const FILE_NAME = /^# filename: {1,4}([\w./-]{1,200})[ \t]*$/gm;

/**
 * Python: the first module that the user's code imports a name from and that the run wrote a file for, so that the given
 * one is lost. Null if the run wrote no such file.
 */
export function replacedModule(trace: Trace): ReplacedFile | null {
  for (const [, module] of givenImports(trace)) {
    const file = fileOf(module!);
    const edit = toolUses(trace).find((use) => !use.isError && isFileEdit(use) && isPathOf(namedPath(use), file));
    const run = codeRuns(trace).find((use) =>
      [...codeOf(use).matchAll(FILE_NAME)].some(([, path]) => isPathOf(path!, file)),
    );
    const step = Math.min(edit?.step ?? Number.POSITIVE_INFINITY, run?.step ?? Number.POSITIVE_INFINITY);
    if (Number.isFinite(step)) return { file, module: module!, step };
  }
  return null;
}

/** The file of a module that the user's code imports a name from, if the code writes this file; else null. */
export function writtenModule(trace: Trace, code: string): string | null {
  const files = givenImports(trace).map(([, module]) => fileOf(module!));
  const written = [...code.matchAll(FILE_NAME)].map(([, path]) => path!);
  return files.find((file) => written.some((path) => isPathOf(path, file))) ?? null;
}

function fileOf(module: string): string {
  return `${module.replaceAll('.', '/')}.py`;
}

function isPathOf(path: string | null, file: string): boolean {
  return path === file || path?.endsWith(`/${file}`) === true;
}

const DEFINITION = /^[ \t]{0,8}(?:async )?(?:def|class)[ \t]{1,4}([A-Za-z_]\w{0,80})/gm;

function definedNames(code: string): string[] {
  return [...code.matchAll(DEFINITION)].map(([, name]) => name!);
}

/** One sentence with a leading space; empty if nothing was redefined. */
export function redefinedText(redefined: RedefinedImport | null): string {
  return redefined === null
    ? ''
    : ` The code of step ${redefined.step} defines \`${redefined.name}\`, which the user's code imports from \`${redefined.module}\`: the given version did not run.`;
}

/** One sentence that says how to correct it. */
export function redefinedAdvice(who: string, { name, module }: RedefinedImport): string {
  return `Have ${who} remove its own \`${name}\` from the code and use the one of \`${module}\`.`;
}
