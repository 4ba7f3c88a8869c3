/** A number with its unit next to the name of a thing: `Oslo: 3 days`, `3 days in Oslo`, `a 3-day stay in Oslo`. */
export interface Quantity {
  /** Name in lower case. */
  name: string;
  value: number;
  /** Lower case, without a plural s. */
  unit: string;
  /** The words from the name to the unit, unmodified. */
  quote: string;
}

interface Token {
  text: string;
  at: number;
  isBreak: boolean;
}

/** A number with its unit. */
interface Measure {
  /** Position of the number. */
  at: number;
  /** As in `Quantity`. */
  unit: string;
  /** Where the unit ends in the text. */
  end: number;
  /**
   * Whether the unit is in lower case, in a script with cases: capitalised words inside a sentence are then names. In German
   * all nouns are capitalised, and other scripts have no case.
   */
  hasCase: boolean;
}

const MAX_TEXT_LENGTH = 20_000;
/** Largest number of words between a name and its number. */
const MAX_WORD_DISTANCE = 5;
const TOKEN = /\d+(?:[.,]\d+)*|[\p{L}_][\p{L}\p{N}_]*|[.,;|()!?\n、。，；（）！？「」،؛؟]/gu;
/** Scripts without case. Chinese and Japanese have no spaces either, and the Arabic word for `and` is part of the next word. */
const CASELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Arabic}]/u;
const CASELESS_PART =
  /\d+(?:\.\d+)?|[\p{Script=Katakana}ー]+|\p{Script=Han}+|\p{Script=Hiragana}+|\p{Script=Hangul}+|\p{Script=Arabic}+|[A-Za-z_]+/gu;
/** A number before a unit, with no other word or break in between; most texts have none and are not cut into words. */
const HAS_MEASURE = /[\d\u0660-\u0669\uff10-\uff19][^\p{L}\d_.,;|()!?\n]{0,8}(?:\p{L}\p{Ll}{2}|\p{Lo})/u;
/** Written together with the number after it; it begins a new part of the list. */
const ARABIC_AND = 'و';
const OTHER_DIGIT = /[\u0660-\u0669\uff10-\uff19]/g;
const NUMBER = /^\d+(?:\.\d+)?$/;
const UNIT = /^\p{Ll}{3,20}$/u;
const CAPITALISED_UNIT = /^\p{Lu}\p{Ll}{2,19}$/u;
const BREAKS: ReadonlySet<string> = new Set('.,;|()!?\n、。，；（）！？「」،؛؟');
/** A name in the middle of a sentence, or an identifier. */
const NAME = /^\p{Lu}\p{Ll}{2,}$|^\p{L}+_[\p{L}\p{N}_]*\d$/u;
/** An opening bracket may separate a name from its number; other brackets end a clause. */
const SKIPPED_BRACKETS: ReadonlySet<string> = new Set('(（');

/**
 * Quantities of named things in a text. Each number belongs to the nearest name of its clause; if two are equally near, to
 * none. Any capitalised word inside a sentence counts as a name, unless `names` (lower case) lists the names.
 */
export function quantitiesIn(text: string, names: ReadonlySet<string> | null = null): Quantity[] {
  if (!HAS_MEASURE.test(text)) return [];
  const read = text.slice(0, MAX_TEXT_LENGTH).replace(OTHER_DIGIT, (digit) => `${digit.charCodeAt(0) & 0xf}`);
  const tokens = tokensOf(read);
  const all = [...tokens.keys()].flatMap((at) => measureAt(tokens, at) ?? []);
  const measures = all.filter((one) => (names === null ? isUnit(tokens, all, one) : !names.has(one.unit)));
  const units = new Set(measures.map(({ unit }) => unit));
  const sides = measures.map((measure): Sides => sidesOf(tokens, measure, names));
  const usual = usualSide(sides);
  return measures.flatMap((measure, nth): Quantity[] => {
    if (isOrdinal(tokens, measure.at, units)) return [];
    const found = measure.hasCase
      ? nearer(sides[nth]!, measure.at)
      : (usual(sides[nth]!) ?? nearer(sides[nth]!, measure.at));
    if (found === null) return [];
    const name = tokens[found.at]!;
    const from = Math.min(name.at, tokens[measure.at]!.at);
    const quote = text.slice(from, Math.max(name.at + name.text.length, measure.end)).replace(/\s+/g, ' ');
    return [{ name: found.name, value: Number(tokens[measure.at]!.text), unit: measure.unit, quote }];
  });
}

