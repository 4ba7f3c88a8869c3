import type { Act } from './acts.ts';
import { eachWordPlace, isNumberWord } from './tokens.ts';
import { WordTable } from './word-table.ts';
import { markWordings, wordingsOf } from './wording.ts';

/** The words and numbers of each act as ids, with their first and last occurrence in the run. */
export interface WordFlow {
  /** Distinct words of each act in order of appearance. */
  words: readonly Uint32Array[];
  /** Number of words of each act, including repetitions. */
  wordCounts: readonly number[];
  /** Wordings of each act as bits. */
  wordings: readonly number[];
  /** First act that used the word; -1 if the task or a prompt introduced it. */
  firstUsed: Int32Array;
  lastUsed: Int32Array;
  isNumber: Uint8Array;
  isInTask: Uint8Array;
  taskSize: number;
}

const TASK_LIMIT = 8000;

/** One pass over all texts; time and memory are proportional to the length of the acts. */
export function wordFlow(acts: readonly Act[], task: string | null): WordFlow {
  const vocabulary = new Vocabulary();
  const taskWords = vocabulary.read((task ?? '').slice(0, TASK_LIMIT), -1).distinct;
  const readings = acts.map((act, index) => {
    vocabulary.readInput(act.given);
    return vocabulary.read(act.output, index);
  });
  const isInTask = new Uint8Array(vocabulary.firstUsed.length);
  for (const id of taskWords) isInTask[id] = 1;
  return {
    words: readings.map(({ distinct }) => distinct),
    wordCounts: readings.map(({ count }) => count),
    wordings: readings.map(({ wordings }, index) => wordings | markWordings(acts[index]!.output)),
    firstUsed: new Int32Array(vocabulary.firstUsed),
    lastUsed: new Int32Array(vocabulary.lastUsed),
    isNumber: new Uint8Array(vocabulary.isNumber),
    isInTask,
    taskSize: taskWords.length,
  };
}

class Vocabulary {
  readonly firstUsed: number[] = [];
  readonly lastUsed: number[] = [];
  readonly isNumber: number[] = [];
  readonly #table = new WordTable();
  /** Texts already read. The output of one act is the input of the next. */
  readonly #texts = new Set<string>();
  readonly #wordings: number[] = [];
  /** Number of the reading in which each word last occurred. */
  readonly #met: number[] = [];
  #readings = 0;

  /** Reads the input of an act. Its words are known from then on. */
  readInput(text: string): void {
    if (text !== '' && !this.#texts.has(text)) this.read(text, -1);
  }

  /** `act` is -1 for texts outside the acts. */
  read(text: string, act: number): { distinct: Uint32Array; count: number; wordings: number } {
    this.#readings += 1;
    this.#texts.add(text);
    const lower = text.toLowerCase();
    const distinct: number[] = [];
    let count = 0;
    let wordings = 0;
    eachWordPlace(lower, (start, end, hash) => {
      count += 1;
      const id = this.#idOf(lower, start, end, hash, act);
      if (this.#met[id] === this.#readings) return;
      this.#met[id] = this.#readings;
      distinct.push(id);
      wordings |= this.#wordings[id]!;
      if (act >= 0) this.lastUsed[id] = act;
    });
    return { distinct: new Uint32Array(distinct), count, wordings };
  }

  #idOf(text: string, start: number, end: number, hash: number, act: number): number {
    const known = this.#table.find(text, start, end, hash);
    if (known >= 0) return known;
    const word = text.slice(start, end);
    const id = this.#table.add(word, hash);
    this.firstUsed.push(act);
    this.lastUsed.push(-1);
    this.isNumber.push(isNumberWord(word) ? 1 : 0);
    this.#wordings.push(wordingsOf(word));
    this.#met.push(0);
    return id;
  }
}
