import { isJsonObject, type Json } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { type ToolUse, toolUses } from '../_kit/calls.ts';
import { baseName, parentOf } from '../_kit/file-path.ts';
import { breaches } from '../_kit/json-schema.ts';
import { blankWordCount, cut } from '../_kit/text.ts';
import { answerLine, isBare, LINE_CHARACTERS, withoutStatus } from './answer-line.ts';
import { hasFailureForm } from './failure-form.ts';

/** What keeps a call from bringing its agent further, read from the call, its answer and the declared tools. */
export type Obstacle =
  | { kind: 'unknown_tool'; declared: number; nearest: string | null }
  | { kind: 'missing_argument'; argument: string; passed: readonly string[]; line: string }
  | { kind: 'wrong_argument'; argument: string; what: string; declared: string }
  | { kind: 'named_argument'; argument: string; value: string; line: string }
  | { kind: 'missing_program'; program: string }
  | { kind: 'stray_text'; text: string }
  | { kind: 'missing_path'; path: string; nearest: string | null; shownAt: number | null }
  | { kind: 'other_names'; value: string; names: readonly string[] }
  | { kind: 'undefined_name'; name: string; line: string }
  | { kind: 'failure'; part: FailedPart; passed: string; line: string }
  | { kind: 'bare_answer'; line: string }
  | { kind: 'redirected'; file: string }
  | { kind: 'empty' }
  | { kind: 'shared_answer'; line: string; other: string; otherStep: number }
  | { kind: 'result'; line: string };

/** What a failure is about: the arguments of a tool, code that was passed to it, a command, or the work that a command checks. */
export type FailedPart = 'arguments' | 'code' | 'command' | 'work';

/** The most specific obstacle that the trace shows. */
export function obstacleOf(trace: Trace, use: ToolUse): Obstacle {
  const said = (use.failure?.message || use.resultText).trim();
  const code = codeOf(use);
  const isReported =
    code !== null && (hasFailureForm(said) || CHECK.test(said) || messageOfProgram(code, said) !== null);
  const hasFailed = use.isError || isReported;
  return (
    (use.isError ? (unknownTool(trace, use) ?? declaredFault(trace, use)) : null) ??
    otherNames(use) ??
    (hasFailed && said !== '' ? failureObstacle(trace, use, said) : null) ??
    sharedAnswer(trace, use, said) ??
    plainObstacle(use, said)
  );
}

/** A check as a failed run of it prints it. */
const CHECK = /: assert\b[^\n]{1,600}[=<>!]=/;

function failureObstacle(trace: Trace, use: ToolUse, said: string): Obstacle {
  const code = codeOf(use);
  const line = (code === null ? null : messageOfProgram(code, said)) ?? answerLine(said);
  return (
    missingProgram(use, said) ??
    missingPath(trace, use, said) ??
    missingField(use, said) ??
    namedArgument(use, line) ??
    undefinedName(code, line) ??
    (code !== null && isBare(said)
      ? { kind: 'bare_answer', line }
      : { kind: 'failure', part: partOf(use, said), passed: cut(oneLine(use.argumentsText), 100), line })
  );
}

function plainObstacle(use: ToolUse, said: string): Obstacle {
  if (said === '' || /^(?:\[\s{0,4}\]|\{\s{0,4}\}|null)$/.test(said)) {
    const file = REDIRECTED.exec(use.command ?? '')?.[1];
    return file === undefined ? { kind: 'empty' } : { kind: 'redirected', file };
  }
  const code = codeOf(use);
  const lint = code === null ? undefined : LINT_LINE.exec(said)?.[0];
  if (lint !== undefined)
    return { kind: 'failure', part: 'code', passed: '', line: cut(oneLine(lint), LINE_CHARACTERS) };
  const isVerdict = code !== null && code !== use.command && isBare(said) && blankWordCount(said) >= FEWEST_WORDS;
  if (isVerdict) return { kind: 'bare_answer', line: answerLine(said) };
  return { kind: 'result', line: cut(oneLine(withoutStatus(said)), LINE_CHARACTERS) };
}

const LONGEST_SHARED = 200;

/** A short answer that other arguments got, too: it is about neither. */
function sharedAnswer(trace: Trace, use: ToolUse, said: string): Obstacle | null {
  if (use.command !== null || use.isError || said.length > LONGEST_SHARED || blankWordCount(said) < FEWEST_WORDS)
    return null;
  const other = toolUses(trace).find(
    ({ name, resultText, argumentsText }) =>
      name === use.name && resultText.trim() === said && argumentsText !== use.argumentsText,
  );
  if (other === undefined || codeOf(use) !== null) return null;
  const line = cut(oneLine(said), LINE_CHARACTERS);
  return { kind: 'shared_answer', line, other: cut(oneLine(other.argumentsText), 80), otherStep: other.step };
}

