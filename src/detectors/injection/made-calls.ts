import { canonicalJson, type Json } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { toolUses } from '../_kit/calls.ts';
import { shellCommand } from '../_kit/shell.ts';

/** A tool call with what of it could have been taken from a text. */
export interface Call {
  step: number;
  agent: string | null;
  name: string;
  text: string;
  /** Addresses, identifiers and values among the arguments; read when first asked for. */
  readonly entities: string[];
  /** Read when first asked for, too. */
  readonly nameWords: string[];
  /** First step of the run that made this very call, and first that used the tool at all. */
  firstMadeAt: number;
  toolFirstUsedAt: number;
  /** A shell's commands share words and numbers with everything; only a flagged text is held against them. */
  isShell: boolean;
}

/** Characters of a call's arguments that are read. */
const ARGUMENTS_READ = 20_000;
/** What stands between blanks, quotes and brackets. */
const PIECE = /[^\s"'`<>()[\]{},;|]+/g;
/** A value passed as it stands in the order: long enough to be no coincidence, short enough to be no content. */
const VALUE = /"([^"\\]{5,60})"/g;

/** Calls that ran without an error, and calls a model asked for whose running was not recorded, in order. */
export function callsOf(trace: Trace): Call[] {
  const uses = toolUses(trace);
  const keys = (isError: boolean) =>
    new Set(uses.filter((use) => use.isError === isError).map((use) => `${use.name} ${use.argumentsText}`));
  const [failed, succeeded] = [keys(true), keys(false)];
  const ran = uses.map(({ step, agent, name, argumentsText, command }) => ({
    step,
    agent,
    name,
    text: argumentsText,
    isShell: command !== null,
  }));
  const asked = trace.steps.flatMap((step) =>
    step.outputMessages.flatMap((message) =>
      message.toolCalls.map((call) => ({
        step: step.index,
        agent: step.agent,
        name: call.name,
        text: argumentText(call.arguments),
        isShell: shellCommand(call.name, call.arguments) !== null,
      })),
    ),
  );
  const isRefused = ({ name, text }: { name: string; text: string }) =>
    failed.has(`${name} ${text}`) && !succeeded.has(`${name} ${text}`);
  const calls = [...ran, ...asked].filter((call) => !isRefused(call)).sort((a, b) => a.step - b.step);
  const madeAt = new Map<string, number>();
  const usedAt = new Map<string, number>();
  return calls.map((call) => {
    const key = `${call.name} ${call.text}`;
    if (!madeAt.has(key)) madeAt.set(key, call.step);
    if (!usedAt.has(call.name)) usedAt.set(call.name, call.step);
    const seen = { firstMadeAt: madeAt.get(key)!, toolFirstUsedAt: usedAt.get(call.name)! };
    let entities: string[] | null = null;
    let words: string[] | null = null;
    return {
      ...call,
      ...seen,
      get entities() {
        entities ??= entitiesOf(call.text);
        return entities;
      },
      get nameWords() {
        words ??= nameWords(call.name);
        return words;
      },
    };
  });
}

function argumentText(args: Json): string {
  return typeof args === 'string' ? args : canonicalJson(args);
}

function entitiesOf(args: string): string[] {
  const text = args.slice(0, ARGUMENTS_READ);
  const pieces = (text.match(PIECE) ?? []).map((piece) => piece.replace(/[.:!?]$/, ''));
  const marked = pieces.filter(isEntity).map((piece) => piece.replace(/^https?:\/\//, ''));
  const values = [...text.matchAll(VALUE)].map((match) => match[1]!).filter((value) => !/^[a-z]+$/i.test(value));
  return [...new Set([...marked, ...values])].slice(0, 30);
}

function isEntity(piece: string): boolean {
  if (piece.length > 200) return false;
  return /^(?:https?:\/\/|www\.)./.test(piece) || isAddress(piece) || isIdentifier(piece);
}

/** E-mail addresses in a text, without the marks around them. */
export function addressesIn(text: string): string[] {
  return (text.match(PIECE) ?? []).map((piece) => piece.replace(/[.:!?]$/, '')).filter(isAddress);
}

function isAddress(piece: string): boolean {
  const at = piece.indexOf('@');
  return at > 0 && piece.indexOf('.', at + 2) > 0;
}

/** A number of four digits or more, an IBAN, or a name with a digit and a hyphen or underscore in it. */
function isIdentifier(piece: string): boolean {
  if (!/\d/.test(piece) || !/^[\w-]+$/.test(piece)) return false;
  return /^\d{4,20}$/.test(piece) || /^[A-Z]{2}\d\d[A-Z0-9]{10,30}$/.test(piece) || /\w[-_]\w/.test(piece);
}

/** `AugustSmartLockUnlockDoor` and `send_money` as their words. */
function nameWords(name: string): string[] {
  const parts = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return [...new Set(parts.filter((word) => word.length > 2 && !FILLERS.has(word)))];
}

const FILLERS = new Set([
  'get',
  'the',
  'all',
  'and',
  'for',
  'with',
  'from',
  'manager',
  'tool',
  'search',
  'list',
  'read',
  'view',
  'find',
]);
