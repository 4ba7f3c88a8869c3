import { isDecoderError } from '../../../core/decoder-error.ts';
import { isJsonObject, type Json, parseJson } from '../../../core/json.ts';
import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { cut, oneLine, wordCount } from '../../_kit/text.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { answerLine, isBare, LINE_CHARACTERS, withoutStatus } from './answer-line.ts';
import { demandedText } from './demanded-text.ts';
import {
  bareName,
  codeOf,
  cutCommand,
  escapedBreaks,
  messageOfProgram,
  missingPath,
  missingProgram,
  NO_SUCH_PATH,
  oneLineCode,
  partOf,
  sentenceAsCommand,
  undefinedName,
} from './failed-command.ts';
import { hasFailureForm } from './failure-form.ts';
import { lostDefinitions } from './lost-definitions.ts';
import { lostQuotes, lostQuotesText } from './lost-quotes.ts';
import type { Obstacle, OfferedName } from './obstacle.ts';
import { declaredFault, missingField, namedArgument, unknownTool } from './passed-arguments.ts';
import { splitCode } from './split-code.ts';
import { strayBlock } from './stray-block.ts';
import { missingBody } from './unwritten-functions.ts';

/** The most specific obstacle that the trace shows. Computed once per call. */
export function obstacleOf(trace: Trace, use: ToolUse): Obstacle {
  return obstaclesIn(trace)(use);
}

const obstaclesIn = memoizeByRef((trace: Trace) => memoizeByRef((use: ToolUse) => readObstacle(trace, use)));

function readObstacle(trace: Trace, use: ToolUse): Obstacle {
  const message = use.failure?.message ?? '';
  // What a decoder wrote is not an answer of the tool.
  const output = beginningAndEnd((isDecoderError(message) ? use.resultText : message).trim());
  const code = codeOf(use);
  const isReported =
    code !== null &&
    (hasFailureForm(output) || output.split('\n').some(isFailedCheck) || messageOfProgram(code, output) !== null);
  const hasFailed = use.isError || isReported;
  return (
    (use.isError ? (unknownTool(trace, use) ?? declaredFault(trace, use)) : null) ??
    stubObstacle(trace, use) ??
    severalCalls(use) ??
    otherNames(use) ??
    (hasFailed && output !== '' ? failureObstacle(trace, use, output) : null) ??
    sharedAnswer(trace, use, output) ??
    obstacleWithoutFailure(use, output)
  );
}

/** The code leaves a function without a body: whatever its run shows follows from that. */
function stubObstacle(trace: Trace, use: ToolUse): Obstacle | null {
  const missing = missingBody(trace, use);
  return missing === null ? null : { kind: 'stub', missing };
}

/** Whether a line is a check as its failed run prints it: `…: assert a == b`. */
function isFailedCheck(line: string): boolean {
  const at = line.indexOf(': assert ');
  return at !== -1 && /[=<>!]=/.test(line.slice(at));
}

function failureObstacle(trace: Trace, use: ToolUse, output: string): Obstacle {
  const code = codeOf(use);
  // Code can print anything above the error message of a program that it starts.
  const isCommand = use.command !== null && !use.command.includes('\n');
  const line = (isCommand ? messageOfProgram(use.command!, output) : null) ?? answerLine(output);
  return (
    bareName(use, output) ??
    missingProgram(use, output) ??
    sentenceAsCommand(use, output) ??
    cutCommand(use, output) ??
    quotesLost(trace, use, line) ??
    escapedBreaks(`${output}\n${use.resultText}`) ??
    oneLineCode(code, line) ??
    lostDefinition(trace, use) ??
    splitCode(code, use.resultText || output) ??
    missingPath(trace, use, output) ??
    missingField(use, output) ??
    namedArgument(use, line) ??
    undefinedName(code, line) ??
    (code !== null && isBare(line) && wordCount(line) >= MIN_WORDS
      ? { kind: 'bare_answer', line, otherFailure: otherFailure(output, line), stray: strayBlock(trace, use) }
      : requestFailure(use, output, line))
  );
}

function requestFailure(use: ToolUse, output: string, line: string): Obstacle {
  const part = partOf(use, output);
  const demanded = part === 'unknown' || part === 'arguments' ? demandedText(use, line) : null;
  const passed = cut(oneLine(use.argumentsText), 100);
  return demanded === null
    ? { kind: 'failure', part, passed, line }
    : { kind: 'failure', part: 'arguments', passed, line, demanded };
}

