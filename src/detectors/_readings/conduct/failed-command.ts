import type { Trace } from '../../../core/trace.ts';
import { cut, oneLine } from '../../_kit/text.ts';
import { textsAmong } from '../calls/argument-roles.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { failureCause } from '../calls/failure-class.ts';
import type { FailureText } from '../calls/failure-text.ts';
import { baseName, parentOf } from '../shell/file-path.ts';
import { LINE_CHARACTERS } from './answer-line.ts';
import type { FailedPart, Obstacle } from './obstacle.ts';

export function partOf(use: ToolUse, output: string): FailedPart {
  const code = codeOf(use);
  if (code === null) return requestPart(use.failure ?? { code: '', message: output });
  if (use.command === null || use.command.includes('\n')) return 'code';
  return messageOfProgram(code, output) !== null ? 'command' : 'work';
}

/** The part of a call without code that its error is about. */
function requestPart(error: FailureText): FailedPart {
  const { class: failureClass, reason } = failureCause(error);
  if (reason !== null) return 'unknown';
  if (failureClass === 'not_found') return 'lookup';
  return failureClass === 'invalid_arguments' ? 'arguments' : 'unknown';
}

const SHELL_MESSAGE = /^(?:\/\S{1,40}\/)?(?:ba|z|da|k)?sh: |: -c: line \d/;
const PROGRAM_MESSAGE = /^([\w.+-]{1,40}): \S/;

/** An error in the form `program: message`, from a program that the command names; null if no line has that form. */
export function messageOfProgram(code: string, output: string): string | null {
  const named = new Set(code.slice(0, READ_CHARACTERS).match(/[\w.+-]{1,40}/g) ?? []);
  const isOfProgram = (line: string) => named.has(PROGRAM_MESSAGE.exec(line)?.[1] ?? '');
  const found = output.split('\n');
  const line = found.find(isOfProgram) ?? found.find((each) => SHELL_MESSAGE.test(each));
  return line === undefined ? null : cut(oneLine(line), LINE_CHARACTERS);
}

const DEFINITION = /\b(?:def|function|func|fn|class)\s{1,4}\w{2}/;

/** Whether a text has several lines, a definition, or an assignment or statement next to a call. */
function isCode(text: string): boolean {
  return text.includes('\n') || DEFINITION.test(text) || (/[;=]/.test(text) && text.includes('('));
}

/**
 * The command or code that a call passes: a text argument with several lines, definitions or assignments; null if there is
 * none.
 */
export function codeOf({ command, arguments: args }: ToolUse): string | null {
  if (command !== null) return command;
  return textsAmong(args).find(isCode) ?? null;
}

