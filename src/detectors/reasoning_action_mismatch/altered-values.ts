import { isJsonObject, type Json } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { conversation } from '../_readings/conduct/conversation.ts';

export interface AlteredValue {
  use: ToolUse;
  path: string;
  /** Value in the call. */
  given: string;
  /** Value that was read or mentioned earlier and differs by one or two characters. */
  known: string;
  knownAt: number;
}

/** Characters of an id. */
const IS_ID_CODE = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9#@._+-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const MAX_ID_LENGTH = 64;
const MIN_ID_LENGTH = 6;
const READ_CHARACTERS = 100_000;

/**
 * Calls `take` with every run of 6 to 64 of these characters with at least three digits, in the beginning of the text.
 * Hand-written for speed because most words do not qualify.
 */
function eachIdLike(text: string, take: (word: string) => void): void {
  let [start, digits] = [0, 0];
  const length = Math.min(text.length, READ_CHARACTERS);
  for (let index = 0; index <= length; index += 1) {
    const code = index < length ? text.charCodeAt(index) : 32;
    const isInside = code < 128 && IS_ID_CODE[code] === 1;
    if (isInside && index - start < MAX_ID_LENGTH) {
      if (code >= 48 && code <= 57) digits += 1;
      continue;
    }
    if (digits >= 3 && index - start >= MIN_ID_LENGTH) take(text.slice(start, index));
    start = isInside ? index : index + 1;
    digits = isInside && code >= 48 && code <= 57 ? 1 : 0;
  }
}

/** Ids: mixed letters and digits, or long numbers; not words and dates. */

