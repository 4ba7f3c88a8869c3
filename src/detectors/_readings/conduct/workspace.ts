import { isJsonObject } from '../../../core/json.ts';
import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import type { ToolUse } from '../calls/calls.ts';
import { isWithin, plainPath } from '../shell/file-path.ts';

/**
 * The folders a run works in, normalised, without subfolders of others. Empty if no sender reports one, or if the run works
 * in the home folder or the root: these limit nothing.
 */
export const workspacesOf = memoizeByRef((trace: Trace): readonly string[] => {
  const reported = new Set(trace.steps.flatMap(({ workingDirectory }) => workingDirectory ?? []));
  const plain = [...reported].flatMap((folder) => plainPath(folder, null) ?? []);
  const bounding = plain.filter((folder) => !/^(?:\/|~|\/home|\/Users|\/tmp)$/.test(folder));
  return bounding.filter((folder) => !bounding.some((other) => other !== folder && isWithin(folder, other)));
});

const DIRECTORY_ARGUMENTS = ['workdir', 'cwd', 'working_directory', 'working_dir', 'directory', 'dir_path'];

/** The reported working folder of a call; null if unknown. */
export function directoryOf(trace: Trace, { step, arguments: args }: ToolUse): string | null {
  const own = trace.steps[step]!.workingDirectory;
  const argument = isJsonObject(args) ? DIRECTORY_ARGUMENTS.map((name) => args[name]).find(isText) : undefined;
  return argument === undefined ? own : plainPath(argument, own);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
