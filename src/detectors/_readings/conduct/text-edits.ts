import type { ToolUse } from '../calls/calls.ts';
import { type ShellCall, shellCalls } from '../shell/shell-calls.ts';
import { isCodeFile } from './code-file.ts';

/** Programs that change files whose names their options do not show. */
const CHANGES_OTHER_FILES = new Set(['git', 'patch', 'ed', 'python', 'python3', 'node', 'xargs', 'find', 'tee']);
/** `-i`, `-i.bak`, `-ni`, `--in-place`. */
const IN_PLACE = /^(?:-[a-zA-Z]{0,6}i|--in-place)/;
/** The script is an option, not the first operand; it can be the next argument. */
const SCRIPT_OPTION = /^(?:-[a-zA-Z]{0,6}[ef]|--(?:expression|file))/;
const TAKES_NEXT = /^(?:-[a-zA-Z]{0,6}[ef]|--(?:expression|file))$/;
/** `LICENSE`, `README`, `CHANGELOG`: files without an extension that are text. `Makefile` and `Dockerfile` are not. */
const CAPITALS = /^[A-Z][A-Z_-]{2,40}$/;
const EXTENSION = /.\.[A-Za-z0-9]{1,8}$/;

/** Whether a command edits files in place with `sed` or `perl`, and the names of all of them show that they are not code. */
export function editsTextsOnly({ command }: ToolUse): boolean {
  if (command === null || !/\b(?:sed|perl)\b/.test(command)) return false;
  const calls = shellCalls(command);
  const edits = calls.filter(isInPlaceEdit);
  if (edits.length === 0 || calls.some(({ program }) => CHANGES_OTHER_FILES.has(program))) return false;
  const files = [...edits.flatMap(editedFiles), ...calls.flatMap(({ writes }) => writes)];
  return (
    files.length > 0 &&
    files.every(({ value, isKnown, isPattern }) => isKnown && !(isPattern && !EXTENSION.test(value)) && isText(value))
  );
}

function isInPlaceEdit({ program, args }: ShellCall): boolean {
  return (program === 'sed' || program === 'perl') && args.some(({ value }) => IN_PLACE.test(value));
}

function editedFiles({ args }: ShellCall): ShellCall['args'] {
  const operands = args.filter(({ value }, at) => {
    const isOfOption = at > 0 && TAKES_NEXT.test(args[at - 1]!.value);
    return !value.startsWith('-') && !isOfOption;
  });
  return args.some(({ value }) => SCRIPT_OPTION.test(value)) ? operands : operands.slice(1);
}

function isText(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return CAPITALS.test(name) || (EXTENSION.test(name) && !isCodeFile(name));
}