function isId(text: string): boolean {
  if (!/\d/.test(text) || /^(?:19|20)\d\d-?[01]\d-?[0-3]\d/.test(text) || /^[\d.,-]{1,7}$/.test(text)) return false;
  return /[A-Za-z_#@]/.test(text) ? (text.match(/\d/g)?.length ?? 0) >= 3 : /^\d{8,}$/.test(text);
}

/** Limit for the ids of results and histories that are stored. */
const MAX_IDS = 5000;

/** Limit for searches in all texts; after it, an unknown id counts as known. */
const MAX_SEARCHES = 40;

/** The first ids of a run are searched for in the texts, newest first: that is faster than an index of all their ids. */
const FIRST_SEARCHES = 40;

/**
 * Id arguments that no earlier result and no message of the user contains, while an id that differs by a typing error occurs. Not if an
 * earlier answer or state contains both.
 */
export function alteredValues(trace: Trace): AlteredValue[] {
  const uses = toolUses(trace);
  if (uses.every(({ command }) => command !== null)) return [];
  const seenValues = new SeenValues();
  const found: AlteredValue[] = [];
  const turns = conversation(trace);
  let at = 0;
  if (trace.task !== null) seenValues.read(trace.task, 0);
  for (const [nth, use] of uses.entries()) {
    for (; at < turns.length && turns[at]!.step < use.step; at += 1)
      if (turns[at]!.by !== 'agent') seenValues.read(turns[at]!.text, turns[at]!.step);
    for (const step of trace.steps.slice(uses[nth - 1]?.step ?? 0, use.step)) {
      for (const document of step.documents) seenValues.read(document.content, step.index);
      for (const { role, content } of step.inputMessages)
        if (role !== 'assistant') seenValues.read(content, step.index);
    }
    found.push(...alteredIn(use, seenValues).filter((altered) => !areListedTogether(trace, altered)));
    seenValues.read(use.resultText, use.step);
    // The agent may reuse an id that it tried and that was not refused.
    if (!use.isError) seenValues.read(use.argumentsText, use.step);
  }
  return found;
}

function alteredIn(use: ToolUse, seenValues: SeenValues): AlteredValue[] {
  if (use.command !== null) return [];
  return textsIn(use.arguments, '').flatMap(({ path, text }) => {
    if (!isId(text) || seenValues.knows(text)) return [];
    const known = seenValues.nearest(text);
    return known === null ? [] : [{ use, path, given: text, known: known.text, knownAt: known.step }];
  });
}

/** Whether an earlier answer or state contains both values: they name two things. */
function areListedTogether({ steps, states }: Trace, { use, given, known }: AlteredValue): boolean {
  const hasBoth = (text: string) => text.includes(given) && text.includes(known);
  return (
    steps.slice(0, use.step).some(({ kind, output }) => kind !== 'tool' && hasBoth(output)) ||
    states.some(({ step, state }) => step < use.step && hasBoth(JSON.stringify(state)))
  );
}

function textsIn(value: Json, path: string): { path: string; text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (Array.isArray(value)) return value.slice(0, 50).flatMap((item, at) => textsIn(item, `${path}[${at}]`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => textsIn(item, path === '' ? name : `${path}.${name}`));
}

class SeenValues {
  #ids = new Map<string, { text: string; step: number }>();
  /** Index by the id without one character, so that similar ids are found without comparing all pairs. */
  #shapes = new Map<string, Set<string>>();
  #seen = new Set<string>();
  /** The texts in `#seen`, in order. */
  #texts: string[] = [];
  #unread: { text: string; step: number }[] = [];
  #searches = 0;
  #firstSearches = 0;

  read(text: string, step: number): void {
    if (text === '' || this.#seen.has(text)) return;
    this.#seen.add(text);
    this.#texts.push(text);
    this.#unread.push({ text, step });
  }

  /** Texts are read when an id is searched for: most calls contain none. */
  #readAll(): void {
    for (const { text, step } of this.#unread) this.#readIds(text, step);
    this.#unread = [];
  }

  #readIds(text: string, step: number): void {
    eachIdLike(text, (word) => {
      const id = word.replace(/^[.#_+-]{1,5}|[._+-]{1,5}$/g, (edge) => (edge.includes('#') ? edge : ''));
      this.#remember(id, step);
      if (id.startsWith('#')) this.#remember(id.slice(1), step);
    });
  }

  #remember(id: string, step: number): void {
    if (this.#ids.has(id) || this.#ids.size >= MAX_IDS || !isId(id)) return;
    this.#ids.set(id, { text: id, step });
    const shape = shapeOf(id);
    const same = this.#shapes.get(shape) ?? new Set();
    this.#shapes.set(shape, same.add(id));
  }

  knows(text: string): boolean {
    this.#firstSearches += 1;
    if (this.#firstSearches <= FIRST_SEARCHES && this.#occurs(text)) return true;
    this.#readAll();
    if (this.#ids.has(text) || this.#ids.has(text.replace(/^#/, ''))) return true;
    this.#searches += 1;
    return this.#searches > MAX_SEARCHES || this.#occurs(text);
  }

  #occurs(text: string): boolean {
    return this.#texts.findLast((whole) => whole.includes(text)) !== undefined;
  }

  /** The nearest id of the same shape; null if none or two are near. */
  nearest(text: string): { text: string; step: number } | null {
    const near = [...(this.#shapes.get(shapeOf(text)) ?? [])].filter((id) => isSubstitution(id, text));
    const swapped = [...(this.#shapes.get(shapeOf(text)) ?? [])].filter((id) => isSwap(id, text));
    const [only, second] = near.length > 0 ? near : swapped;
    return only === undefined || second !== undefined ? null : this.#ids.get(only)!;
  }
}

/**
 * Length and beginning of an id. Ids of a series (order 1001, 1002) are similar, so only a typing error within one series
 * counts.
 */
function shapeOf(id: string): string {
  return `${id.length} ${id.slice(0, 2).toLowerCase()}`;
}

/** Whether one character differs that is not the last: counting an id up or down is a deliberate guess. */
function isSubstitution(a: string, b: string): boolean {
  let count = 0;
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) count += 1;
  return count === 1 && a.at(-1) === b.at(-1);
}

function isSwap(a: string, b: string): boolean {
  for (let at = 0; at + 1 < a.length; at += 1) {
    if (a[at] === b[at]) continue;
    return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
  }
  return false;
}