function tokensOf(text: string): Token[] {
  return [...text.matchAll(TOKEN)].flatMap(({ 0: token, index }): Token[] => {
    if (!CASELESS.test(token)) return [{ text: token, at: index, isBreak: BREAKS.has(token) }];
    return [...token.matchAll(CASELESS_PART)].map((part) => ({
      text: part[0],
      at: index + part.index,
      isBreak: part[0] === ARABIC_AND,
    }));
  });
}

/** A number followed by a word that can be its unit. */
function measureAt(tokens: readonly Token[], at: number): Measure | null {
  const unit = tokens[at + 1];
  if (unit === undefined || !NUMBER.test(tokens[at]!.text)) return null;
  const end = unit.at + unit.text.length;
  if (UNIT.test(unit.text)) return { at, unit: singular(unit.text), end, hasCase: true };
  const isAdjacent = unit.at - tokens[at]!.at - tokens[at]!.text.length <= 1;
  if (!isAdjacent) return null;
  if (CAPITALISED_UNIT.test(unit.text)) return { at, unit: singular(unit.text.toLowerCase()), end, hasCase: false };
  const caseless = CASELESS.test(unit.text) ? caselessUnit(tokens, at) : null;
  return caseless === null ? null : { at, unit: caseless, end: unit.at + caseless.length, hasCase: false };
}

/**
 * A capitalised word is a unit if it follows several numbers, and no word before these numbers names what they count
 * (`Route 7 Oslo, Route 9 Oslo`).
 */
function isUnit(tokens: readonly Token[], measures: readonly Measure[], { at, unit, hasCase }: Measure): boolean {
  if (hasCase || !CAPITALISED_UNIT.test(tokens[at + 1]!.text)) return true;
  const same = measures.filter((one) => one.unit === unit);
  const labels = same.flatMap((one) => tokens[one.at - 1]?.text.match(/^\p{Lu}\p{Ll}+$/u)?.[0] ?? []);
  return same.length > 1 && new Set(labels).size === labels.length;
}

/** Months, times, positions and numbers of a series: `5月`, `4時`, `3番目`, `4号线`. */
const HAN_ORDINAL = /^(?:月|時(?!間)|时(?!间)|点(?!钟)|點(?!鐘)|[号號番目位版章頁页階楼樓]|\p{Script=Han}目)/u;
const HANGUL_ORDINAL = /^(?:월|시(?!간)|번|호|위|층|판|년|일차|일째)/u;
const HANGUL_PARTICLE = /(?:에서는|에서|에게|에는|까지|부터|으로|동안|간|을|를|은|는|이|가|에|의|로|와|과|도|씩)$/u;
/** A measure word that stands for any thing is a unit only with the thing. */
const HAN_UNIT = /^(?:[个個]\p{Script=Han}{0,2}|\p{Script=Han})/u;

/** The unit after a number in a script without case; null if the word makes it a date, a time or a position. */
function caselessUnit(tokens: readonly Token[], at: number): string | null {
  const { text } = tokens[at + 1]!;
  const before = tokens[at - 1]?.text ?? '';
  if (/\p{Script=Han}/u.test(text)) {
    const isDay = before.endsWith('月') && text.startsWith('日');
    return isDay || before.endsWith('第') || HAN_ORDINAL.test(text) ? null : HAN_UNIT.exec(text)![0];
  }
  if (/\p{Script=Hangul}/u.test(text))
    return HANGUL_ORDINAL.test(text) || before === '월' || before === '제'
      ? null
      : withoutParticle(text, 1).slice(0, 4);
  if (/\p{Script=Hiragana}/u.test(text)) return text.startsWith('つ') ? 'つ' : null;
  return text.length > 1 ? text : null;
}

function withoutParticle(text: string, minLength: number): string {
  const rest = text.replace(HANGUL_PARTICLE, '');
  return rest.length < minLength ? text : rest;
}

