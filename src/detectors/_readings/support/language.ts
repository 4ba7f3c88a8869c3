import { asciiLetterCount, isAscii, letterCount, letterWords } from '../../_kit/text.ts';
import { STOP_WORDS } from './stop-words.ts';

/**
 * How well the model applies to a pair of texts. It was fitted to English. Texts of another language are compared only by
 * words and letters (`limited`); an answer in another language than its sources is not comparable (`mismatch`).
 */
export type LanguageSupport = 'full' | 'limited' | 'mismatch';

const SAMPLE_CHARACTERS = 4000;
const MIN_WORDS = 8;
/** English prose has 35–55 % function words; other languages in Latin script have below 8 % of these words. */
const ENGLISH_STOP_SHARE = 0.12;

export function languageSupport(text: string, sources: readonly string[]): LanguageSupport {
  const answer = languageOf(text);
  const source = languageOf(beginningOf(sources));
  if (answer.script !== source.script && answer.script !== null && source.script !== null) return 'mismatch';
  if (answer.isEnglish !== null && source.isEnglish !== null && answer.isEnglish !== source.isEnglish)
    return 'mismatch';
  return answer.script === 'latin' && (answer.isEnglish ?? source.isEnglish) !== false ? 'full' : 'limited';
}

/** The beginning of the joined sources, up to the sample size. */
function beginningOf(sources: readonly string[]): string {
  let sample = '';
  for (const [at, source] of sources.entries()) {
    if (sample.length >= SAMPLE_CHARACTERS) break;
    sample += `${at === 0 ? '' : '\n'}${source.slice(0, SAMPLE_CHARACTERS)}`;
  }
  return sample;
}

interface Language {
  /** The script of a text; null if there are too few letters. */
  script: 'latin' | 'other' | null;
  isEnglish: boolean | null;
}

function languageOf(text: string): Language {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const latin = latinCount(sample);
  const other = letterCount(sample) - latin;
  if (latin + other < 2) return { script: null, isEnglish: null };
  if (other > latin) return { script: 'other', isEnglish: null };
  const words = letterWords(sample);
  if (words.length < MIN_WORDS) return { script: 'latin', isEnglish: null };
  const stops = words.filter((word) => word.length > 1 && STOP_WORDS.has(word)).length;
  return {
    script: 'latin',
    isEnglish: looksLikeProse(sample, words.length) ? stops / words.length >= ENGLISH_STOP_SHARE : null,
  };
}

function latinCount(text: string): number {
  const beyond = isAscii(text) ? '' : text.replace(/[\0-\x7f]+/g, ' ');
  return asciiLetterCount(text) + (beyond.match(/\p{Script=Latin}/gu)?.length ?? 0);
}

/** Whether a text looks like prose: tables, code and JSON have few function words in any language. */
function looksLikeProse(text: string, words: number): boolean {
  const marks = text.match(/[{}[\]()<>=_|":;/\\\d]/g)?.length ?? 0;
  return marks < words / 2;
}
