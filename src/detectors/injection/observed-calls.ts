import { canonicalJson, type Json } from '../../core/json.ts';
import type { Step, ToolCall, Trace } from '../../core/trace.ts';
import { lazy } from '../_kit/memoize.ts';
import { isLookup, toolUses } from '../_readings/calls/calls.ts';
import { commandOf } from '../_readings/calls/tool-roles.ts';
import { isReadOnlyCommand } from '../_readings/shell/shell.ts';

/** A tool call with the values that may originate from a text. */
export interface Call {
  step: number;
  agent: string | null;
  name: string;
  text: string;
  /** Addresses, links and identifiers among the arguments; computed on first access. */
  readonly entities: string[];
  /** Other whole values, such as names and titles; computed on first access. */
  readonly values: string[];
  /** First step of the run with this exact call, and first step that used the tool. */
  firstCalledAt: number;
  toolFirstUsedAt: number;
  /**
   * Whether the tool is a shell. Commands share words and numbers with many texts and are compared only with marked
   * instructions.
   */
  isShell: boolean;
  /** False if the name or the command shows that the call only reads. */
  changesState: boolean;
}

/** Limits for the characters read from a call's arguments and for the values taken from them. */
const MAX_ARGUMENTS_LENGTH = 20_000;
const MAX_VALUES = 30;
/** Text between spaces, quotes and brackets. */
const PIECE = /[^\s"'`<>()[\]{},;|]+/g;
/** Length of a value that is copied from an instruction: too long for a coincidence, too short for a content. */
const VALUE = /"([^"\\]{5,60})"/g;

/** Calls that ran without an error, and requested calls without a recorded execution, in order. */
export function callsOf(trace: Trace): Call[] {
  const uses = toolUses(trace);
  const keys = (isError: boolean) =>
    new Set(uses.filter((use) => use.isError === isError).map((use) => `${use.name} ${use.argumentsText}`));
  const [failed, succeeded] = [keys(true), keys(false)];
  const ran = uses.map(({ step, agent, name, argumentsText, command, changesState }) => ({
    step,
    agent,
    name,
    text: argumentsText,
    isShell: command !== null,
    changesState,
  }));
  const requested = trace.steps.flatMap((step) =>
    step.outputMessages.flatMap(({ toolCalls }) => toolCalls.map((call) => requestedCall(trace, step, call))),
  );
  const isRefused = ({ name, text }: { name: string; text: string }) =>
    failed.has(`${name} ${text}`) && !succeeded.has(`${name} ${text}`);
  const calls = [...ran, ...requested].filter((call) => !isRefused(call)).sort((a, b) => a.step - b.step);
  const firstStep = new Map<string, number>();
  const usedAt = new Map<string, number>();
  return calls.map((call) => {
    const key = `${call.name} ${call.text}`;
    if (!firstStep.has(key)) firstStep.set(key, call.step);
    if (!usedAt.has(call.name)) usedAt.set(call.name, call.step);
    const seen = { firstCalledAt: firstStep.get(key)!, toolFirstUsedAt: usedAt.get(call.name)! };
    const entities = lazy(() => entitiesOf(call.text));
    const values = lazy(() => valuesOf(call.text));
    return {
      ...call,
      ...seen,
      get entities() {
        return entities();
      },
      get values() {
        return values();
      },
    };
  });
}

function requestedCall(trace: Trace, { index, agent }: Step, { name, arguments: args }: ToolCall) {
  const command = commandOf(trace, name, args);
  const changesState = command === null ? !isLookup(name) : !isReadOnlyCommand(command);
  return { step: index, agent, name, text: argumentText(args), isShell: command !== null, changesState };
}

function argumentText(args: Json): string {
  return typeof args === 'string' ? args : canonicalJson(args);
}

function entitiesOf(args: string): string[] {
  const pieces = (args.slice(0, MAX_ARGUMENTS_LENGTH).match(PIECE) ?? []).map((piece) => piece.replace(/[.:!?]$/, ''));
  return distinct(pieces.filter(isEntity).map((piece) => piece.replace(/^https?:\/\//, '')));
}

function valuesOf(args: string): string[] {
  const values = Array.from(args.slice(0, MAX_ARGUMENTS_LENGTH).matchAll(VALUE), (match) => match[1]!);
  return distinct(values.filter((value) => !/^[a-z]+$/i.test(value)));
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].slice(0, MAX_VALUES);
}

function isEntity(piece: string): boolean {
  if (piece.length > 200) return false;
  return /^(?:https?:\/\/|www\.)./.test(piece) || isAddress(piece) || isIdentifier(piece);
}

/** E-mail addresses in a text, without surrounding punctuation. */
export function addressesIn(text: string): string[] {
  return (text.match(PIECE) ?? []).map((piece) => piece.replace(/[.:!?]$/, '')).filter(isAddress);
}

function isAddress(piece: string): boolean {
  const at = piece.indexOf('@');
  return at > 0 && piece.indexOf('.', at + 2) > 0;
}

/**
 * Whether a value is an identifier: a number of at least five digits, an IBAN, or a name with a digit and a hyphen or
 * underscore; not a date.
 */
function isIdentifier(piece: string): boolean {
  if (!/\d/.test(piece) || !/^[\w-]+$/.test(piece) || /^\d{4}-\d\d/.test(piece)) return false;
  return /^\d{5,20}$/.test(piece) || /^[A-Z]{2}\d\d[A-Z0-9]{10,30}$/.test(piece) || /\w[-_]\w/.test(piece);
}