/** `day 9`: the unit before the number makes it an ordinal. */
function isOrdinal(tokens: readonly Token[], at: number, units: ReadonlySet<string>): boolean {
  return units.has(singular((tokens[at - 1]?.text ?? '').toLowerCase()));
}

/** A name and its position. */
interface FoundName {
  at: number;
  name: string;
}

/** The nearest names before and after a quantity. */
interface Sides {
  left: FoundName | null;
  right: FoundName | null;
}

function sidesOf(tokens: readonly Token[], { at, hasCase }: Measure, names: ReadonlySet<string> | null): Sides {
  const nameAt = (position: number): string | null => {
    if (names !== null) return listedName(tokens[position]!.text, names);
    const isAfterNumber = NUMBER.test(tokens[position - 1]?.text ?? '');
    if (!hasCase && (isAfterNumber || CASELESS.test(tokens[position]!.text)))
      return isAfterNumber ? null : caselessName(tokens[position]!.text);
    return isNameAt(tokens, position) ? tokens[position]!.text.toLowerCase() : null;
  };
  return { left: nearest(tokens, nameAt, at, -1), right: nearest(tokens, nameAt, at + 1, 1) };
}

function listedName(text: string, names: ReadonlySet<string>): string | null {
  const own = text.toLowerCase();
  if (names.has(own)) return own;
  if (!CASELESS.test(own)) return null;
  return names.has(withoutParticle(own, 2))
    ? withoutParticle(own, 2)
    : /\p{Script=Han}/u.test(own)
      ? ([...names].find((name) => own.includes(name)) ?? null)
      : null;
}

function isNameAt(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  return NAME.test(tokens[at]!.text) && before !== undefined && !/^[.!?\n]$/.test(before.text);
}

/** Chinese words before and after a name, which are written without spaces. */
const HAN_BEFORE = /^(?:请|您|你|我|们|先|再|然后|将|会|在|去|到|给|於|于|为|往|从|和|与|及|是)+/u;
const HAN_AFTER = /(?:停留|逗留|住宿|入住|居住|度过|安排|住|待|停|呆|玩|有|为|的|各|是|共){1,6}$/u;
const ARABIC_FUNCTION_WORDS: ReadonlySet<string> = new Set('في إلى الى على لمدة من ثم مع عن بعد قبل'.split(' '));

/** A word in a script without case that can be a name. */
function caselessName(text: string): string | null {
  if (/\p{Script=Hiragana}/u.test(text) || ARABIC_FUNCTION_WORDS.has(text)) return null;
  const isHan = /\p{Script=Han}/u.test(text);
  const name = isHan ? text.replace(HAN_BEFORE, '').replace(HAN_AFTER, '') : withoutParticle(text, 2);
  return name.length < 2 ? null : name;
}

/** The nearest name in one direction, within the clause and before the next number. */
function nearest(
  tokens: readonly Token[],
  nameAt: (at: number) => string | null,
  from: number,
  step: 1 | -1,
): FoundName | null {
  let passed = 0;
  for (let at = from + step; at >= 0 && at < tokens.length && passed <= MAX_WORD_DISTANCE; at += step) {
    const { text, isBreak } = tokens[at]!;
    if (isBreak && (step === 1 || !SKIPPED_BRACKETS.has(text))) return null;
    if (NUMBER.test(text)) return null;
    const name = nameAt(at);
    if (name !== null) return { at, name };
    if (!isBreak) passed += 1;
  }
  return null;
}

function nearer({ left, right }: Sides, at: number): FoundName | null {
  if (left === null || right === null) return left ?? right;
  const [before, after] = [at - left.at, right.at - at - 1];
  if (before === after) return null;
  return before < after ? left : right;
}

/** Chooses between two names: the side on which the quantities of the text with a single name have it. */
function usualSide(sides: readonly Sides[]): (of: Sides) => FoundName | null {
  const lefts = sides.filter(({ left, right }) => left !== null && right === null).length;
  const rights = sides.filter(({ left, right }) => left === null && right !== null).length;
  return ({ left, right }) =>
    left === null || right === null || lefts === rights ? null : lefts > rights ? left : right;
}

function singular(unit: string): string {
  return unit.length > 3 ? unit.replace(/s$/, '') : unit;
}
