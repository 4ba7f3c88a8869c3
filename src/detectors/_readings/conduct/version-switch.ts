import { type ShellCall, shellCalls } from '../shell/shell-calls.ts';
import type { Attempt } from './attempts.ts';

/**
 * Whether an attempt only selects another version of the tested code, for example to find the release that introduced a
 * fault. It repairs nothing.
 */
export function isVersionSwitch({ command }: Attempt): boolean {
  return command !== null && shellCalls(command).every(isSwitch);
}

const VERSION_MANAGERS = new Set(['nvm', 'pyenv', 'rbenv', 'asdf', 'sdk', 'fnm', 'volta', 'rustup', 'conda']);
/** `git checkout cart.py` reverts a change. */
const FILE_ENDING = /\.[A-Za-z]\w{0,4}$/;

function isSwitch({ program, args }: ShellCall): boolean {
  if (VERSION_MANAGERS.has(program) || program === 'cd' || program === 'echo') return true;
  const [verb, ...words] = args.filter(({ value }) => !value.startsWith('-')).map(({ value }) => value);
  if (program !== 'git') return false;
  return /^(?:switch|bisect|worktree|fetch|stash)$/.test(verb ?? '') || isRelease(verb, words);
}

function isRelease(verb: string | undefined, words: readonly string[]): boolean {
  return verb === 'checkout' && words.length === 1 && !FILE_ENDING.test(words[0]!);
}
