import { letterCount, letterWords, withoutFences } from '../../_kit/text.ts';

const SCRIPTS: Record<string, RegExp> = {
  chinese: /\p{Script=Han}/gu,
  japanese: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  korean: /\p{Script=Hangul}/gu,
  russian: /\p{Script=Cyrillic}/gu,
  arabic: /\p{Script=Arabic}/gu,
  hindi: /\p{Script=Devanagari}/gu,
  greek: /\p{Script=Greek}/gu,
  hebrew: /\p{Script=Hebrew}/gu,
  thai: /\p{Script=Thai}/gu,
};

/** Words that are frequent in one language and absent from similar languages. */
const WORDS: Record<string, ReadonlySet<string>> = {
  english: words('the and of is to that with for this are was you it have from which will can not'),
  german: words('der die und ist das nicht mit den von ein eine zu auf für im sich werden wird auch sind'),
  french: words('le les des est et une dans pour que qui sur vous pas avec ce cette sont au aux du'),
  spanish: words('el los las una es y del que por para con se no su como más está son al lo'),
  italian: words('il gli della di è e un una che per con non sono dei nel alla questo si del come'),
  portuguese: words('o os as uma é e do da que para com não em um se por mais são dos das'),
  dutch: words('de het een en van is dat niet op te voor met zijn aan deze door bij wordt ook om'),
};

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

const LANGUAGES = Object.keys(WORDS);

/** The languages of a word, as positions in the list. */
const LANGUAGES_BY_WORD = new Map<string, number[]>();
LANGUAGES.forEach((name, nth) => {
  for (const word of WORDS[name]!) LANGUAGES_BY_WORD.set(word, [...(LANGUAGES_BY_WORD.get(word) ?? []), nth]);
});

const MIN_TEXT_LENGTH = 60;

/** The language of a text, as a lower-case English name; null if the text is short or mixed. */
export function languageOf(text: string): string | null {
  const prose = withoutLinks(withoutFences(text.slice(0, 6000))).slice(0, 1500);
  if (!NON_LATIN_LETTER.test(prose)) return isLong(prose) ? latinLanguage(prose) : null;
  const letters = letterCount(prose);
  const scripts = Object.entries(SCRIPTS).map(([name, script]) => [name, prose.match(script)?.length ?? 0] as const);
  const [kana] = scripts.filter(([name]) => name === 'japanese');
  if (kana![1] > 0.15 * letters && letters >= 15) return 'japanese';
  const script = scripts.find(([, count]) => count > 0.5 * letters);
  if (script !== undefined) return letters >= 15 ? script[0] : null;
  return letters < MIN_TEXT_LENGTH ? null : latinLanguage(prose);
}

/** The start of most texts has enough letters. */
function isLong(prose: string): boolean {
  return letterCount(prose.slice(0, 2 * MIN_TEXT_LENGTH)) >= MIN_TEXT_LENGTH || letterCount(prose) >= MIN_TEXT_LENGTH;
}

function withoutLinks(text: string): string {
  return text.includes('http') ? text.replace(/https?:\/\/\S{1,300}/g, ' ') : text;
}

/** Letters outside Latin with its accents. */
const NON_LATIN_LETTER = /[\u0370-\u1dff\u2e80-\uffff]/;

function latinLanguage(prose: string): string | null {
  const tokens = letterWords(prose);
  const counts = new Uint32Array(LANGUAGES.length);
  for (const token of tokens) for (const language of LANGUAGES_BY_WORD.get(token) ?? []) counts[language]! += 1;
  const shares = LANGUAGES.map((name, nth) => ({ name, share: counts[nth]! / tokens.length })).sort(
    (a, b) => b.share - a.share,
  );
  const [best, second] = [shares[0]!, shares[1]!];
  return best.share >= 0.15 && best.share >= 1.6 * second.share ? best.name : null;
}
