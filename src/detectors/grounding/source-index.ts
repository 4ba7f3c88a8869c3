import { splitSentences } from './sentences.ts';
import { type Token, tokenize } from './tokens.ts';

/** What is looked up in the sources, built once for any number of answer sentences. Texts of `n` characters take O(n). */
export interface SourceIndex {
  /** Number of a token key; keys the sources lack have none. */
  ids: ReadonlyMap<string, number>;
  /** Sentences (ascending, over all sources) that hold a content token, by its number. */
  sentencesOf: readonly (readonly number[])[];
  /** Positions of a content token among all tokens, ascending, at most `POSITIONS_LIMIT` of them, by its number. */
  positionsOf: readonly (readonly number[])[];
  /** First token of each sentence, and the end of the last. */
  sentenceStarts: readonly number[];
  tokens: readonly Token[];
  bigrams: ReadonlySet<number>;
  trigrams: ReadonlySet<number>;
  characters: CharacterGrams;
  /** Values said by numbers, scale words (`million`) applied. */
  numbers: ReadonlySet<number>;
}

const POSITIONS_LIMIT = 64;
const ID_BITS = 2 ** 17;

export function bigramKey(a: number, b: number): number {
  return a * ID_BITS + b;
}

export function trigramKey(a: number, b: number, c: number): number {
  return (a * ID_BITS + b) * ID_BITS + c;
}

export function indexSources(sources: readonly string[]): SourceIndex {
  const ids = new Map<string, number>();
  const sentencesOf: number[][] = [];
  const positionsOf: number[][] = [];
  const sentenceStarts: number[] = [];
  const tokens: Token[] = [];
  const bigrams = new Set<number>();
  const trigrams = new Set<number>();
  const characters = new CharacterGrams(sources.reduce((sum, source) => sum + source.length, 0));
  for (const sentence of sources.flatMap(splitSentences)) {
    const at = sentenceStarts.length;
    sentenceStarts.push(tokens.length);
    let [before, before2] = [-1, -1];
    for (const token of tokenize(sentence.text)) {
      let id = ids.get(token.key);
      if (id === undefined) {
        id = Math.min(ids.size, ID_BITS - 1);
        ids.set(token.key, id);
        sentencesOf[id] ??= [];
        positionsOf[id] ??= [];
      }
      if (before >= 0) bigrams.add(bigramKey(before, id));
      if (before2 >= 0) trigrams.add(trigramKey(before2, before, id));
      [before2, before] = [before, id];
      if (!token.isStop && sentencesOf[id]!.at(-1) !== at) sentencesOf[id]!.push(at);
      if (!token.isStop && positionsOf[id]!.length < POSITIONS_LIMIT) positionsOf[id]!.push(tokens.length);
      tokens.push(token);
      characters.add(token.raw);
    }
  }
  sentenceStarts.push(tokens.length);
  const numbers = new Set(tokens.flatMap((token) => (token.number === null ? [] : [token.number])));
  return { ids, sentencesOf, positionsOf, sentenceStarts, tokens, bigrams, trigrams, characters, numbers };
}

/** Which runs of four characters occur inside words (with their ends); a bit each, so a false hit is rare but possible. */
export class CharacterGrams {
  readonly bits: Uint8Array;
  readonly mask: number;

  constructor(length: number) {
    const size = 2 ** Math.min(24, Math.max(12, Math.ceil(Math.log2(length * 16 + 1))));
    this.bits = new Uint8Array(size >>> 3);
    this.mask = size - 1;
  }

  add(word: string): void {
    for (const hash of gramHashes(word)) this.bits[(hash & this.mask) >>> 3]! |= 1 << (hash & 7);
  }

  /** How many of the word's grams are known, and how many it has. */
  count(word: string): { known: number; all: number } {
    const hashes = gramHashes(word);
    const known = hashes.filter((hash) => (this.bits[(hash & this.mask) >>> 3]! & (1 << (hash & 7))) !== 0).length;
    return { known, all: hashes.length };
  }
}

function gramHashes(word: string): number[] {
  const text = ` ${word.toLowerCase()} `;
  const hashes: number[] = [];
  const last = Math.max(1, text.length - 3);
  for (let index = 0; index < last; index += 1) {
    let hash = 0x811c9dc5;
    for (let at = index; at < Math.min(index + 4, text.length); at += 1)
      hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hashes.push((hash ^ (hash >>> 15)) >>> 0);
  }
  return hashes;
}