/** Fewer words are a value that the code printed. */
const FEWEST_WORDS = 3;
/** A line of a linter: its code, then what it says. */
const LINT_LINE = /^[\s-]{0,8}[A-Z]{1,3}\d{3,4}\b[^\n]{4,160}/m;

function partOf(use: ToolUse, said: string): FailedPart {
  const code = codeOf(use);
  if (code === null) return 'arguments';
  if (use.command === null || use.command.includes('\n')) return 'code';
  return messageOfProgram(code, said) !== null || SHELL_MESSAGE.test(said) ? 'command' : 'work';
}

const SHELL_MESSAGE = /^(?:[^\s:]{0,40}\/)?(?:ba|z|da|k)?sh: |: -c: line \d/m;
const PROGRAM_MESSAGE = /^([\w.+-]{1,40}): (?:line \d{1,6}: )?\S[^\n]{1,300}$/gm;

/** `program: message`, as programs report errors, of a program that the command names; null where no line has that form. */
function messageOfProgram(code: string, said: string): string | null {
  const named = new Set(code.match(/[\w.+-]{1,40}/g) ?? []);
  for (const [line, program] of said.matchAll(PROGRAM_MESSAGE))
    if (named.has(program!)) return cut(oneLine(line), LINE_CHARACTERS);
  const shell = said.split('\n').find((line) => SHELL_MESSAGE.test(line));
  return shell === undefined ? null : cut(oneLine(shell), LINE_CHARACTERS);
}

const CODE_FORM = /\n|\b(?:def|function|class)\s{1,4}\w|[;=][^\n]{0,200}[()]/;

/** The command or code that a call passes: a text argument with lines, definitions or assignments; null where there is none. */
function codeOf({ command, arguments: args }: ToolUse): string | null {
  if (command !== null) return command;
  const texts = typeof args === 'string' ? [args] : isJsonObject(args) ? Object.values(args) : [];
  return texts.filter((text) => typeof text === 'string').find((text) => CODE_FORM.test(text)) ?? null;
}

/** Fewer may be a part of what was offered. */
const FEWEST_DECLARED = 2;

function unknownTool(trace: Trace, { name, command, outcome }: ToolUse): Obstacle | null {
  const names = trace.toolDefinitions.map((tool) => tool.name);
  if (names.length < FEWEST_DECLARED || names.includes(name) || command !== null || outcome !== null) return null;
  if (toolUses(trace).some((use) => use.name === name && !use.isError)) return null;
  return { kind: 'unknown_tool', declared: names.length, nearest: nearestOf(name, names) };
}

const LEAST_LIKENESS = 0.4;

/** The name that shares the most pairs of letters. */
function nearestOf(name: string, names: readonly string[]): string | null {
  const [best] = names
    .map((each) => ({ each, likeness: likeness(name, each) }))
    .sort((a, b) => b.likeness - a.likeness);
  return best === undefined || best.likeness < LEAST_LIKENESS ? null : best.each;
}

function likeness(one: string, other: string): number {
  const [a, b] = [pairsOf(one), pairsOf(other)];
  const shared = [...a].filter((pair) => b.has(pair)).length;
  return (2 * shared) / Math.max(1, a.size + b.size);
}

function pairsOf(text: string): ReadonlySet<string> {
  const letters = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return new Set([...letters].slice(1).map((letter, at) => `${letters[at]}${letter}`));
}

/** An argument that the declared schema of the tool does not allow. */
function declaredFault(trace: Trace, use: ToolUse): Obstacle | null {
  const schema = trace.toolDefinitions.find(({ name }) => name === use.name)?.parameters ?? null;
  const breach = breaches(use.arguments, schema).find(({ isHarmless, path }) => !isHarmless && path !== '');
  if (breach === undefined) return null;
  const { path, what } = breach;
  if (what === 'is missing')
    return { kind: 'missing_argument', argument: path, passed: keysOf(use.arguments), line: '' };
  return { kind: 'wrong_argument', argument: path, what, declared: declaredAs(schema, path) };
}

