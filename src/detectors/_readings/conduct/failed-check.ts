import type { Evidence } from '../../../core/detection.ts';
import type { Trace } from '../../../core/trace.ts';
import { cut, oneLine, stepsText } from '../../_kit/text.ts';
import type { ToolUse } from '../calls/calls.ts';
import { namedPath } from '../coding/file-reads.ts';
import { answerLine } from './answer-line.ts';
import { isCodeFile } from './code-file.ts';
import { codingWork, type Work } from './coding-work.ts';
import { callsOf } from './shell-uses.ts';

const READ_CHARACTERS = 20_000;
const VALUE_CHARACTERS = 80;
/** `expected X, got Y` if the output of a failed check shows both values, else the quoted line that says what failed. */
export function failedCheckText(output: string): string {
  const text = output.slice(-READ_CHARACTERS);
  const found = valuesIn(text.split('\n').map((each) => each.trim()));
  if (found !== null) return `expected ${shortened(found.expected)}, got ${shortened(found.actual)}`;
  const line = answerLine(output);
  return line === '' ? '' : `"${line}"`;
}

interface Values {
  expected: string;
  actual: string;
}

/** The two values as test programs print them: Jest and Vitest, Node, pytest, and assertions in one line. */
function valuesIn(lines: readonly string[]): Values | null {
  for (const [at, line] of lines.entries()) {
    const next = lines[at + 1] ?? '';
    if (line.startsWith('Expected: ') && next.startsWith('Received: '))
      return { expected: line.slice('Expected: '.length), actual: next.slice('Received: '.length) };
    if (line.startsWith('actual: ') && next.startsWith('expected: '))
      return { expected: memberOf(next), actual: memberOf(line) };
    if (line === '+ actual - expected') return diffAfter(lines.slice(at + 1, at + 4));
    const pair =
      line.startsWith('E ') && line.includes('assert ') ? line.slice(line.indexOf('assert ') + 7).split(' == ') : [];
    if (pair.length === 2) return { actual: pair[0]!, expected: pair[1]! };
    const sides = ERROR_LINE.test(line) ? line.slice(line.indexOf(': ') + 2).split(' !== ') : [];
    if (sides.length === 2) return { actual: sides[0]!, expected: sides[1]! };
  }
  return null;
}

const ERROR_LINE = /^\w{0,40}Error(?: \[\w{1,40}\])?: /;

/** `+ 3` and `- 4`, one line each. */
function diffAfter(lines: readonly string[]): Values | null {
  const [actual, expected] = lines.filter((line) => line !== '');
  if (actual?.startsWith('+ ') !== true || expected?.startsWith('- ') !== true) return null;
  return { actual: actual.slice(2), expected: expected.slice(2) };
}

function memberOf(line: string): string {
  return line.slice(line.indexOf(': ') + 2).replace(/,$/, '');
}

function shortened(value: string): string {
  return cut(oneLine(value), VALUE_CHARACTERS);
}

/** An edit that names a file. */
export interface FileEdit {
  step: number;
  /** As the call writes it. */
  path: string;
}

/** The last edit before the step; null if none names a file. */
export function lastEdit(trace: Trace, step: number): FileEdit | null {
  for (const { kind, use } of codingWork(trace).toReversed()) {
    const path = kind === 'edit' && use.step < step ? editedPath(use) : null;
    if (path !== null) return { step: use.step, path };
  }
  return null;
}

/** `src/oven.ts (edited last, at step 4)`; null if no edit before the step names a file. */
export function lastEditText(trace: Trace, step: number): string | null {
  const edit = lastEdit(trace, step);
  return edit === null ? null : `${edit.path} (edited last, at step ${edit.step})`;
}

/** Steps before a failed test run at which the same command failed, without an edit in between; in order. */
function unchangedFailures(trace: Trace, { use }: Work): number[] {
  const before = codingWork(trace).filter((work) => work.use.step < use.step);
  const since = before.slice(before.findLastIndex(({ kind }) => kind === 'edit') + 1);
  return since
    .filter((work) => work.hasPassed === false && work.use.command !== null && work.use.command === use.command)
    .map((work) => work.use.step);
}

/** One sentence with a leading space; empty if the command of the failed run did not fail before. */
export function unchangedFailuresText(trace: Trace, run: Work): string {
  const steps = unchangedFailures(trace, run);
  if (steps.length === 0) return '';
  return ` The same command had already failed at ${stepsText(steps)}, without an edit in between.`;
}

/** The step that shows the edit. */
export function editEvidence({ path }: FileEdit, spanId: string): Evidence {
  return { kind: 'edit', spanId, path: 'tool.arguments', quote: cut(path, 280), value: null };
}

const PATCHED = /\*\*\* (?:Update|Add) File: ([^\n\\"]{1,300})/;

/** Among the arguments, in a patch, or in a command. */
function editedPath(use: ToolUse): string | null {
  const { command, arguments: args } = use;
  const patched = PATCHED.exec(command ?? JSON.stringify(args).slice(0, READ_CHARACTERS))?.[1]?.trim();
  return patched ?? (command === null ? namedPath(use) : editedByCommand(use));
}

/** The last source file that a command writes to or names. */
function editedByCommand(use: ToolUse): string | null {
  const words = callsOf(use).flatMap(({ args, writes }) => [...args, ...writes]);
  return words.map(({ value }) => value).findLast(isCodeFile) ?? null;
}
