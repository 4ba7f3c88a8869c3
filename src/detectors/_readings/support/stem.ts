const VOWEL = /[aeiouy]/;

/** Suffixes in the order of removal, each removed once, with the minimum length of the rest. */
const ENDINGS: readonly [RegExp, string, number][] = [
  [/(?:ies|ied)$/, 'y', 2],
  [/sses$/, 'ss', 2],
  [/([^aeius])s$/, '$1', 3],
  [/([aei])s$/, '$1', 4],
];
const DERIVATIONS =
  /(?:ations?|itions?|ments?|ness|ingly|edly|ally|ing|ion|ity|ly|ed|er|or|al|ic|ive|ism|ist|ant|ent)$/;
const MIN_STEM = 4;

/**
 * A lower-case English word without its usual suffixes. Deliberately simpler than Porter's stemmer: it only has to map the
 * forms of one word together.
 */
export function stem(word: string): string {
  if (word.length <= 3) return word;
  let base = word;
  for (const [ending, instead, least] of ENDINGS) {
    const shorter = base.replace(ending, instead);
    if (shorter !== base && shorter.length >= least) {
      base = shorter;
      break;
    }
  }
  const root = base.replace(DERIVATIONS, '');
  if (root !== base && root.length >= MIN_STEM - 1 && VOWEL.test(root)) base = withoutDoubleEnd(root);
  if (base.length > MIN_STEM - 1 && base.endsWith('e')) base = base.slice(0, -1);
  return base.endsWith('y') && base.length > 3 ? `${base.slice(0, -1)}i` : base;
}

function withoutDoubleEnd(root: string): string {
  const last = root.at(-1)!;
  return last === root.at(-2) && !/[aeiouslz]/.test(last) ? root.slice(0, -1) : root;
}
