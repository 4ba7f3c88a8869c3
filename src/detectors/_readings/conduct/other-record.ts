import { isJsonObject, type Json, type JsonObject, parseJson } from '../../../core/json.ts';
import type { Trace } from '../../../core/trace.ts';
import { lazy, memoizeByRef } from '../../_kit/memoize.ts';
import { isAscii, joined } from '../../_kit/text.ts';
import { hasKnownEffect, type ToolUse, toolUses } from '../calls/calls.ts';
import { ATTACHED, withoutMarks } from '../support/exact-values.ts';
import { conversation } from './conversation.ts';

/** A change of a record whose key differs from the one that the user gave. */
export interface OtherRecord {
  use: ToolUse;
  /** Id of the changed record, as in the call. */
  id: string;
  /** Field that contains the key, in the changed record and in the one with the user's key. */
  field: string;
  given: string;
  givenAt: number;
  changedKey: string;
  changedKeyAt: number;
  /** Step whose result contains a record with the user's key. */
  matchAt: number;
  /** Ids that the record with the user's key lists next to the changed one, and that no call passed before the change. */
  unread: readonly string[];
  /** Whether the user names one of the records after the change: it may have been corrected. */
  isNamedLater: boolean;
}

interface FoundRecord {
  step: number;
  values: ReadonlyMap<string, string>;
  /** Its lists of texts. */
  lists: readonly (readonly string[])[];
}

interface GivenKey {
  text: string;
  step: number;
}

const MAX_RECORDS = 2000;
const MAX_KEYS = 50;
const MAX_KEY_LENGTH = 64;
const MIN_KEY_LENGTH = 7;
const MIN_DIGITS = 5;
const MIN_ID_LENGTH = 3;

/** The first change of each other record. */
export const otherRecords = memoizeByRef((trace: Trace): readonly OtherRecord[] => {
  const uses = toolUses(trace);
  if (!uses.some(isChange)) return [];
  const keys = givenKeys(trace);
  if (keys.length === 0) return [];
  const records: FoundRecord[] = [];
  const found = new Map<string, OtherRecord>();
  for (const use of uses) {
    const returned: FoundRecord[] = [];
    if (!use.isError) collect(jsonOf(use.resultText), use.step, returned);
    if (isChange(use)) {
      // A user who corrects the agent repeats the wrong key.
      const userText = lazy(() => wordsOfUser(trace, use.step));
      for (const id of idsIn(use.arguments)) {
        if (found.has(id) || mayBeLookup(use, id, returned)) continue;
        const other = otherRecord(use, id, records, keys, userText, uses);
        if (other !== null) found.set(id, { ...other, isNamedLater: isNamedAfter(trace, other) });
      }
    }
    if (records.length < MAX_RECORDS) records.push(...returned);
  }
  return [...found.values()];
});

/** Whether a call of unknown effect returns the record whose id it passes, as look-ups do. */
function mayBeLookup({ name }: ToolUse, id: string, returned: readonly FoundRecord[]): boolean {
  return !hasKnownEffect(name) && returned.some(({ values }) => [...values.values()].includes(id));
}

/** A look-up of a record whose key differs from the one that the user gave. */
export type OtherRead = Omit<OtherRecord, 'isNamedLater'>;

/**
 * The first look-up of another record than the one whose key the user gave, if the run read no record of this kind with the
 * key of the user: it worked on the wrong record. Null for a run that changed the record, see `otherRecords`.
 */
export function otherRead(trace: Trace): OtherRead | null {
  const uses = toolUses(trace);
  const keys = givenKeys(trace);
  if (keys.length === 0 || otherRecords(trace).length > 0) return null;
  const records: FoundRecord[] = [];
  let found: OtherRead | null = null;
  for (const use of uses) {
    if (use.isError) continue;
    const own: FoundRecord[] = [];
    collect(jsonOf(use.resultText), use.step, own);
    if (!use.changesState && use.command === null)
      for (const id of idsIn(use.arguments)) {
        const looked = own.filter(({ values }) => [...values.values()].includes(id));
        const text = lazy(() => wordsOfUser(trace, use.step));
        found ??= otherRecord(use, id, [...records, ...looked], keys, text, uses);
        if (found !== null && looked.some(({ values }) => values.get(found!.field) === found!.given)) return null;
      }
    records.push(...own);
  }
  if (found === null || found.changedKeyAt !== found.use.step) return null;
  const passed = new Set(uses.flatMap(({ arguments: args }) => idsIn(args)));
  const unread = found.unread.filter((id) => !passed.has(id));
  return unread.length === 0 ? null : { ...found, unread };
}

