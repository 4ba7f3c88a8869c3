import { letterWords } from '../_kit/text.ts';
import { languageOf } from '../_readings/conduct/language.ts';

const ADMITS =
  /\b(?:unable|unsuccessful\w*|could ?n[o']t|can ?not|can't|couldn't|fail(?:s|ed|ing|ure)?|errors?|issues?|problems?|trouble|unfortunately|sorry|apologi[sz]e|not|never|none|without|no|nothing|neither|nor|unavailable|\w{2,12}n['’]?t|invalid|instead|another|different|again|retry|alternatives?|otherwise|however|but|although|though|refus(?:ed|es)|reject(?:ed|s)?|declin(?:ed|es)|denied|blocked|down|missing|broken|crash(?:ed|es)?|timed out|out of order|impossible|skip(?:ped)?|only)\b/i;

/** `unknown`: the language of the text is not covered by the vocabulary. */
export type Admission = 'admits' | 'unknown' | 'none';

/**
 * Whether a text mentions a failure or the error.
 * @param passed the arguments of the failed call: a name that an error repeats from them says nothing about the failure
 */
export function admissionIn(text: string, error: string, passed = ''): Admission {
  if (ADMITS.test(text) || sharesWord(text, error, passed)) return 'admits';
  return isEnglish(text) ? 'none' : 'unknown';
}

/** Frequent words of short English texts that other languages lack. */
const ENGLISH = new Set(
  'the is are and of to for your yours you with have has been it that this done here we now'.split(' '),
);

/** Letters that English words do not contain. */
const OTHER_SCRIPT = /[\u0370-\u1fff\u2e80-\ud7ff]/;

function isEnglish(text: string): boolean {
  const language = languageOf(text);
  if (language !== null) return language === 'english';
  if (OTHER_SCRIPT.test(text)) return false;
  const words = letterWords(text.toLowerCase());
  const known = new Set(words.filter((word) => ENGLISH.has(word))).size;
  if (words.length <= FEW_WORDS && words.some((word) => DISTINCT.has(word))) return true;
  return words.length < 3 || known >= (words.length <= 3 ? 1 : 2);
}

/** The subset of words of which one is enough in a short text, because other languages lack them. */
const DISTINCT = new Set('the are your you with this that here'.split(' '));
const FEW_WORDS = 12;

const MIN_LETTERS = 6;

/** Whether the text repeats a specific word of the error, such as what is locked or full. */
function sharesWord(text: string, error: string, passed: string): boolean {
  const known = new Set(letterWords(passed.slice(0, 2000).toLowerCase()));
  const own = new Set(
    letterWords(error.slice(0, 400).toLowerCase()).filter((word) => word.length >= MIN_LETTERS && !known.has(word)),
  );
  return letterWords(text.slice(0, 2000).toLowerCase()).some((word) => own.has(word));
}
