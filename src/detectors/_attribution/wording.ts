interface Wording {
  name: string;
  /** Lower-case words; `*` matches any ending. */
  words: string;
  /** For wordings that letters alone do not identify. */
  marks?: RegExp;
}

/** Wordings that indicate what a step does; each is present or absent. English, as most agents are prompted. */
const WORDINGS: readonly Wording[] = [
  { name: 'code', words: 'import def', marks: /```|<code>/ },
  { name: 'conclusion', words: 'therefore thus hence conclusion summary conclude* overall' },
  { name: 'final', words: 'final terminate boxed', marks: /<answer>/ },
  { name: 'confirmation', words: 'confirm* verified accurate correct aligns matches' },
  { name: 'verifying', words: 'verify* verification validat* cross ensure double' },
  { name: 'assumption', words: 'assum* hypothe* suppose simulat* placeholder mock dummy sample your_*' },
  { name: 'recall', words: 'knowledge known historically recall typically commonly generally widely' },
  { name: 'guess', words: 'likely probably estimate* approximate* seem seems might maybe perhaps possibly' },
  { name: 'inability', words: 'unable cannot couldn unfortunately sorry apolog* impossible' },
  { name: 'trouble', words: 'error errors fail* exception issue issues invalid incorrect wrong mistake problem' },
  { name: 'absence', words: 'missing empty unavailable nothing none without lack' },
  { name: 'plan', words: 'plan plans steps step outline approach strategy' },
  { name: 'intent', words: 'let ll need should proceed next will going' },
  { name: 'request', words: 'please could would kindly' },
  { name: 'browsing', words: 'clicked typed scrolled visited opened navigated viewport screenshot webpage' },
  { name: 'searching', words: 'search* query lookup look find' },
  { name: 'thanks', words: 'thank thanks great perfect happy welcome' },
  { name: 'ledger', words: 'is_request_satisfied is_in_loop ledger next_speaker is_progress_being_made' },
  { name: 'handover', words: 'speaker transfer* handoff delegate* assign*' },
  { name: 'repeat', words: 'again retry rerun another instead alternativ* different still' },
  { name: 'manual', words: 'manual* directly hand' },
  { name: 'calculation', words: 'calculat* sum total count* average equals multiply subtract* difference' },
  { name: 'link', words: 'http https www url' },
  { name: 'list', words: '', marks: /^\s{0,8}(?:[-*•]|\d{1,3}[.)]) /m },
  { name: 'reflection', words: 'reflect* memory previously earlier already far' },
  { name: 'success', words: 'success* completed done finished succeeded' },
];

export const WORDING_NAMES: readonly string[] = WORDINGS.map(({ name }) => name);

/** Minimum length of prefixes, so that a word is looked up only a few times. */
const MIN_PREFIX_LENGTH = 4;
const MAX_PREFIX_LENGTH = 10;

const BIT_BY_WORD = new Map<string, number>();
const BIT_BY_PREFIX = new Map<string, number>();
/** Beginnings of prefixes. Most words match none of them and are looked up once. */
const OPENINGS = new Set<string>();
WORDINGS.forEach(({ words }, nth) => {
  for (const word of words.split(' ').filter(Boolean)) {
    const into = word.endsWith('*') ? BIT_BY_PREFIX : BIT_BY_WORD;
    const key = word.replace('*', '');
    if (into === BIT_BY_PREFIX) OPENINGS.add(key.slice(0, MIN_PREFIX_LENGTH));
    into.set(key, (into.get(key) ?? 0) | (1 << nth));
  }
});

/** The wordings of a lower-case word, as bits in the order of the names. */
export function wordingsOf(word: string): number {
  let bits = BIT_BY_WORD.get(word) ?? 0;
  if (!OPENINGS.has(word.slice(0, MIN_PREFIX_LENGTH))) return bits;
  const longest = Math.min(word.length, MAX_PREFIX_LENGTH);
  for (let length = MIN_PREFIX_LENGTH; length <= longest; length += 1)
    bits |= BIT_BY_PREFIX.get(word.slice(0, length)) ?? 0;
  return bits;
}

/** The wordings that punctuation identifies. */
export function markWordings(text: string): number {
  let bits = 0;
  WORDINGS.forEach(({ marks }, nth) => {
    if (marks?.test(text)) bits |= 1 << nth;
  });
  return bits;
}
