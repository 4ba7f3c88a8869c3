import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { writtenNumber } from '../../_kit/written-numbers.ts';
import { conversation } from './conversation.ts';

/** In a longer message, a number of times is mostly part of the material. */
const MAX_MESSAGE_LENGTH = 2_000;

/** How often users of the run asked for something to be repeated: `four checks`, `5 times`, `dreimal`, `4回`. */
export const requestedRepetitions = memoizeByRef((trace: Trace): readonly number[] => {
  const texts = conversation(trace).flatMap(({ by, text }) => (by === 'user' ? [text] : []));
  return [...new Set([trace.task ?? '', ...texts])]
    .filter(({ length }) => length <= MAX_MESSAGE_LENGTH)
    .flatMap(repetitionsIn);
});

/** Whether a user asked for about this number of equal calls: for one less, as many, or more. */
export function isRequestedOften(trace: Trace, times: number): boolean {
  return requestedRepetitions(trace).some((requested) => times <= requested + 1);
}

/** Words for repetitions and for acts that are repeated on purpose, by language. */
const NOUNS: readonly RegExp[] = [
  /^(?:times|checks?|readings?|measurements?|samples?|repetitions?|repeats?|iterations?|polls|pings?|probes?|rolls?|throws|tosses|flips|draws|spins|rounds|trials|tests?|runs|passes|queries|lookups|requests)$/,
  /^(?:mal|prüfungen|kontrollen|messungen|ablesungen|messwerte|proben|stichproben|wiederholungen|abfragen|würfe|durchläufe|durchgänge|runden|tests|überprüfungen)$/,
  /^(?:fois|contrôles|vérifications|mesures|relevés|lectures|répétitions|essais|tests|tirages|lancers|tours|veces|comprobaciones|verificaciones|mediciones|lecturas|repeticiones|pruebas|tiradas|rondas|muestras)$/,
  /^(?:volte|controlli|verifiche|misure|misurazioni|letture|ripetizioni|prove|lanci|vezes|verificações|medições|leituras|repetições|testes|amostras|keer|maal|controles|metingen|steekproeven|herhalingen|gånger|ganger|gange|mätningar|målinger|kertaa|mittausta)$/,
  /^(?:razy|sprawdze\p{L}{1,3}|pomiar\p{L}{1,3}|odczyt\p{L}{1,3}|prób\p{L}{0,2}|krát|měření|kontrol\p{L}{0,2}|раза?|проверк\p{L}{1,2}|проверок|замер\p{L}{0,2}|измерени\p{L}{1,2}|показани\p{L}{1,2}|kez|kere|defa|ölçüm|okuma|مرات|قراءات|قياسات|פעמים)$/u,
];
/** `zweimal`, `viermaal`, `5x`. */
const JOINED = /^(\p{L}{3,8}|\d{1,3})(?:mal|maal|x|×)$/u;
const WORDS_OF_TIMES: ReadonlyMap<string, number> = new Map([
  ['twice', 2],
  ['thrice', 3],
  ['дважды', 2],
  ['трижды', 3],
  ['مرتين', 2],
]);
const EAST_ASIAN = /(?:(\d{1,3})|([二两三四五六七八九十]))\s?(?:回|度|次|遍|번|차례)/gu;
const EAST_ASIAN_DIGITS = '〇一二三四五六七八九十';
/** Words that can stand between the number and the noun: `five more health checks`. */
const MAX_WORDS_BETWEEN = 2;
const TOKEN = /\d+(?:[.,]\d+)?\p{L}{0,4}|\p{L}+|[.,;:!?()\n]/gu;

function repetitionsIn(text: string): number[] {
  const tokens = text.toLowerCase().match(TOKEN) ?? [];
  const named = tokens.flatMap((token, at) => {
    const [, number] = JOINED.exec(token) ?? [];
    const single = WORDS_OF_TIMES.get(token) ?? (number === undefined ? null : numberOf(number));
    if (single !== null) return [single];
    return NOUNS.some((noun) => noun.test(token)) ? numbersBefore(tokens, at) : [];
  });
  const eastAsian = Array.from(text.matchAll(EAST_ASIAN), ([, digits, word]) =>
    digits === undefined ? eastAsianValue(word!) : Number(digits),
  );
  return [...named, ...eastAsian].filter((value) => value >= 2);
}

function numbersBefore(tokens: readonly string[], at: number): number[] {
  for (let before = at - 1; before >= Math.max(0, at - 1 - MAX_WORDS_BETWEEN); before -= 1) {
    const value = numberOf(tokens[before]!);
    if (value !== null) return [value];
    if (!/^\p{L}/u.test(tokens[before]!)) return [];
  }
  return [];
}

function numberOf(token: string): number | null {
  return /^\d{1,3}$/.test(token) ? Number(token) : (writtenNumber(token) ?? null);
}

function eastAsianValue(word: string): number {
  return word === '两' ? 2 : EAST_ASIAN_DIGITS.indexOf(word);
}
