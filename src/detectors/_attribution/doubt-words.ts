/** Words that express doubt, by kind of doubt; English, as most agents are prompted. */
const WORDS = {
  hedge: 'wait actually hmm however but oops maybe perhaps might',
  condition: 'could would should may might',
  guess: 'might maybe perhaps possibly probably likely unclear unsure seem seems',
  negation: 'not never no',
} as const;

export type Doubt = keyof typeof WORDS;

const KINDS = Object.keys(WORDS) as Doubt[];
const DOUBTS_OF = new Map<string, readonly Doubt[]>();
for (const kind of KINDS)
  for (const word of WORDS[kind].split(' ')) DOUBTS_OF.set(word, [...(DOUBTS_OF.get(word) ?? []), kind]);

/** All words, and `n't` at the end of a word, which is also a negation. */
const DOUBT_WORD =
  /\b(?:wait|actually|hmm|however|but|oops|maybe|perhaps|might|could|would|should|may|possibly|probably|likely|unclear|unsure|seems?|not|never|no)\b|n['’]t\b/gi;
const NEGATION: readonly Doubt[] = ['negation'];

/** Number of such words in the texts. A word may count for several kinds. */
export function countDoubts(texts: readonly string[]): Record<Doubt, number> {
  const counts: Record<Doubt, number> = { hedge: 0, condition: 0, guess: 0, negation: 0 };
  for (const text of texts)
    for (const word of text.match(DOUBT_WORD) ?? [])
      for (const kind of DOUBTS_OF.get(word.toLowerCase()) ?? NEGATION) counts[kind] += 1;
  return counts;
}
