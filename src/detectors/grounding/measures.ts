import { numberReadings, valuesIn as numbersIn, withAsciiDigits } from '../_kit/number-notation.ts';
import { writtenNumber } from '../_kit/written-numbers.ts';

/** A number with its unit in a text. */
export interface Measure {
  value: number;
  /** Normalised: lower case, without marks and a plural s, and one form for the same unit in several languages. */
  unit: string;
  /** As written. */
  quote: string;
  /** The sentence or record that contains it. */
  sentence: string;
  /** Names in it. */
  names: readonly string[];
  /** Whether the sentence compares or sets a limit: the number need not be a value that was looked up. */
  isLimit: boolean;
}

/** Units that languages write in different ways. Others are compared as written. */
const SAME_UNIT: Readonly<Record<string, readonly string[]>> = {
  '%': ['percent', 'prozent', 'procent', 'porcento', 'процент', 'процента', 'процентов', 'パーセント', '퍼센트'],
  km: [
    'kilometre',
    'kilometer',
    'kilometro',
    'chilometri',
    'quilometro',
    'километр',
    'километра',
    'километров',
    '公里',
    'キロ',
    'キロメートル',
    '킬로미터',
  ],
  kg: [
    'kilo',
    'kilogram',
    'kilogramm',
    'kilogramme',
    'kilogramo',
    'chilo',
    'chili',
    'quilo',
    'килограмм',
    'килограмма',
    'килограммов',
    '公斤',
    'キログラム',
    '킬로그램',
  ],
  min: ['minute', 'minuten', 'minuto', 'minuti', 'минут', 'минута', 'минуты', '分', '分钟', '分間', '분'],
};
const CANONICAL: ReadonlyMap<string, string> = new Map(
  Object.entries(SAME_UNIT).flatMap(([unit, forms]) => forms.map((form) => [form, unit] as const)),
);

/**
 * A number and its unit. A digit after a Latin, Greek or Cyrillic letter is part of a name; other scripts write numbers without
 * a space before them. Han and Hangul are written without a space after the unit, so only its first letters are read.
 */
const WRITTEN =
  /(?<![A-Za-z\u00c0-\u024f\u0370-\u04ff\d.,:/\u2013\u2014-])(\d{1,3}(?:[,.'\u202f\u00a0]\d{3}){1,6}(?![\d,.])|\d{1,3}(?:\.\d{3}){1,6},\d{1,6}|\d{1,3}(?:['’\u202f\u00a0]\d{3}){1,6}[.,]\d{1,6}|\d{1,3}(?:,\d{2,3}){1,6}\.\d{1,6}|\d{1,12}(?:[.,\u066b]\d{1,6})?)[\s\u00a0-]{0,2}(%|°[CF]|€|[\u30a0-\u30ff]{2,12}|(?:公里|公斤|分钟|分間)|킬로(?:미터|그램)|퍼센트|[\u3400-\u9fff\uac00-\ud7af]|\p{L}{2,20})/gu;
const IN_WORDS = /(?<![\p{L}\d])(\p{L}{2,12})[\s\u00a0](\p{L}{3,20})/gu;
const FIELD = /"(\p{L}{1,20})"\s?:\s?(-?\d{1,12}(?:\.\d{1,6})?)(?=\s?[,}\]])/gu;
/** The measures of a text. A field of a record is a measure, and its name is the unit. */
export function measuresIn(text: string): Measure[] {
  if (!/\p{N}/u.test(text) && text.length > 2_000) return [];
  return text.split(/(?<=[.!?])\s|[。！？]|\n|(?<=\})\s{0,3},/u).flatMap((part) => {
    const found = [...(/\p{Nd}/u.test(part) ? inDigits(part) : []), ...inWords(part)];
    if (found.length === 0) return [];
    const names = namesIn(part);
    const isLimit = LIMIT.test(part);
    return found.map(([value, unit, quote]) => ({
      value,
      unit: unitOf(unit),
      quote: quote.trim(),
      sentence: part,
      names,
      isLimit,
    }));
  });
}

type Written = [value: number, unit: string, quote: string];

function inDigits(part: string): Written[] {
  return [
    ...Array.from(withAsciiDigits(part).matchAll(WRITTEN), ({ index, 0: quote, 1: digits, 2: unit }): Written => {
      const written = part.slice(index, index + quote.length);
      return [measuredValue(digits!), unit!, written];
    }),
    ...Array.from(part.matchAll(FIELD), ({ 0: quote, 1: unit, 2: digits }): Written => [Number(digits), unit!, quote]),
  ];
}

function inWords(part: string): Written[] {
  return Array.from(part.matchAll(IN_WORDS)).flatMap(({ 0: quote, 1: word, 2: unit }): Written[] => {
    const value = writtenNumber(word!.toLowerCase());
    return value === undefined ? [] : [[value, unit!, quote]];
  });
}

/** All numbers of a text, also those that are written as words. */
export function valuesIn(text: string): number[] {
  const words = text.length > 20_000 ? [] : (text.toLowerCase().match(/\p{L}{2,12}/gu) ?? []);
  return [...numbersIn(text), ...words.flatMap((word) => writtenNumber(word) ?? [])];
}

/** Groups of three digits before a unit are thousands. */
function measuredValue(digits: string): number {
  return Math.max(...numberReadings(digits));
}

function unitOf(unit: string): string {
  const plain = unit.toLowerCase().normalize('NFKC');
  const form = plain.length > 3 ? plain.replace(/s$/, '') : plain;
  return CANONICAL.get(plain) ?? CANONICAL.get(form) ?? form;
}

/** Capitalised words and texts of records, and words of scripts without capitals. */
const NAME = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]{3,}|[\u30a0-\u30ff\u3400-\u9fff]{2,12}|[\uac00-\ud7af]{2,12}/gu;

function namesIn(text: string): string[] {
  return [...new Set(text.match(NAME))].filter((name) => !text.includes(` ${name.toLowerCase()} `));
}

/** Comparisons and advice. */
const LIMIT =
  /\b(?:below|under|above|less|more|most|least|up to|max(?:imum)?|min(?:imum)?|limit|threshold|target|should|must|need(?:s|ed)?|recommend\w{0,5}|if|until|within|only after|unter|über|höchstens|mindestens|bis|falls|wenn|sollte|muss|grenz\w{0,8}|moins|plus|maxim\w{0,3}|minim\w{0,3}|si|devrait|doit|jusqu\w{0,2}|menos|más|mais|debe\w{0,3}|deve\w{0,2}|hasta|até|limit[ea])\b|[<>≤≥]|(?<!\p{L})(?:ниже|выше|более|менее|если|должн\p{L}{0,2})(?!\p{L})|以下|以上|未満|まで|不超过|至少|低于|高于|如果|이하|이상|미만/iu;