function lostDefinition(trace: Trace, use: ToolUse): Obstacle | null {
  const lost = lostDefinitions(trace, use);
  return lost.length === 0 ? null : { kind: 'lost_definition', lost };
}

function quotesLost(trace: Trace, use: ToolUse, line: string): Obstacle | null {
  const found = lostQuotes(trace, use);
  if (found === null) return null;
  const pattern = found.sign === 'expanded' ? found.quoted : null;
  return { kind: 'lost_quotes', reason: lostQuotesText(found, use), pattern, line };
}

/** Another line of the output that has the form of a failure; null if no other line has. */
export function otherFailure(output: string, line: string): string | null {
  const other = withoutStatus(output)
    .split('\n')
    .find((each) => oneLine(each) !== line && (hasFailureForm(each) || NO_SUCH_PATH.test(each)));
  return other === undefined ? null : cut(oneLine(other), LINE_CHARACTERS);
}

function obstacleWithoutFailure(use: ToolUse, output: string): Obstacle {
  if (output === '' || /^(?:\[\s{0,4}\]|\{\s{0,4}\}|null)$/.test(output)) {
    const file = redirectedTo(use.command ?? '');
    if (file !== null) return { kind: 'redirected', file };
    const hides = hidingParts(use.command ?? '');
    return hides.length === 0 ? { kind: 'empty' } : { kind: 'hidden_error', hides };
  }
  if (isEcho(use, output)) return { kind: 'echo', text: cut(oneLine(output), LINE_CHARACTERS) };
  if (isFallback(use, output))
    return {
      kind: 'own_fallback',
      text: cut(oneLine(fallbackText(use, output)), LINE_CHARACTERS),
      hides: hidingParts(use.command ?? ''),
    };
  const code = codeOf(use);
  const lint = code === null ? undefined : output.split('\n').find((line) => LINT_LINE.test(line));
  if (lint !== undefined)
    return { kind: 'failure', part: 'code', passed: '', line: cut(oneLine(lint), LINE_CHARACTERS) };
  const isVerdict = code !== null && code !== use.command && isBare(output) && wordCount(output) >= MIN_WORDS;
  if (isVerdict) return { kind: 'bare_answer', line: answerLine(output), otherFailure: null, stray: null };
  const line = cut(oneLine(withoutStatus(output)), LINE_CHARACTERS);
  return { kind: hasNoItems(parseJson(output)) ? 'no_items' : 'result', line };
}

/** Whether a value has a list and all its lists are empty, without any other text or flag: `{"results": [], "total": 0}`. */
function hasNoItems(value: Json | undefined): boolean {
  if (!isJsonObject(value)) return false;
  const members = Object.values(value);
  const isBlank = (member: Json) =>
    member === null ||
    member === 0 ||
    member === '' ||
    hasNoItems(member) ||
    (Array.isArray(member) && member.length === 0);
  return members.every(isBlank) && members.some((member) => Array.isArray(member) || isJsonObject(member));
}

