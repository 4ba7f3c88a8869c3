import type { Act } from './acts.ts';

/** The words and numbers of each act, as ids, and where in the run each was first and last said. */
export interface WordFlow {
  /** Distinct words of each act in order of appearance. */
  words: readonly Uint32Array[];
  /** Running words of each act, repeats counted. */
  wordCounts: readonly number[];
  /** Act that said the word first; -1 where the task or a prompt brought it. */
  firstSaid: Int32Array;
  lastSaid: Int32Array;
  isNumber: Uint8Array;
  isInTask: Uint8Array;
  taskSize: number;
}

/** Letters or digits of any script; a number keeps its separators, so that 1,234.5 is one. */
const WORD = /\p{N}+(?:[.,:]\p{N}+)*|[\p{L}\p{N}_]+/gu;

/** One pass over all texts; time and memory grow with the characters of the acts. */
export function wordFlow(acts: readonly Act[], task: string | null): WordFlow {
  const ids = new Map<string, number>();
  const first: number[] = [];
  const last: number[] = [];
  const numbers: number[] = [];
  const read = (text: string, act: number): { distinct: Uint32Array; count: number } => {
    const seen = new Set<number>();
    let count = 0;
    for (const [word] of text.toLowerCase().matchAll(WORD)) {
      count += 1;
      let id = ids.get(word);
      if (id === undefined) {
        id = ids.size;
        ids.set(word, id);
        first.push(act);
        last.push(-1);
        numbers.push(/^\p{N}/u.test(word) ? 1 : 0);
      }
      seen.add(id);
    }
    return { distinct: Uint32Array.from(seen), count };
  };
  const taskWords = read((task ?? '').slice(0, TASK_LIMIT), -1).distinct;
  const words: Uint32Array[] = [];
  const wordCounts: number[] = [];
  acts.forEach((act, index) => {
    if (act.given !== '') read(act.given, -1);
    const { distinct, count } = read(act.said, index);
    for (const id of distinct) last[id] = index;
    words.push(distinct);
    wordCounts.push(count);
  });
  const isInTask = new Uint8Array(ids.size);
  for (const id of taskWords) isInTask[id] = 1;
  return {
    words,
    wordCounts,
    firstSaid: Int32Array.from(first),
    lastSaid: Int32Array.from(last),
    isNumber: Uint8Array.from(numbers),
    isInTask,
    taskSize: taskWords.length,
  };
}

const TASK_LIMIT = 8000;

/** Jaccard similarity of neighbouring acts' words; `marks` is a scratch array as long as the vocabulary. */
export function similarity(a: Uint32Array, b: Uint32Array, marks: Uint32Array, stamp: number): number {
  if (a.length === 0 || b.length === 0) return 0;
  for (const id of a) marks[id] = stamp;
  let shared = 0;
  for (const id of b) if (marks[id] === stamp) shared += 1;
  return shared / (a.length + b.length - shared);
}
