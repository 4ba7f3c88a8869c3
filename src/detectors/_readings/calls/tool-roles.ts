import { isJsonObject, type Json, type JsonObject, parseJson } from '../../../core/json.ts';
import type { ToolDefinition, Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { commandForm, isCommandAnywhere } from '../shell/command-form.ts';
import { commandArgument, hasShellName } from '../shell/shell.ts';
import { fileChange, patchArgument, pathArgument } from './argument-roles.ts';
import { writtenCalls } from './written-calls.ts';

/**
 * Tools of a run that execute shell commands. The values of their calls over the whole run decide: they start with a
 * program or return its exit code, and no call has another form. The name of a tool is evidence only together with an
 * argument that can contain a command.
 */
export const shellTools = memoizeByRef((trace: Trace): ReadonlySet<string> => {
  const recorded = Map.groupBy(recordedCalls(trace), ({ name }) => name);
  return new Set([...recorded].filter(([name, calls]) => isShell(name, calls)).map(([name]) => name));
});

/** The command that a call passes to a shell; null if its tool is not a shell, or no command is recorded. */
export function commandOf(trace: Trace, name: string, args: Json): string | null {
  return shellTools(trace).has(name) ? (commandArgument(readArguments(args))?.command ?? null) : null;
}

interface RecordedCall {
  name: string;
  args: Json;
  /** Whether the program reported an exit code. */
  hasExitCode: boolean;
}

/** Calls from spans and answers; if a sender records neither, those of the longest conversation or of the texts. */
function recordedCalls(trace: Trace): RecordedCall[] {
  const { steps } = trace;
  const recorded = steps.flatMap(({ kind, name, tool, input, output, outputMessages, toolOutcome }) => {
    const isCall = kind === 'tool' || (tool !== null && kind !== 'llm');
    const args = isBlank(tool?.arguments) ? input : tool!.arguments;
    const hasExitCode = typeof toolOutcome?.exitCode === 'number' || EXIT_CODE.test(output.slice(0, OUTPUT_START));
    const own = isCall ? [{ ...recordedCall(tool?.name ?? name, args), hasExitCode }] : [];
    return [
      ...own,
      ...outputMessages.flatMap(({ toolCalls }) => toolCalls.map((c) => recordedCall(c.name, c.arguments))),
    ];
  });
  if (recorded.length > 0 || steps.length === 0) return recorded;
  const { inputMessages } = steps.reduce((a, b) => (b.inputMessages.length > a.inputMessages.length ? b : a));
  const known = inputMessages.flatMap(({ toolCalls }) => toolCalls.map((c) => recordedCall(c.name, c.arguments)));
  return known.length > 0 ? known : writtenCalls(trace).map((call) => recordedCall(call.name, call.arguments));
}

function recordedCall(name: string, args: Json): RecordedCall {
  return { name, args: readArguments(args), hasExitCode: false };
}

/** Exit code before the output of a command. */
const EXIT_CODE = /^\s{0,4}(?:<returncode>-?\d|(?:Process |Command )?exit(?:ed with)?[ _]?(?:code|status):? -?\d)/i;
const OUTPUT_START = 100;

/** Arguments that are recorded as JSON text, parsed. */
export function readArguments(args: Json): Json {
  if (typeof args !== 'string' || !/^\s{0,20}[{[]/.test(args)) return args;
  const read = parseJson(args);
  return isJsonObject(read) || isListOfObjects(read) ? read : args;
}

function isListOfObjects(value: Json | undefined): value is JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.every(isJsonObject);
}

function isBlank(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '';
}

/** Number of calls of a tool that are examined. */
const READ_CALLS = 40;

function isShell(name: string, calls: readonly RecordedCall[]): boolean {
  const read = calls.slice(0, READ_CALLS);
  const given = read.flatMap(({ args }) => commandArgument(args) ?? []);
  if (given.length === 0) return false;
  if (hasShellName(name) && given.every(({ key }) => key !== 'unknown')) return true;
  // Editors also have a `command` argument: a few words, next to the path of a file.
  if (read.some(({ args }) => pathArgument(args) !== null)) return false;
  if (given.some(({ command }) => isPatch(command))) return false;
  const isNamed = given.every(({ key }) => key === 'cmd' || key === 'command');
  if (isNamed && read.some(({ hasExitCode }) => hasExitCode)) return true;
  if (!isNamed) return areCommands([...new Set(given.map(({ command }) => command))]);
  const forms = new Set(given.map(({ command }) => commandForm(command)));
  if (forms.has(null)) return false;
  return forms.has('certain') || given.every(({ key }) => key === 'cmd');
}

/** A patch is not a command, although some programs send it under that name and return an exit code for it. */
function isPatch(text: string): boolean {
  return patchArgument(text) !== null && commandForm(text) === null;
}

/** A single text of that form may be a search term. */
const MIN_COMMANDS = 2;
/** Minimum share of commands among texts under uninformative names. The others may start programs of the project. */
const MIN_SHARE = 0.8;

function areCommands(texts: readonly string[]): boolean {
  const certain = texts.filter((text) => commandForm(text) === 'certain');
  if (certain.length < MIN_SHARE * texts.length) return false;
  return certain.filter(isCommandAnywhere).length >= MIN_COMMANDS;
}

/** Names of arguments that contain something to run. */
const RUN_ARGUMENTS = new Set(['command', 'commands', 'cmd', 'code', 'script', 'shell']);

/** Whether the schema of a tool shows that it runs something: a free text that is named after a command or program. */
export function isRunner({ name, parameters }: ToolDefinition): boolean {
  const properties = propertiesOf(parameters);
  const runs = Object.entries(properties).some(
    ([argument, schema]) => RUN_ARGUMENTS.has(argument) && !(isJsonObject(schema) && schema.enum !== undefined),
  );
  return runs || hasShellName(name);
}

/** Whether the schema of a tool shows that it changes files: a path with a text next to it, or a patch. */
export function isEditor({ parameters }: ToolDefinition): boolean {
  const keys = Object.keys(propertiesOf(parameters));
  const filled = Object.fromEntries(keys.map((key) => [key, `${key}\n`]));
  return keys.some((key) => /patch|diff/i.test(key)) || fileChange(filled) !== null;
}

function propertiesOf(schema: Json): JsonObject {
  return isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
}
