import { isJsonObject, type Json } from '../../../core/json.ts';
import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { codeArgument, pathArgument } from './argument-roles.ts';
import { toolUses } from './calls.ts';
import { isProgramText } from './program-text.ts';

/** Names of arguments with a text of any kind for the tool itself. An `answer` or a `message` is for a reader. */
const INPUT_KEY =
  /^(?:__arg1|input|tool_input|args?|script|source|cell|query|expression|statements?|python\w{0,20}|js|value)$/i;
/** Number of calls of a tool that are examined. */
const READ_CALLS = 40;
/** Minimum share of programs among the texts of a tool. The others may be single expressions or have syntax errors. */
const MIN_SHARE = 0.5;

/**
 * Tools of a run that execute program text. The values of their calls over the whole run decide, not the name of the tool. A shell is
 * none of them.
 */
export const codeTools = memoizeByRef((trace: Trace): ReadonlySet<string> => {
  const uses = Map.groupBy(
    toolUses(trace).filter(({ command }) => command === null),
    ({ name }) => name,
  );
  return new Set([...uses].filter(([, calls]) => areProgramRuns(calls)).map(([name]) => name));
});

function areProgramRuns(calls: readonly { arguments: Json }[]): boolean {
  const texts = calls.slice(0, READ_CALLS).flatMap((use) => programArgument(use.arguments) ?? []);
  if (texts.length === 0) return false;
  const programs = texts.filter(isProgramText).length;
  return programs > 0 && programs >= MIN_SHARE * Math.min(calls.length, READ_CALLS);
}

/** The text of a call that may be a program; null for a file and its content, and for texts to a reader. */
function programArgument(args: Json): string | null {
  if (typeof args === 'string') return args;
  if (!isJsonObject(args) || pathArgument(args) !== null) return null;
  const named = codeArgument(args);
  if (named !== null) return named;
  const texts = Object.entries(args).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return texts.length === 1 && INPUT_KEY.test(texts[0]![0]) ? texts[0]![1] : null;
}
