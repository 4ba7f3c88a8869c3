import type { Trace } from '../../core/trace.ts';
import { namedPath } from '../_coding/file-reads.ts';
import type { ToolUse } from '../_kit/calls.ts';
import { cut, oneLine } from '../_kit/text.ts';
import { answerLine } from './answer-line.ts';
import { codingWork } from './coding-work.ts';

const READ_CHARACTERS = 20_000;
const VALUE_CHARACTERS = 80;
/** How test programs print the two values: Node, Jest and Vitest, pytest, and assertions in one line. */
const EXPECTED_FIRST: readonly RegExp[] = [
  /^\s{0,12}Expected: {1,8}(\S.{0,400})\n\s{0,12}Received: {1,8}(\S.{0,400})$/m,
];
const ACTUAL_FIRST: readonly RegExp[] = [
  /^\+ actual - expected\n\s{0,8}\n?\+ (\S.{0,400})\n- (\S.{0,400})$/m,
  /^\s{0,12}actual: (\S.{0,400}?),?\n\s{0,12}expected: (\S.{0,400}?),?$/m,
  /^E\s{1,12}assert (\S.{0,400}?) == (\S.{0,400})$/m,
  /^\w{0,40}Error(?: \[\w{1,40}\])?: (\S.{0,400}?) !== (\S.{0,400})$/m,
];

/** `expected X, got Y` where the output of a failed check shows both values, else the quoted line that says what failed. */
export function failedCheckText(output: string): string {
  const text = output.slice(-READ_CHARACTERS);
  for (const form of EXPECTED_FIRST) {
    const found = form.exec(text);
    if (found !== null) return valuesText(found[1]!, found[2]!);
  }
  for (const form of ACTUAL_FIRST) {
    const found = form.exec(text);
    if (found !== null) return valuesText(found[2]!, found[1]!);
  }
  const line = answerLine(output);
  return line === '' ? '' : `"${line}"`;
}

function valuesText(expected: string, actual: string): string {
  return `expected ${cut(oneLine(expected), VALUE_CHARACTERS)}, got ${cut(oneLine(actual), VALUE_CHARACTERS)}`;
}

/** `src/oven.ts (edited last, at step 4)`; null where no edit before the step names a file. */
export function lastEditText(trace: Trace, step: number): string | null {
  for (const { kind, use } of codingWork(trace).toReversed()) {
    const path = kind === 'edit' && use.step < step ? (namedPath(use) ?? patchedPath(use)) : null;
    if (path !== null) return `${path} (edited last, at step ${use.step})`;
  }
  return null;
}

const PATCHED = /\*\*\* (?:Update|Add) File: ([^\n\\"]{1,300})/;

/** The file that a patch among the arguments names. */
function patchedPath({ command, arguments: args }: ToolUse): string | null {
  return PATCHED.exec(command ?? JSON.stringify(args).slice(0, READ_CHARACTERS))?.[1]?.trim() ?? null;
}
