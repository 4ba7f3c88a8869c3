import { numberReadings } from '../../_kit/number-notation.ts';
import { isAscii } from '../../_kit/text.ts';
import { numberValue } from './number-words.ts';
import { stem } from './stem.ts';
import { NEGATIONS, STOP_WORDS } from './stop-words.ts';

/** A word, a number, or two neighbouring characters of a script without spaces. */
export interface Token {
  /** Equal for equal words. */
  key: string;
  /** As written in the text. */
  raw: string;
  start: number;
  end: number;
  isStop: boolean;
  isNegation: boolean;
  /** Null for anything except a number. */
  number: number | null;
  /** Whether it is written like a name: with a capital inside a sentence. */
  isName: boolean;
}

/**
 * Words with a contraction; numbers with separators (also separated by spaces, as treebanks print them); characters of
 * scripts without spaces.
 */
const TOKEN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+|\p{N}+(?:(?:[.,\u066b\u066c]| , )\p{N}+|['’\u00a0\u202f]\p{N}{3}(?!\p{N}))*|[\p{L}\p{M}]+(?: ?['’] ?(?:t|s|m|re|ve|ll|d)(?!\p{L}))?/gu;
/** The same for ASCII texts, much faster. */
const ASCII_TOKEN = /\d+(?:(?:[.,]| , )\d+|'\d{3}(?!\d))*|[A-Za-z]+(?: ?' ?(?:t|s|m|re|ve|ll|d)(?![A-Za-z]))?/g;
const WITHOUT_SPACES =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let isSentenceStart = true;
  let end = 0;
  const isPlain = isAscii(text);
  for (const match of text.matchAll(isPlain ? ASCII_TOKEN : TOKEN)) {
    const raw = match[0];
    const start = match.index;
    if (start > end) isSentenceStart ||= endsSentence(text, end, start);
    end = start + raw.length;
    if (!isPlain && WITHOUT_SPACES.test(raw)) addCharacterPairs(tokens, raw, start);
    else tokens.push(tokenOf(raw, start, isSentenceStart));
    isSentenceStart = false;
  }
  return tokens;
}

function endsSentence(text: string, from: number, to: number): boolean {
  for (let index = from; index < to; index += 1) if ('.!?\n:;"“”'.includes(text[index]!)) return true;
  return false;
}

function tokenOf(raw: string, start: number, isSentenceStart: boolean): Token {
  const end = start + raw.length;
  if (isNumeral(raw)) {
    const digits = raw.replace(/ /g, '');
    const [number = null] = numberReadings(digits);
    const key = number === null ? digits : String(number);
    return { key, raw, start, end, isStop: false, isNegation: false, number, isName: false };
  }
  const { key, isStop, isNegation, number, isCapital } = readWord(raw);
  const isName = !isSentenceStart && isCapital && !isStop && number === null;
  return { key, raw, start, end, isStop, isNegation, number, isName };
}

function isNumeral(raw: string): boolean {
  const code = raw.charCodeAt(0);
  return code < 128 ? code >= 48 && code <= 57 : /^\p{N}/u.test(raw);
}

interface ReadWord extends Pick<Token, 'key' | 'isStop' | 'isNegation' | 'number'> {
  isCapital: boolean;
}

/** Limit of the cache. Texts repeat the same words, so tokens are cached. */
const MEMO_LIMIT = 20_000;
/** V8 keeps longer slices as references to the whole text, which a cache entry would then retain. */
const COPIED_LENGTH = 12;
const memo = new Map<string, ReadWord>();

function readWord(raw: string): ReadWord {
  const known = memo.get(raw);
  if (known !== undefined) return known;
  if (memo.size >= MEMO_LIMIT) memo.clear();
  const word = plainWord(raw);
  const base = word.replace(/ ?' ?(?:t|s|m|re|ve|ll|d)$/, '');
  const number = numberValue(base);
  const isNegated = /n ?' ?t$/.test(word);
  const read = {
    key: number === null ? stem(base) : String(number),
    isStop: number === null && (isNegated || STOP_WORDS.has(base) || base.length === 1),
    isNegation: number === null && (isNegated || NEGATIONS.has(base)),
    number,
    isCapital: /^\p{Lu}/u.test(raw),
  };
  if (raw.length <= COPIED_LENGTH) memo.set(raw, read);
  return read;
}

function plainWord(raw: string): string {
  const lower = raw.toLowerCase();
  if (isAscii(lower)) return lower;
  return lower
    .replaceAll('’', "'")
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '');
}

function addCharacterPairs(tokens: Token[], raw: string, start: number): void {
  const last = Math.max(1, raw.length - 1);
  for (let index = 0; index < last; index += 1) {
    const pair = raw.slice(index, index + 2);
    const [from, to] = [start + index, start + index + pair.length];
    tokens.push({
      key: pair,
      raw: pair,
      start: from,
      end: to,
      isStop: false,
      isNegation: false,
      number: null,
      isName: false,
    });
  }
}