/** `first], find[second`: the notation of further calls inside one argument. */
const FURTHER_CALL = /[\])]\s{0,4},\s{0,4}[A-Za-z_]\w{1,40}[[(]/g;

function severalCalls({ arguments: args, command, name }: ToolUse): Obstacle | null {
  if (typeof args !== 'string' || command !== null) return null;
  const further = args.match(FURTHER_CALL)?.filter((each) => each.toLowerCase().includes(name.toLowerCase())) ?? [];
  return further.length === 0 ? null : { kind: 'several_calls', calls: further.length + 1 };
}

const MIN_ECHO_LENGTH = 3;

/** Whether the command prints a text that is part of the command, or the beginning of that text. */
function isEcho({ command }: ToolUse, output: string): boolean {
  const printed = ECHO.exec(command ?? '')?.[1];
  if (command === null || printed === undefined || output === '' || output.includes('\n')) return false;
  return printed.startsWith(output) || (output.length >= MIN_ECHO_LENGTH && command.includes(output));
}

/** Whether the command of a call only prints a text that it contains. */
export function printsOwnText(use: ToolUse): boolean {
  return !use.isError && isEcho(use, use.resultText.trim());
}

const ECHO = /^\s{0,8}(?:echo|printf|print)\b[\s("']{0,4}([^\n]{0,400})/;

const FALLBACK = /\|\| {0,4}(?:echo|printf) ([^\n]{1,400})/;

/** Whether the command failed and printed the fallback text that it contains for that case. */
function isFallback({ command }: ToolUse, output: string): boolean {
  return output.length >= MIN_ECHO_LENGTH && (FALLBACK.exec(command ?? '')?.[1] ?? '').includes(output);
}

/** The quoted fallback text that begins with the output, which may have lost its other words; else the output. */
function fallbackText({ command }: ToolUse, output: string): string {
  const quoted = FALLBACK_TEXT.exec(command ?? '');
  const text = quoted?.[1] ?? quoted?.[2] ?? '';
  return text.startsWith(output) ? text : output;
}

const FALLBACK_TEXT = /\|\| {0,4}(?:echo|printf) {1,4}(?:"([^"\n$`\\]{1,400})"|'([^'\n]{1,400})')/;

const HIDING_PART =
  /(?<!\S)(?:2>{1,2} {0,4}\/dev\/null|2>&-|&>{1,2} {0,4}\/dev\/null|\|\| {0,4}(?:true|:)(?=[\s;)]|$))/g;

/** Parts of a command that hide its error message or its failure. */
function hidingParts(command: string): string[] {
  return [...new Set(command.match(HIDING_PART) ?? [])];
}

const MAX_SHARED_LENGTH = 200;

/** A short answer that other arguments received, too. It refers to neither of them. */
function sharedAnswer(trace: Trace, use: ToolUse, output: string): Obstacle | null {
  if (use.command !== null || use.isError || output.length > MAX_SHARED_LENGTH || wordCount(output) < MIN_WORDS)
    return null;
  const other = toolUses(trace).find(
    ({ name, resultText, argumentsText }) =>
      name === use.name && resultText.trim() === output && argumentsText !== use.argumentsText,
  );
  if (other === undefined || codeOf(use) !== null) return null;
  const line = cut(oneLine(output), LINE_CHARACTERS);
  return { kind: 'shared_answer', line, other: cut(oneLine(other.argumentsText), 80), otherStep: other.step };
}

/** An answer with fewer words is a value that the code printed. */
const MIN_WORDS = 3;
/** A linter line: the rule code, then the message. */
const LINT_LINE = /^[ \t-]{0,8}[A-Z]{1,3}\d{3,4} \S/;

const QUOTED = /"([^"\n]{1,120})"|'([^'\n]{1,120})'/g;
const MAX_NAMES = 5;
const MAX_OFFER_LENGTH = 1_000;

/** A short answer that quotes the requested name and lists other names. */
function otherNames({ arguments: args, command, resultText }: ToolUse): Obstacle | null {
  if (command !== null || resultText.length > MAX_OFFER_LENGTH || /^\s{0,8}[{[]/.test(resultText)) return null;
  const requested = (isJsonObject(args) ? Object.values(args) : [args]).filter((value) => typeof value === 'string');
  const quoted = [...resultText.matchAll(QUOTED)].map(([, double, single]) => (double ?? single)!);
  const value = requested.find((each) => quoted.includes(each));
  const names = [...new Set(quoted)].filter((each) => !requested.includes(each));
  if (value === undefined || names.length === 0) return null;
  return { kind: 'other_names', value, names: names.slice(0, MAX_NAMES), offered: offeredName(resultText, value) };
}

/** How a result that quotes the requested name as not found also offers it. */
function offeredName(result: string, value: string): OfferedName {
  const [first, ...others] = [...result.matchAll(QUOTED)].filter(([, double, single]) => (double ?? single) === value);
  if (first === undefined || others.length === 0) return null;
  const isInBrackets = /[[(]/.test(result[first.index - 1] ?? '');
  // Marks of another kind than those of the list belong to the request.
  return isInBrackets && others.every(([mark]) => mark[0] !== first[0][0]) ? 'unquoted' : 'same';
}

/** The file after the last `>` of a command; null if the output is not redirected. */
function redirectedTo(command: string): string | null {
  const at = command.lastIndexOf('>');
  const file = at === -1 ? '' : command.slice(at + 1).trim();
  return /^[\w./~-]{1,200}$/.test(file) && !file.startsWith('/dev/') ? file : null;
}

const READ_CHARACTERS = 8_000;

function beginningAndEnd(text: string): string {
  return text.length <= 2 * READ_CHARACTERS
    ? text
    : `${text.slice(0, READ_CHARACTERS)}\n${text.slice(-READ_CHARACTERS)}`;
}
