import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { lazy } from '../_kit/memoize.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { codingWork } from '../_readings/conduct/coding-work.ts';
import { runTexts } from '../_readings/support/run-texts.ts';
import { type Measure, measuresIn, valuesIn } from './measures.ts';

/** The answer gives a value, and the only result about it gives another one. */
export interface ContraryResult {
  /** Unit or field that both values have. */
  of: string;
  /** The thing that both are about; null if the result counts zero of it. */
  subject: string | null;
  /** As written in the answer and in the result. */
  stated: string;
  recorded: string;
  use: ToolUse;
}

/** Longer results and answers are pages: what a number belongs to is unclear. */
const RESULT_LIMIT = 4_000;
const ANSWER_LIMIT = 2_000;
/** More numbers give almost every other number by a calculation. */
const NUMBERS_LIMIT = 60;

/** The first such value of an answer; null for work on code, where numbers are counts of many things. */
export function contraryResult(trace: Trace, answer: string, answeredAt: number): ContraryResult | null {
  if (answer.length > ANSWER_LIMIT || isCodeWork(trace)) return null;
  const uses = toolUses(trace).filter((use) => use.step < answeredAt && isLookUp(trace, use));
  if (uses.length === 0) return null;
  const value = parseJson(answer.replace(/^\s*```(?:json)?|```\s*$/g, ''));
  const texts = () => runTexts(trace, answer);
  if (value !== undefined && typeof value === 'object') return otherCode(value, uses, texts);
  return otherNumber(answer, uses, texts);
}

function isCodeWork(trace: Trace): boolean {
  return codingWork(trace).some(({ use, kind }) => use.command !== null || kind === 'edit');
}

function isLookUp({ steps }: Trace, { step, isError, hasResult, resultText }: ToolUse): boolean {
  return hasResult && !isError && resultText.length <= RESULT_LIMIT && steps[step]!.goto.length === 0;
}

/** The texts of the run; most answers are not compared with them. */
type Texts = () => readonly string[];

/** Codes that registers give: upper case and digits, without spaces. */
const CODE = /^[\p{Lu}\p{N}][\p{Lu}\p{N}./-]{3,}$/u;
const COMMON_START = 2;

/** A field of a record in the answer, whose code differs from the one that the only results about the same record give. */
function otherCode(answer: Json, uses: readonly ToolUse[], texts: Texts): ContraryResult | null {
  const results = uses.map((use) => ({ use, records: recordsIn(parseJson(use.resultText)) }));
  for (const record of recordsIn(answer))
    for (const [field, stated] of Object.entries(record)) {
      if (typeof stated !== 'string' || !CODE.test(stated) || texts().some((text) => text.includes(stated))) continue;
      for (const { use, records } of results) {
        const same = records.find((other) => isOtherCode(other[field], stated) && sharedText(other, record, field));
        const recorded = same?.[field];
        if (same === undefined || typeof recorded !== 'string') continue;
        return { of: field, subject: sharedText(same, record, field), stated, recorded, use };
      }
    }
  return null;
}

/** A code of the same form: a status or a class differs in length or at the start. */
function isOtherCode(recorded: Json | undefined, stated: string): boolean {
  return (
    typeof recorded === 'string' &&
    CODE.test(recorded) &&
    recorded !== stated &&
    recorded.length === stated.length &&
    recorded.slice(0, COMMON_START) === stated.slice(0, COMMON_START)
  );
}

/** The text that both records have in another field of the same name. */
function sharedText(one: JsonObject, other: JsonObject, except: string): string | null {
  for (const [field, value] of Object.entries(one))
    if (field !== except && typeof value === 'string' && value.trim().length > 1 && other[field] === value)
      return value;
  return null;
}

const MAX_DEPTH = 6;

function recordsIn(value: Json | undefined, depth = 0): JsonObject[] {
  if (depth > MAX_DEPTH || value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one) => recordsIn(one, depth + 1));
  if (!isJsonObject(value)) return [];
  return [value, ...Object.values(value).flatMap((one) => recordsIn(one, depth + 1))];
}

/**
 * A unit with one number in the answer and another one in all results, which no text of the run contains and which no
 * calculation with its numbers gives. Both are about one named thing, or the result counts zero.
 */
function otherNumber(answer: string, uses: readonly ToolUse[], texts: Texts): ContraryResult | null {
  const stated = [...Map.groupBy(measuresIn(answer), ({ unit }) => unit)].filter(
    ([, ours]) => isOneValue(ours) && !ours[0]!.isLimit,
  );
  if (stated.length === 0) return null;
  const recorded = uses.flatMap((use) => measuresIn(use.resultText).map((measure) => ({ ...measure, use })));
  const results = new Set(uses.map(({ resultText }) => resultText));
  // Most units of an answer have no other number in a result, and the numbers of all texts are not needed.
  const numbers = lazy(() => new Set(texts().flatMap(valuesIn)));
  for (const [unit, ours] of stated) {
    const theirs = recorded.filter((measure) => measure.unit === unit);
    const [our, their] = [ours[0]!, theirs[0]];
    if (their === undefined || !isOneValue(theirs) || isNear(our.value, their.value)) continue;
    if ([our.value, our.value / 100, our.value * 100].some((value) => numbers().has(value))) continue;
    const elsewhere = texts()
      .filter((text) => !results.has(text))
      .flatMap(measuresIn);
    if (elsewhere.some((measure) => measure.unit === unit && measure.value !== their.value)) continue;
    const subject = sharedName(their, our);
    if (subject === null && their.value !== 0) continue;
    const known = new Set(uses.flatMap(({ resultText, argumentsText }) => valuesIn(`${resultText} ${argumentsText}`)));
    if (known.size > NUMBERS_LIMIT || gives([...known], our.value)) continue;
    return { of: unit, subject, stated: our.quote, recorded: their.quote, use: their.use };
  }
  return null;
}

/** Scripts without spaces: a name is part of a longer run of letters. */
const WIDE = /[\u30a0-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/** The first name that both have, with the words after it that both have, too. */
function sharedName(their: Measure & { use: ToolUse }, { names, sentence }: Measure): string | null {
  const shared = their.names.filter((name) => names.includes(name) || (WIDE.test(name) && sentence.includes(name)));
  const isNext = (text: string) => their.use.resultText.includes(text);
  const join = (name: string, next: string) => (isNext(`${name} ${next}`) ? `${name} ${next}` : name);
  return shared.length === 0 ? null : shared.reduce(join);
}

function isOneValue(measures: readonly Measure[]): boolean {
  return measures.every(({ value }) => value === measures[0]!.value);
}

/** Numbers that may be rounded forms of each other, such as `over 30 %` for 35 %. */
const ROUNDING_SHARE = 0.2;

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= Math.max(ROUNDING_SHARE * Math.abs(other), 0.5);
}

function gives(numbers: readonly number[], value: number): boolean {
  return numbers.some((x) =>
    numbers.some((y) => [x + y, x - y, x * y, x / y].some((result) => Math.abs(result - value) <= 0.006 * value)),
  );
}
