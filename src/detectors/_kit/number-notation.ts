import { isAscii } from './text.ts';

/** A number in a text, in any of the usual notations. */
export interface StatedNumber {
  /** As written. */
  text: string;
  at: number;
  /** What it can mean, the most likely value first: `1.204` is 1204 in some languages. */
  readings: readonly number[];
}

/** The zeros of scripts with digits of their own; nine further digits follow each. */
const ZEROS = [
  0x0660, 0x06f0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50, 0x0ed0, 0x1040, 0x17e0,
  0xff10,
];
const ASCII_FORMS: ReadonlyMap<string, string> = new Map([
  ...ZEROS.flatMap((zero) =>
    Array.from({ length: 10 }, (_, digit): [string, string] => [String.fromCharCode(zero + digit), String(digit)]),
  ),
  ['，', ','],
  ['．', '.'],
]);
const OTHER_FORM =
  /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0e50-\u0e59\u0ed0-\u0ed9\u1040-\u1049\u17e0-\u17e9\uff10-\uff19]|(?<=[\d\uff10-\uff19])[，．](?=[\d\uff10-\uff19])/g;

/** The text with the digits 0 to 9 for those of other scripts. Positions do not change. */
export function withAsciiDigits(text: string): string {
  return isAscii(text) ? text : text.replace(OTHER_FORM, (form) => ASCII_FORMS.get(form)!);
}

/** Digits with marks between them: one number, or several without a space after their separator. */
const RUN = /\d+(?:[.,'’\u066b\u066c\u00a0\u2009\u202f ]\d+)*/g;
/** Groups of three digits with one mark, then decimals after another. */
const GROUPED = /^\d{1,3}([.,'’\u066c\u00a0\u2009\u202f ])\d{3}(?:\1\d{3}){0,5}(?:(?!\1)[.,\u066b]\d{1,9})?$/;
/** Groups of two digits before the last three, as in India. */
const INDIAN = /^\d{1,2}(?:,\d{2}){1,6},\d{3}(?:\.\d{1,9})?$/;
const PLAIN = /^\d{1,21}(?:[.,\u066b]\d{1,15})?$/;
const MARK = /\D/g;
const DECIMAL_MARKS = '.,\u066b';

/** What a number can mean, the most likely value first; empty if the text is not one number, but a version, date or list. */
export function numberReadings(written: string): readonly number[] {
  const text = withAsciiDigits(written);
  if (!GROUPED.test(text) && !INDIAN.test(text) && !PLAIN.test(text)) return [];
  const marks = text.match(MARK) ?? [];
  const whole = Number(text.replace(MARK, ''));
  const last = marks.at(-1);
  if (last === undefined || !DECIMAL_MARKS.includes(last)) return [whole];
  const at = text.lastIndexOf(last);
  const decimal = Number(`${text.slice(0, at).replace(MARK, '')}.${text.slice(at + 1)}`);
  if (new Set(marks).size > 1 || last === '\u066b') return [decimal];
  if (marks.length > 1) return [whole];
  if (!/^[1-9]\d{0,2}[.,]\d{3}$/.test(text)) return [decimal];
  return last === ',' ? [whole, decimal] : [decimal, whole];
}

/** The numbers of a text. Whole numbers with plain spaces may also be several: the later ones are readings. */
export function statedNumbers(text: string): StatedNumber[] {
  return Array.from(withAsciiDigits(text).matchAll(RUN)).flatMap(({ 0: run, index }): StatedNumber[] => {
    const readings = numberReadings(run);
    const parts = run.includes(' ') ? run.split(' ') : [];
    if (readings.length > 0) {
      const later = Number.isInteger(readings[0]) ? parts.slice(1).map(Number) : [];
      return [{ text: text.slice(index, index + run.length), at: index, readings: [...readings, ...later] }];
    }
    let at = index;
    return parts.flatMap((part): StatedNumber[] => {
      const start = at;
      at += part.length + 1;
      const own = numberReadings(part);
      return own.length === 0 ? [] : [{ text: text.slice(start, start + part.length), at: start, readings: own }];
    });
  });
}

/** All values that the numbers of a text can have; a list without spaces (`10,20,30`) is also its members. */
export function valuesIn(text: string): number[] {
  return Array.from(withAsciiDigits(text).matchAll(RUN)).flatMap(([run]) => [
    ...numberReadings(run),
    ...(/[, ]/.test(run) ? run.split(/[, ]/).flatMap(numberReadings) : []),
  ]);
}