function isNamedAfter(
  trace: Trace,
  { use, id, given, changedKey }: Pick<OtherRecord, 'use' | 'id' | 'given' | 'changedKey'>,
): boolean {
  return conversation(trace).some(
    ({ by, step, text }) =>
      by === 'user' && step > use.step && [id, given, changedKey].some((key) => text.includes(key)),
  );
}

function isChange({ changesState, command, isError, arguments: args }: ToolUse): boolean {
  return changesState && command === null && !isError && isJsonObject(args);
}

function otherRecord(
  use: ToolUse,
  id: string,
  records: readonly FoundRecord[],
  keys: readonly GivenKey[],
  userText: () => string,
  uses: readonly ToolUse[],
): Omit<OtherRecord, 'isNamedLater'> | null {
  const own = records.filter(({ values }) => [...values.values()].includes(id));
  if (own.length === 0 || userText().includes(id)) return null;
  const known = keys.filter(({ step }) => step < use.step);
  if (own.some(({ values }) => known.some(({ text }) => [...values.values()].includes(text)))) return null;
  for (const { step, values } of own)
    for (const [field, changedKey] of values) {
      if (changedKey === id || !isKey(changedKey) || userText().includes(changedKey)) continue;
      for (const { text, step: givenAt } of known) {
        const match = shapeOf(text) === shapeOf(changedKey) && records.find((one) => one.values.get(field) === text);
        if (match && !isNamedByOther(values, holdersOf(text, records), userText())) {
          const unread = unreadIds(match, use, id, uses);
          return { use, id, field, given: text, givenAt, changedKey, changedKeyAt: step, matchAt: match.step, unread };
        }
      }
    }
  return null;
}

