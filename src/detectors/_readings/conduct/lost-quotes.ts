import type { Trace } from '../../../core/trace.ts';
import { cut, stepsText } from '../../_kit/text.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { messageOfProgram } from './failed-command.ts';
import { hasFailureForm } from './failure-form.ts';

/** What shows that a tool does not pass the quotes of a command to the shell. */
export type LostQuotes =
  | { sign: 'first_word'; quoted: string; printed: string }
  | { sign: 'expanded'; quoted: string; word: string }
  | { sign: 'unquoted_worked'; failed: readonly number[]; workedAt: number };

const READ_CHARACTERS = 2_000;
const QUOTED = /"([^"\n]{1,200})"/g;
const ONLY_PRINTS = /^\s{0,8}echo\s{1,4}"([^"\n$`\\]{1,400})"\s{0,8}$/;

/** Null if nothing shows it. */
export function lostQuotes(trace: Trace, use: ToolUse): LostQuotes | null {
  const { command } = use;
  if (command === null || !command.slice(0, READ_CHARACTERS).includes('"')) return null;
  const output = (use.failure?.message || use.resultText).trim();
  return firstWord(command, output) ?? expanded(command, output) ?? unquotedWorked(trace, use, command, output);
}

/** `echo "two words"` prints only the first of them. */
function firstWord(command: string, output: string): LostQuotes | null {
  const quoted = ONLY_PRINTS.exec(command)?.[1]?.trim() ?? '';
  const [first, ...others] = quoted.split(/\s+/);
  return others.length > 0 && output === first ? { sign: 'first_word', quoted: cut(quoted, 60), printed: first } : null;
}

const NAMED_WORD = /[`'‘"]([\w./-]{1,80})['’"]/g;

/** The message of a program quotes a name that matches a quoted pattern of its call: the shell expanded the pattern. */
function expanded(command: string, output: string): LostQuotes | null {
  const line = messageOfProgram(command, output);
  if (line === null) return null;
  const program = line.slice(0, line.indexOf(':'));
  const own = command
    .slice(0, READ_CHARACTERS)
    .split(/&&|\|\||(?<!\\);|[|\n]/)
    .find((part) => part.trim().startsWith(program));
  if (own === undefined) return null;
  const words = [...output.slice(0, READ_CHARACTERS).matchAll(NAMED_WORD)].map(([, word]) => word!);
  for (const [, quoted] of own.matchAll(QUOTED)) {
    const word = isPattern(quoted!) ? words.find((each) => !own.includes(each) && matches(quoted!, each)) : undefined;
    if (word !== undefined) return { sign: 'expanded', quoted: quoted!, word };
  }
  return null;
}

function isPattern(text: string): boolean {
  return /[*?]/.test(text) && !/\s/.test(text);
}

/** Whether the name begins and ends as the pattern, which contains one `*` or `?`. */
function matches(pattern: string, name: string): boolean {
  const at = pattern.search(/[*?]/);
  const [head, tail] = [pattern.slice(0, at), pattern.slice(at + 1)];
  if (/[*?[]/.test(tail)) return false;
  return name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail);
}

const MIN_FAILED = 2;
/** Commands of one form begin with the same words. The last words before the quote may differ. */
const MIN_SHARED = 20;
const OTHER_WORDS = 2;

/** All calls of a form with a quoted argument failed in the same way, and one of the same form without one worked. */
function unquotedWorked(trace: Trace, use: ToolUse, command: string, output: string): LostQuotes | null {
  const line = messageOfProgram(command, output);
  if (line === null) return null;
  const head = command.slice(0, command.indexOf('"')).trim().split(' ').slice(0, -OTHER_WORDS).join(' ');
  if (head.length < MIN_SHARED) return null;
  const alike = toolUses(trace).filter((one) => one.name === use.name && one.command?.startsWith(`${head} `) === true);
  const isQuoted = (one: ToolUse) => one.command!.includes('"') || one.command!.includes("'");
  const failed = alike.filter((one) => isQuoted(one) && lineOf(one) === line);
  const worked = alike.find((one) => !isQuoted(one) && hasWorked(one));
  const isMixed = alike.some((one) => isQuoted(one) && hasWorked(one));
  if (worked === undefined || isMixed || new Set(failed.map((one) => one.command)).size < MIN_FAILED) return null;
  return { sign: 'unquoted_worked', failed: failed.map(({ step }) => step), workedAt: worked.step };
}

function lineOf({ command, failure, resultText }: ToolUse): string | null {
  return messageOfProgram(command!, (failure?.message || resultText).trim());
}

function hasWorked(use: ToolUse): boolean {
  return !use.isError && use.resultText.trim() !== '' && lineOf(use) === null && !hasFailureForm(use.resultText);
}

/** What the trace shows, as the beginning of a sentence. */
export function lostQuotesText(found: LostQuotes, { name, step }: Pick<ToolUse, 'name' | 'step'>): string {
  switch (found.sign) {
    case 'first_word':
      return `step ${step} prints only "${found.printed}" of the quoted text "${found.quoted}"`;
    case 'expanded':
      return `the message of step ${step} names "${found.word}", to which the shell expands "${found.quoted}" only if its quotes are lost`;
    case 'unquoted_worked':
      return `each of the ${found.failed.length} calls of ${name} with this error has a quoted argument (${stepsText(found.failed)}), and step ${found.workedAt} without one worked`;
  }
}