/** How validators report a field that is not there: `name` above `Field required`, or its name in quotes. */
const MISSING_FIELD =
  /(?:^|\s)([A-Za-z_][\w.]{1,80})\s{1,8}Field required\b|(?:missing|required)[^'"`\n]{0,60}(?:argument|parameter|property|field)s?[^'"`\n]{0,10}['"`](\w{1,60})['"`]|['"`](\w{1,60})['"`] is (?:a )?required/im;

function missingField({ arguments: args }: ToolUse, said: string): Obstacle | null {
  const found = MISSING_FIELD.exec(said.slice(0, READ_CHARACTERS));
  const argument = found?.slice(1).find((name) => name !== undefined);
  if (argument === undefined || !isJsonObject(args)) return null;
  return { kind: 'missing_argument', argument, passed: keysOf(args), line: answerLine(said) };
}

function keysOf(args: Json): string[] {
  return isJsonObject(args) ? Object.keys(args) : [];
}

function declaredAs(schema: Json, path: string): string {
  const properties = isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
  const declared = properties[path.split(/[.[]/, 1)[0]!] ?? null;
  return cut(JSON.stringify(declared), 120);
}

/** An argument whose name the error quotes, or writes as `name=` or `name:`. */
function namedArgument({ arguments: args }: ToolUse, line: string): Obstacle | null {
  if (!isJsonObject(args)) return null;
  const argument = Object.keys(args).find((key) => key.length >= 3 && isNamed(key, line));
  if (argument === undefined) return null;
  return { kind: 'named_argument', argument, value: cut(JSON.stringify(args[argument]), 80), line };
}

function isNamed(key: string, line: string): boolean {
  return ["'", '"', '`'].some((mark) => line.includes(`${mark}${key}${mark}`)) || line.includes(`${key}=`);
}

/** A number or a capitalised word is no name of a program. */
const STRAY_TEXT = /^(?:\d+|[A-Z][a-z]{0,40}|[A-Z]{2,40})$/;
const MISSING_PROGRAM = /(?:^|[\s:])([\w.+-]{1,40}): (?:command )?not found\b/m;

function missingProgram({ command }: ToolUse, said: string): Obstacle | null {
  const program = command === null ? undefined : MISSING_PROGRAM.exec(said)?.[1];
  if (program === undefined) return null;
  return STRAY_TEXT.test(program) ? { kind: 'stray_text', text: program } : { kind: 'missing_program', program };
}

const NO_SUCH_PATH = /No such file or directory|\bENOENT\b/;
const PATH = /(?:\.{0,2}\/)?[\w.@~-]{1,80}(?:\/[\w.@~-]{1,80}){0,20}/g;
const READ_CHARACTERS = 8_000;

/** A path of the call that the error repeats. */
function missingPath(trace: Trace, use: ToolUse, said: string): Obstacle | null {
  if (!NO_SUCH_PATH.test(said)) return null;
  const line = said.split('\n').find((each) => NO_SUCH_PATH.test(each))!;
  const asked = new Set(pathsIn(use.command ?? JSON.stringify(use.arguments)));
  const path = pathsIn(line).find((each) => asked.has(each));
  if (path === undefined) return null;
  const shown = toolUses(trace)
    .filter(({ step, isError, resultText }) => step < use.step && !isError && !NO_SUCH_PATH.test(resultText))
    .flatMap(({ step, resultText }) => pathsIn(resultText.slice(0, READ_CHARACTERS)).map((each) => ({ each, step })));
  const near = shown.findLast(({ each }) => each !== path && baseName(each) === baseName(path));
  return { kind: 'missing_path', path, nearest: near?.each ?? null, shownAt: near?.step ?? null };
}

/** Words with a slash, or with a dot inside. */
function pathsIn(text: string): string[] {
  const found = text.slice(0, READ_CHARACTERS).match(PATH) ?? [];
  return found.filter((word) => /[^/]\/|^\/\w|\w\.\w/.test(word)).map((word) => word.replace(/\.$/, ''));
}

const QUOTED = /"([^"\n]{1,120})"|'([^'\n]{1,120})'/g;
const MOST_NAMES = 5;
const LONGEST_OFFER = 1_000;

/** A short answer that quotes what was asked for, and beside it other names. */
function otherNames({ arguments: args, command, resultText }: ToolUse): Obstacle | null {
  if (command !== null || resultText.length > LONGEST_OFFER || /^\s{0,8}[{[]/.test(resultText)) return null;
  const asked = (isJsonObject(args) ? Object.values(args) : [args]).filter((value) => typeof value === 'string');
  const quoted = [...resultText.matchAll(QUOTED)].map(([, double, single]) => (double ?? single)!);
  const value = asked.find((each) => quoted.includes(each));
  const names = [...new Set(quoted)].filter((each) => !asked.includes(each));
  if (value === undefined || names.length === 0) return null;
  return { kind: 'other_names', value, names: names.slice(0, MOST_NAMES) };
}

const DEFINED = /\b(?:def|function|func|fn|class)\s{1,4}\w{2,80}/;
const CALLED = /\b([A-Za-z_]\w{1,80})\s{0,2}\(/g;

/** The failed check calls a function that the code it was run on does not have. */
function undefinedName(code: string | null, line: string): Obstacle | null {
  if (code === null || !/\bassert\b/.test(line) || !DEFINED.test(code)) return null;
  const called = [...line.matchAll(CALLED)].map(([, name]) => name!).filter((name) => name !== 'assert');
  if (called.length === 0 || called.some((name) => new RegExp(`\\b${name}\\b`).test(code))) return null;
  return { kind: 'undefined_name', name: called.reduce((a, b) => (b.length > a.length ? b : a)), line };
}

const REDIRECTED = /[^>&\d]>{1,2}\s{0,4}((?!&|\/dev\/)[\w./~-]{1,200})\s{0,8}$/;

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The folder of a path; null where it names none. */
export function folderOf(path: string): string | null {
  return path.includes('/') ? parentOf(path) : null;
}