/** A name or a longer text; not an upper-case code or a single letter. */
const NAMED_VALUE =
  /^\p{Lu}[\p{L}\p{M}'’-]*\p{Ll}(?: [\p{L}\p{M}\p{N}'’-]+){0,3}$|^[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{2,12}$/u;
/** Words for a state can describe either record. */
const STATE = /^(?:status|state|type|kind|plan|level|category|country|city|currency)$|(?:_|\b)(?:status|state|type)$/i;

/** Whether the user wrote a name of the changed record that no record with the user's key has: the user means it. */
function isNamedByOther(
  changed: ReadonlyMap<string, string>,
  holders: readonly FoundRecord[],
  userText: string,
): boolean {
  return [...changed].some(
    ([field, value]) =>
      !STATE.test(field) &&
      NAMED_VALUE.test(value) &&
      partsOf(value).some((name) => isWordOf(name, userText) && !holders.some((holder) => hasWord(holder, name))),
  );
}

/** A whole name, and its capitalised words: users write a first name only. */
function partsOf(name: string): string[] {
  return [name, ...name.split(' ').filter((word) => /^\p{Lu}\p{L}{2}/u.test(word))];
}

/** The records that contain a key. */
function holdersOf(key: string, records: readonly FoundRecord[]): FoundRecord[] {
  return records.filter(({ values }) => [...values.values()].includes(key));
}

function hasWord({ values }: FoundRecord, word: string): boolean {
  return [...values.values()].some((value) => value.includes(word));
}

/** Whether a text contains a name as a whole word, in the same case. */
function isWordOf(name: string, text: string): boolean {
  const at = text.indexOf(name);
  if (at < 0) return false;
  const isEastAsian = !/\p{Lu}/u.test(name);
  return isEastAsian || !/^[\p{L}\p{N}]/u.test(text.slice(at + name.length));
}

const MAX_UNREAD = 5;

function unreadIds({ lists }: FoundRecord, use: ToolUse, id: string, uses: readonly ToolUse[]): string[] {
  const list = lists.find((ids) => ids.includes(id)) ?? [];
  const passed = new Set(uses.filter(({ step }) => step < use.step).flatMap(({ arguments: args }) => idsIn(args)));
  return list.filter((each) => each !== id && !passed.has(each)).slice(0, MAX_UNREAD);
}

/** E-mail addresses, and numbers of telephones, orders and accounts; not dates and amounts. */
function isKey(text: string): boolean {
  if (text.length < MIN_KEY_LENGTH || text.length > MAX_KEY_LENGTH || /\s{2}|^(?:19|20)\d\d-\d\d/.test(text))
    return false;
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return true;
  return /^[\p{L}\d#+._/-]+$/u.test(text) && (text.match(/\d/g)?.length ?? 0) >= MIN_DIGITS && !/^\d+\.\d+$/.test(text);
}

function shapeOf(text: string): string {
  return text.includes('@') ? '@' : text.replace(/\d/g, '9').replace(/\p{L}/gu, 'a');
}

const givenKeys = memoizeByRef((trace: Trace): readonly GivenKey[] => {
  const turns = conversation(trace).filter(({ by }) => by === 'user');
  const keys = turns.flatMap(({ text, step }) =>
    keyLikeWords(text.slice(0, 8000))
      .map((word) => withoutMarks(word).replace(/\/{1,5}$/, ''))
      .filter(isKey)
      .map((word) => ({ text: word, step })),
  );
  // The first time that the user gives a key counts.
  const byText = [...Map.groupBy(keys, ({ text }) => text).values()];
  return byText.map(([first]) => first!).slice(0, MAX_KEYS);
});

function keyLikeWords(text: string): string[] {
  // Unicode classes are slow. They are used only for non-ASCII texts.
  if (isAscii(text)) return text.match(/[A-Za-z\d#+._/@-]{7,64}/g) ?? [];
  return text.replace(ATTACHED, ' ').match(/[\p{L}\d#+._/@-]{7,64}/gu) ?? [];
}

function wordsOfUser(trace: Trace, before: number): string {
  const turns = conversation(trace).filter(({ by, step }) => by === 'user' && step < before);
  return [trace.task ?? '', ...turns.map(({ text }) => text)].join('\n');
}

function idsIn(value: Json): string[] {
  if (typeof value === 'string')
    return value.length >= MIN_ID_LENGTH && /\d/.test(value) && value.length <= MAX_KEY_LENGTH ? [value] : [];
  if (Array.isArray(value)) return value.slice(0, 50).flatMap(idsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(idsIn) : [];
}

function jsonOf(text: string): Json {
  return /^\s{0,20}[[{]/.test(text) ? (parseJson(text) ?? null) : null;
}

/** Every object of a result with its text values. */
function collect(value: Json, step: number, records: FoundRecord[]): void {
  if (records.length >= MAX_RECORDS) return;
  if (Array.isArray(value)) for (const item of value) collect(item, step, records);
  if (!isJsonObject(value)) return;
  const texts = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  if (texts.length > 1) records.push({ step, values: new Map(texts), lists: listsOf(value) });
  for (const member of Object.values(value)) collect(member, step, records);
}

function listsOf(value: JsonObject): string[][] {
  return Object.values(value).filter(
    (member): member is string[] => Array.isArray(member) && member.every((item) => typeof item === 'string'),
  );
}

/** Where to make the change, as the end of a sentence: the record with the key, or the ids of which one may have it. */
export function rightRecordText({ id, field, given, matchAt, unread }: OtherRead): string {
  if (unread.length === 0) return `for the record with ${field} "${given}" (step ${matchAt})`;
  const ids = unread.map((each) => `"${each}"`);
  const isOne = ids.length === 1;
  return `for the record with ${field} "${given}": the ${isOne ? 'id' : 'ids'} that step ${matchAt} lists next to "${id}" and that nothing had looked up ${isOne ? 'is' : 'are'} ${joined(ids)}`;
}
