import type { Trace } from '../../../core/trace.ts';
import { codeIn } from '../calls/fenced-code.ts';
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
 * runs its own version in place of the given one. Null if there is none.
 */
export function redefinedImport(trace: Trace): RedefinedImport | null {
  const given = conversation(trace)
    .filter(({ by }) => by === 'user')
    .flatMap(({ text }) => [...codeIn(text).matchAll(IMPORT)]);
  for (const [, module, name] of given) {
    const found = codeRuns(trace).find((use) => definedNames(codeOf(use)).includes(name!));
    if (found !== undefined) return { name: name!, module: module!, step: found.step };
  }
  return null;
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
