const VOWEL = /[aeiouy]/;

/** Endings taken off in this order, each once, with the least length of what must remain. */
const ENDINGS: readonly [RegExp, string, number][] = [
  [/(?:ies|ied)$/, 'y', 2],
  [/sses$/, 'ss', 2],
  [/([^aeius])s$/, '$1', 3],
  [/([aei])s$/, '$1', 4],
];
const DERIVATIONS =
  /(?:ations?|itions?|ments?|ness|ingly|edly|ally|ing|ion|ity|ly|ed|er|or|al|ic|ive|ism|ist|ant|ent)$/;
const LEAST_STEM = 4;

/**
 * What stays of a lower-case English word when its usual endings are off; other words only lose what looks like one.
 * Lighter than Porter's stemmer on purpose: it only has to bring forms of one word together.
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
  if (root !== base && root.length >= LEAST_STEM - 1 && VOWEL.test(root)) base = undoubled(root);
  if (base.length > LEAST_STEM - 1 && base.endsWith('e')) base = base.slice(0, -1);
  return base.endsWith('y') && base.length > 3 ? `${base.slice(0, -1)}i` : base;
}

function undoubled(root: string): string {
  const last = root.at(-1)!;
  return last === root.at(-2) && !/[aeiouslz]/.test(last) ? root.slice(0, -1) : root;
}
