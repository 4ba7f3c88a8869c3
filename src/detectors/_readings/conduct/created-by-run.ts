import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { pathArgument } from '../calls/argument-roles.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { baseName, isWithin, parentOf, plainPath } from '../shell/file-path.ts';
import type { ShellCall } from '../shell/shell-calls.ts';
import { isFileEdit, writesWholeFile } from './call-acts.ts';
import { callsOf } from './shell-uses.ts';
import { directoryOf } from './workspace.ts';

interface Creation {
  step: number;
  path: string;
}

/** Whether the run created a file or folder, or a folder above it, before or at a step. */
export function isCreatedByRun(trace: Trace, path: string, step: number): boolean {
  return creationsIn(trace).some((one) => one.step <= step && isWithin(path, one.path));
}

const creationsIn = memoizeByRef((trace: Trace): readonly Creation[] =>
  toolUses(trace).flatMap((use) => creationsBy(trace, use)),
);

const CREATES =
  /\b(?:mkdir|clone|worktree|init|cp|mv|rsync|ln|touch|tee|tar|unzip|venv|virtualenv|create|new|curl|wget|mktemp|scaffold|generate|startproject|startapp|install)\b|>/;
function creationsBy(trace: Trace, use: ToolUse): Creation[] {
  const directory = directoryOf(trace, use);
  if (use.command === null) return isFileEdit(use) ? writtenBy(use, directory) : [];
  if (!CREATES.test(use.command)) return [];
  return callsOf(use).flatMap((call) => {
    const folder = workingFolderOf(call, directory);
    const paths = [...targetsOf(call), ...call.writes.map(({ value }) => value)];
    return paths.flatMap((text) => {
      const path = plainPath(text, folder);
      return path === null ? [] : [{ step: use.step, path }];
    });
  });
}

/** Writing a file into a new folder creates the folder. */
function writtenBy(use: ToolUse, directory: string | null): Creation[] {
  const { step, arguments: args } = use;
  const text = pathArgument(args)?.path ?? null;
  const path = text === null ? null : plainPath(text, directory);
  if (path === null) return [];
  const folder = parentOf(path);
  const isDeep = folder.split('/').length > (folder.startsWith('~') ? 2 : 3);
  return isDeep && writesWholeFile(use)
    ? [
        { step, path },
        { step, path: folder },
      ]
    : [{ step, path }];
}

/** Working folder of a shell call, after the preceding `cd`s. */
export function workingFolderOf(
  { directory: changedTo, isRemote }: ShellCall,
  directory: string | null,
): string | null {
  if (changedTo === null) return isRemote ? null : directory;
  return plainPath(changedTo, isRemote ? null : directory) ?? '?';
}

function targetsOf({ program, args }: ShellCall): string[] {
  const words = args.filter(({ value }) => !value.startsWith('-')).map(({ value }) => value);
  const after = (option: RegExp) =>
    args.flatMap(({ value }, at) => (option.test(value) ? (args[at + 1]?.value ?? []) : []));
  switch (program) {
    case 'mkdir':
    case 'touch':
    case 'tee':
    case 'virtualenv':
      return words;
    case 'cp':
    case 'mv':
    case 'rsync':
    case 'ln':
      return words.slice(-1);
    case 'tar':
    case 'unzip':
      return after(/^-(?:C|d)$/);
    case 'curl':
    case 'wget':
      return after(/^-(?:o|O|P)$|^--output(?:-document)?$/);
    case 'git':
      return createdByGit(words);
    default:
      return /^(?:python3?|uv|npm|npx|pnpm|yarn|bun|cargo|dotnet|rails|django-admin|composer|flutter)$/.test(program)
        ? words.filter((word) => /^[\w./~-]{2,}$/.test(word)).slice(-1)
        : [];
  }
}

function createdByGit([verb, ...words]: string[]): string[] {
  if (verb === 'init') return [words[0] ?? '.', `${words[0] ?? '.'}/.git`];
  if (verb === 'worktree' && words[0] === 'add') return words.slice(1, 2);
  if (verb !== 'clone') return [];
  const folder = words[1] ?? baseName((words[0] ?? '').replace(/\.git$/, '').replace(/\/$/, ''));
  return folder === '' ? [] : [folder];
}
