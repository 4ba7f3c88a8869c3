const STOP_WORDS = new Set(
  (
    'a an the and or but if so to of in on at by for with from as is are was be been it its this that these those i you he we they me my your our ' +
    'do does did dont not no yes please just again still now then there here can could should would will shall may must have has had ' +
    'what which why how when instead also too very all any some only always never'
  ).split(' '),
);
const WORD = /[\p{L}\p{N}_./-]+/gu;
/** Scripts that are written without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const READ_CHARACTERS = 400;
const MIN_SHARED = 2;
const MIN_SHARE = 0.6;

/** Content words of a short text; for a script without spaces, pairs of characters. */
export function contentWords(text: string): Set<string> {
  const words = text.slice(0, READ_CHARACTERS).toLowerCase().replaceAll(/['’]/g, '').match(WORD) ?? [];
  return new Set(
    words
      .flatMap((word) => (UNSPACED.test(word) ? pairsOf(word) : [withoutPunctuation(word)]))
      .filter((word) => word !== '' && !STOP_WORDS.has(word)),
  );
}

function withoutPunctuation(word: string): string {
  let end = word.length;
  while (end > 0 && './-'.includes(word[end - 1] as string)) end -= 1;
  return word.slice(0, end);
}

/** Whether two short texts make the same request: they share at least two words, and most words of the shorter one. */
export function isSimilar(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [shorter, longer] = one.size <= other.size ? [one, other] : [other, one];
  let shared = 0;
  for (const word of shorter) if (longer.has(word)) shared += 1;
  return shared >= MIN_SHARED && shared >= shorter.size * MIN_SHARE;
}

function pairsOf(word: string): string[] {
  const letters = [...word];
  return letters.length < 2 ? letters : letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
}
