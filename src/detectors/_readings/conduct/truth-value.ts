import type { ToolUse } from '../calls/calls.ts';
import { codeOf } from './executions.ts';

/** A comparison of Python with a truth value. */
const COMPARED_WITH = /(?:==|\bis) {0,4}(True|False)\b/;
/** Words and operators that make a truth value. */
const MAKES_TRUTH = /\b(?:True|False|not|in|is|and|or|if|lambda|bool|all|any)\b|[=!<>]=|[<>]/;
/** A calculation, whose result is no truth value. */
const IS_CALCULATION = /^\s{0,80}return\s{1,8}(?:(?:abs|len|sum|int|float|round)\(|[\w.()[\]]{1,80} {0,4}[-+*/%])/;

/** The truth value that a failed check compares with, if each return of the code is a calculation; else null. */
export function truthValue(use: ToolUse, line: string): string | null {
  const expected = COMPARED_WITH.exec(line)?.[1] ?? null;
  const returns = codeOf(use)
    .split('\n')
    .filter((each) => /^\s{0,80}return\s/.test(each));
  const isCalculation = (each: string) => IS_CALCULATION.test(each) && !MAKES_TRUTH.test(each);
  return returns.length > 0 && returns.every(isCalculation) ? expected : null;
}

/** One sentence with a leading space; empty if the code may return a truth value. */
export function truthText(use: ToolUse, line: string): string {
  const expected = truthValue(use, line);
  return expected === null
    ? ''
    : ` The check compares with ${expected}, and each return of the code is a calculation, not a truth value.`;
}
