/** Number of neighbours on each side to compare an act with. */
const WINDOW = 5;

/** Jaccard similarity of each act's words to those of its neighbours. */
export interface Similarity {
  previous: number;
  next: number;
  /** To the nearest earlier act of the same agent, within the window. */
  ownLast: number;
  past: number;
  later: number;
}

/** Time is proportional to the number of words times the window, which is constant. */
export function similarities(
  words: readonly Uint32Array[],
  agents: readonly string[],
  vocabulary: number,
): Similarity[] {
  const marks = new Int32Array(vocabulary).fill(-1);
  const found = words.map(() => ({ previous: 0, next: 0, ownLast: 0, past: 0, later: 0 }));
  words.forEach((own, index) => {
    for (const id of own) marks[id] = index;
    let hasOwnLast = false;
    for (let other = index - 1; other >= Math.max(0, index - WINDOW); other -= 1) {
      const similarity = jaccard(own.length, words[other]!, marks, index);
      const [late, early] = [found[index]!, found[other]!];
      late.past = Math.max(late.past, similarity);
      early.later = Math.max(early.later, similarity);
      if (other === index - 1) [late.previous, early.next] = [similarity, similarity];
      if (!hasOwnLast && agents[other] === agents[index]) [hasOwnLast, late.ownLast] = [true, similarity];
    }
  });
  return found;
}

function jaccard(size: number, others: Uint32Array, marks: Int32Array, mark: number): number {
  let shared = 0;
  for (const id of others) if (marks[id] === mark) shared += 1;
  const union = size + others.length - shared;
  return union === 0 ? 0 : shared / union;
}