/** Numbers, capitalised words and words followed by a punctuation mark are not program names. */
const NON_COMMAND_TEXT = /^(?:\d+|[A-Z][a-z]{0,40}|[A-Z]{2,40}|\w{1,40}[!?,])$/;
/** The mark of a code block in Markdown. */
const FENCE = /^\s{0,8}```/;
const NOT_FOUND = /^(?:command )?not found\b/;

/** `sh: line 1: sifter: command not found`, or `zsh: command not found: sifter`. */
function programNotFound(line: string): string | null {
  const parts = line.split(': ');
  const at = parts.findIndex((part) => NOT_FOUND.test(part));
  const program = at <= 0 ? '' : (parts[at + 1] ?? parts[at - 1]!).trim();
  return /^[\w.+/-]{1,60}[!?,]?$/.test(program) ? program : null;
}

export function missingProgram({ command }: ToolUse, output: string): Obstacle | null {
  if (command === null) return null;
  const program =
    output
      .split('\n')
      .map(programNotFound)
      .find((name) => name !== null) ?? null;
  if (program === null) return null;
  const isFenced = FENCE.test(command);
  return isFenced || NON_COMMAND_TEXT.test(program) || isProse(command, program)
    ? { kind: 'stray_text', text: program, mark: isFenced ? 'fence' : null }
    : { kind: 'missing_program', program };
}

const MIN_WORDS = 4;
const PLAIN_WORD = /^[A-Za-z]{1,40}$/;

/** Whether plain words follow the name, as in a sentence: no option, path or value among the first ones. */
function isProse(command: string, program: string): boolean {
  const words = command.slice(0, READ_CHARACTERS).split(/\s+/);
  const at = words.indexOf(program);
  const following = at === -1 ? [] : words.slice(at + 1, at + 1 + MIN_WORDS);
  return following.length === MIN_WORDS && following.every((word) => PLAIN_WORD.test(word));
}

/** Messages of bash, dash and zsh about a quotation that does not end. */
const OPEN_QUOTATION = /unexpected EOF while looking for matching `?'|Unterminated quoted string|\bunmatched '/i;
const WORD_WITH_APOSTROPHE = /^[A-Za-z]{1,20}'[a-z]{1,4}$/;
const SENTENCE_WORD = /^[A-Za-z]{1,40}(?:'[a-z]{1,4})?[.,;:!?]?$/;

/** A sentence whose apostrophe the shell reads as the beginning of a quotation: it names no missing program. */
export function sentenceAsCommand({ command }: ToolUse, output: string): Obstacle | null {
  if (command === null || !OPEN_QUOTATION.test(output)) return null;
  const [first, ...following] = command.trim().slice(0, READ_CHARACTERS).split(/\s+/);
  const beginning = following.slice(0, MIN_WORDS);
  const isSentence =
    NON_COMMAND_TEXT.test(first!) &&
    beginning.length === MIN_WORDS &&
    beginning.every((word) => SENTENCE_WORD.test(word));
  const word = [first!, ...following].find((each) => WORD_WITH_APOSTROPHE.test(each));
  return isSentence && word !== undefined ? { kind: 'stray_text', text: word, mark: 'apostrophe' } : null;
}

/** The name that a shell started with `-c` prints before its message. */
const NAME_OF_SHELL = /^(.{1,400}?)\s?: -c: line \d/;
const QUOTES = ['"', "'"];

/** The shell reports a piece of the command as its own name: a quote inside the command ended it early. */
export function cutCommand({ command }: ToolUse, output: string): Obstacle | null {
  const line = output.split('\n').find((each) => NAME_OF_SHELL.test(each));
  const rest = (NAME_OF_SHELL.exec(line ?? '')?.[1] ?? '').trim();
  if (command === null || line === undefined || rest === '' || SHELL_NAME.test(rest)) return null;
  const quote = QUOTES.find((mark) => command.includes(mark) && command.replaceAll(mark, '').includes(rest));
  return quote === undefined
    ? null
    : { kind: 'cut_command', rest: cut(rest, REST_CHARACTERS), quote, line: cut(oneLine(line), LINE_CHARACTERS) };
}

const SHELL_NAME = /^(?:\/\S{1,40}\/)?(?:ba|z|da|k)?sh$/;
const REST_CHARACTERS = 60;

/** A statement after other text on the same line. Such statements must be on separate lines. */
const JOINED_STATEMENT = /\S\s{1,4}(?:def|import|class|return|from \w{1,40} import)\s/;

/** Code without a line break whose error is in its first line, and which contains statements that need separate lines. */
export function oneLineCode(code: string | null, line: string): Obstacle | null {
  if (code === null || code.trim().includes('\n') || !/\bline 1\b/.test(line)) return null;
  return JOINED_STATEMENT.test(code.trim()) ? { kind: 'one_line', line } : null;
}

const AFTER_BACKSLASH = 'unexpected character after line continuation character';

/** Code in which each line break arrived as a backslash and an `n`: Python shows such a line above its message. */
export function escapedBreaks(output: string): Obstacle | null {
  const end = output.indexOf(AFTER_BACKSLASH);
  const shown = end === -1 ? [] : output.slice(0, end).split('\n').slice(-4);
  return shown.some((line) => /\\n(?!['"])/.test(line)) ? { kind: 'escaped_breaks' } : null;
}

export const NO_SUCH_PATH = /No such file or directory|\bENOENT\b/;
const PATH = /[\w.@~/*?-]{2,200}/g;
const READ_CHARACTERS = 8_000;

/** A path of the call that the error quotes. */
export function missingPath(trace: Trace, use: ToolUse, output: string): Obstacle | null {
  if (!NO_SUCH_PATH.test(output)) return null;
  const line = output.split('\n').find((each) => NO_SUCH_PATH.test(each))!;
  const requested = new Set(pathsIn(use.command ?? JSON.stringify(use.arguments)));
  const path = pathsIn(line).find((each) => requested.has(each));
  if (path === undefined) return null;
  const shown = toolUses(trace)
    .filter(({ step, isError, resultText }) => step < use.step && !isError && !NO_SUCH_PATH.test(resultText))
    .flatMap(({ step, resultText }) => pathsIn(resultText.slice(0, READ_CHARACTERS)).map((each) => ({ each, step })));
  const near = shown.findLast(({ each }) => each !== path && baseName(each) === baseName(path));
  return { kind: 'missing_path', path, nearest: near?.each ?? null, shownAt: near?.step ?? null };
}

/** A list of the names in a folder, inside another command: `$(ls -r /srv/jars | head -1)`. */
const LISTED_IN_COMMAND = /(?:\$\(|`)\s{0,4}ls((?:\s{1,4}-\w{1,10}){0,4})\s{1,4}(\/[\w./-]{1,200})\s{0,4}[|)`]/;
const MISSING_NAME = /(?:^|[\s:'"`‘])\/?([\w.@~-]{1,100})['"`’]?: No such file or directory/;

/** A name that a list inside the command printed, and that the command uses without the folder of the list. */
export function bareName(use: ToolUse, output: string): Obstacle | null {
  const { command } = use;
  const [, options, path] = LISTED_IN_COMMAND.exec(command?.slice(0, READ_CHARACTERS) ?? '') ?? [];
  if (command === null || path === undefined || /-\w*d/.test(options!)) return null;
  const name = output
    .split('\n')
    .map((line) => MISSING_NAME.exec(line)?.[1])
    .find((each) => each !== undefined);
  const folder = path.replace(/(?<=.)\/$/, '');
  if (name === undefined || command.includes(name)) return null;
  const other = missingProgram(use, output);
  return { kind: 'bare_name', folder, name, stray: other?.kind === 'stray_text' ? other.text : null };
}

/** Words with a slash, or with a dot inside. */
function pathsIn(text: string): string[] {
  const found = text.slice(0, READ_CHARACTERS).match(PATH) ?? [];
  return found.filter((word) => word.includes('/') || /\w\.\w/.test(word)).map((word) => word.replace(/\.$/, ''));
}

const CALLED = /\b([A-Za-z_]\w{1,80})\s{0,2}\(/g;

/** The function that a failed check calls and that the tested code does not define. */
export function undefinedName(code: string | null, line: string): Obstacle | null {
  if (code === null || !/\bassert\b/.test(line) || !DEFINITION.test(code)) return null;
  const called = [...line.matchAll(CALLED)].map(([, name]) => name!).filter((name) => name !== 'assert');
  const known = new Set(code.match(/\w{2,80}/g));
  if (called.length === 0 || called.some((name) => known.has(name))) return null;
  return { kind: 'undefined_name', name: called.reduce((a, b) => (b.length > a.length ? b : a)), line };
}

/** The folder of a path; null if it names none. */
export function folderOf(path: string): string | null {
  return path.includes('/') ? parentOf(path) : null;
}
