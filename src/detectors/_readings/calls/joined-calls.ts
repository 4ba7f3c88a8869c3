import { isJsonObject, type Json, parseJson } from '../../../core/json.ts';
import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { toolUses } from './calls.ts';
import { type UnknownToolCall, unknownToolCalls } from './unknown-tools.ts';

/** A refused call whose name is a sequence of names of tools: several calls of one turn arrived as one. */
export interface JoinedCalls extends UnknownToolCall {
  /** The names in order; at least two. */
  names: readonly string[];
}

/**
 * Calls of one turn that the program around the model joined into one call, which the runtime refused as an unknown tool:
 * `EditEdit`, `LSRead`. The fragments of a streamed answer were not assigned to their calls.
 */
export const joinedCalls = memoizeByRef((trace: Trace): readonly JoinedCalls[] => {
  const refused = unknownToolCalls(trace);
  if (refused.length === 0) return [];
  const unknown = new Set(refused.map(({ use }) => use.name));
  const known = [...trace.toolDefinitions.map(({ name }) => name), ...toolUses(trace).map(({ name }) => name)];
  return refused.flatMap((call) => {
    const tools = [...known, ...listedNames(call.message)].filter((name) => !unknown.has(name));
    const names = sequenceOf(call.use.name, new Set(tools));
    // One call can have a name that the model made of two names. It has the arguments of one call.
    const isOneCall = new Set(names).size > 1 && isOneObject(call.use.arguments);
    return names.length < 2 || isOneCall ? [] : [{ ...call, names }];
  });
});

const LIST_CHARACTERS = 4_000;
/** An element of a list of names, with or without quotes: `'Read', 'Edit'`, `[read, edit]`, or a line `- read`. */
const LISTED = /(?<=(?:[:,[(]|^[-*])\s?)['"`]?([\p{L}_][\p{L}\p{N}_.-]{1,63})['"`]?(?=\s?(?:[,\])]|\.?$))/gmu;

/** The names that a runtime lists as those of the available tools. */
function listedNames(message: string): string[] {
  return [...message.slice(0, LIST_CHARACTERS).matchAll(LISTED)].map(([, name]) => name!);
}

const MIN_NAME = 2;
const MAX_JOINED = 400;

/** The fewest known names that make up a name, one after the other; empty if they do not. */
function sequenceOf(joined: string, known: ReadonlySet<string>): readonly string[] {
  if (joined.length > MAX_JOINED) return [];
  const names = [...known].filter((name) => name.length >= MIN_NAME && joined.includes(name));
  // The sequence for the rest of the name from each position on.
  const rests = new Map<number, readonly string[]>([[joined.length, []]]);
  for (let at = joined.length - 1; at >= 0; at -= 1)
    for (const name of names) {
      const rest = joined.startsWith(name, at) ? rests.get(at + name.length) : undefined;
      if (rest !== undefined && rest.length + 1 < (rests.get(at)?.length ?? Number.POSITIVE_INFINITY))
        rests.set(at, [name, ...rest]);
    }
  return rests.get(0) ?? [];
}

const TWO_OBJECTS = /\}\s{0,4}\{/;

/** Whether the arguments are those of one call: one object with members. */
function isOneObject(args: Json): boolean {
  const value = typeof args === 'string' ? parseJson(args) : args;
  return isJsonObject(value) && Object.keys(value).length > 0 && !TWO_OBJECTS.test(JSON.stringify(value));
}
