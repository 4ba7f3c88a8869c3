import { isJsonObject } from '../../../core/json.ts';
import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { pathArgument, rangeOf } from '../calls/argument-roles.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { actOf } from '../conduct/call-acts.ts';
import { callsOf } from '../conduct/shell-uses.ts';
import { directoryOf } from '../conduct/workspace.ts';
import { plainPath } from '../shell/file-path.ts';

/** One read of a file, or of some of its lines. */
export interface FileRead {
  step: number;
  agent: string | null;
  /** Normalised if the working directory is known. */
  path: string;
  /** Key of the line range; equal for equal ranges, empty for the whole file. */
  range: string;
  use: ToolUse;
}

/** Successful reads in order: calls of read tools, and `cat`, `head`, `tail` and `sed -n` in a shell. */
export const fileReads = memoizeByRef((trace: Trace): readonly FileRead[] =>
  toolUses(trace).flatMap((use) =>
    use.isError ? [] : use.command === null ? toolRead(trace, use) : shellReads(trace, use),
  ),
);

/** The path among the arguments of a call; null if there is none. */
export function pathOf(trace: Trace, use: ToolUse): string | null {
  const text = namedPath(use);
  return text === null ? null : (plainPath(text, directoryOf(trace, use)) ?? text);
}

/** The path as written in the call. */
export function namedPath({ arguments: args }: ToolUse): string | null {
  return pathArgument(args)?.path ?? null;
}

function toolRead(trace: Trace, use: ToolUse): FileRead[] {
  const path = actOf(trace, use) === 'read' ? pathOf(trace, use) : null;
  if (path === null || !isJsonObject(use.arguments)) return [];
  return [{ step: use.step, agent: use.agent, path, range: rangeOf(use.arguments), use }];
}

const READING_PROGRAM = /\b(?:cat|head|tail|sed|nl|bat)\b/;

function shellReads(trace: Trace, use: ToolUse): FileRead[] {
  if (!READING_PROGRAM.test(use.command!)) return [];
  const directory = directoryOf(trace, use);
  return callsOf(use).flatMap((call) => {
    const words = call.args.map(({ value }) => value);
    const named = filesReadBy(call.program, words);
    if (named === null || call.isRemote) return [];
    const folder = call.directory === null ? directory : plainPath(call.directory, directory);
    return named.files.map((file) => ({
      step: use.step,
      agent: use.agent,
      path: plainPath(file, folder) ?? file,
      range: named.range,
      use,
    }));
  });
}

/** The files that a program prints without changing them, and the lines it prints. */
function filesReadBy(program: string, words: readonly string[]): { files: string[]; range: string } | null {
  const options = words.filter((word) => word.startsWith('-'));
  const plain = words.filter((word) => !word.startsWith('-') && /[./]/.test(word));
  if (program === 'cat' || program === 'nl' || program === 'bat') return { files: plain, range: '' };
  if (program === 'head' || program === 'tail')
    return { files: plain, range: `${program} ${words.filter((word) => !plain.includes(word)).join(' ')}` };
  if (program !== 'sed' || !options.includes('-n')) return null;
  const script = words.find((word) => /^\d+(?:,\d+)?p$/.test(word));
  return script === undefined ? null : { files: plain.filter((word) => word !== script), range: script };
}
