import { scaleOf } from './number-words.ts';
import { splitSentences } from './sentences.ts';
import { type Token, tokenize } from './tokens.ts';

/** Index of the sources, built once for any number of answer sentences. Takes O(n) for texts of `n` characters. */
export interface SourceIndex {
  /** Number of a token key; keys that do not occur in the sources have none. */
  ids: ReadonlyMap<string, number>;
  /** Sentences (ascending, over all sources) that contain a content token, by its number; the first `PLACES_LIMIT` of them. */
  sentencesOf: readonly (readonly number[])[];
  /** Positions of a content token among all tokens, ascending, by its number; the first `PLACES_LIMIT` of them. */
  positionsOf: readonly (readonly number[])[];
  /** First token of each sentence, and the end of the last one. */
  sentenceStarts: readonly number[];
  tokens: readonly Token[];
  bigrams: ReadonlySet<number>;
  trigrams: ReadonlySet<number>;
  characters: CharacterGrams;
  /** Values of numbers, with scale words (`million`) applied. */
  numbers: ReadonlySet<number>;
}

/** Later places of frequent words say little about location. They are omitted so that time stays linear. */
const PLACES_LIMIT = 64;
/** Three numbers below this limit fit into the 53 bits of an exact integer. */
const ID_LIMIT = 2 ** 17;

export function bigramKey(a: number, b: number): number {
  return a * ID_LIMIT + b;
}

export function trigramKey(a: number, b: number, c: number): number {
  return (a * ID_LIMIT + b) * ID_LIMIT + c;
}

export function indexSources(sources: readonly string[]): SourceIndex {
  const builder = new IndexBuilder(sources.reduce((sum, source) => sum + source.length, 0));
  for (const source of sources) for (const sentence of splitSentences(source)) builder.addSentence(sentence.text);
  return builder.finish();
}

class IndexBuilder {
  readonly ids = new Map<string, number>();
  readonly sentencesOf: number[][] = [];
  readonly positionsOf: number[][] = [];
  readonly sentenceStarts: number[] = [];
  readonly tokens: Token[] = [];
  readonly bigrams = new Set<number>();
  readonly trigrams = new Set<number>();
  readonly characters: CharacterGrams;
  private readonly words = new Set<string>();

  constructor(length: number) {
    this.characters = new CharacterGrams(length);
  }

  addSentence(text: string): void {
    const sentence = this.sentenceStarts.length;
    this.sentenceStarts.push(this.tokens.length);
    let [before, beforeThat] = [-1, -1];
    for (const token of tokenize(text)) {
      const id = this.idOf(token.key);
      if (before >= 0) this.bigrams.add(bigramKey(before, id));
      if (beforeThat >= 0) this.trigrams.add(trigramKey(beforeThat, before, id));
      [beforeThat, before] = [before, id];
      if (!token.isStop) this.addPlace(id, sentence);
      this.tokens.push(token);
      if (this.words.has(token.raw)) continue;
      this.words.add(token.raw);
      this.characters.add(token.raw);
    }
  }

  finish(): SourceIndex {
    this.sentenceStarts.push(this.tokens.length);
    const { words: _, ...index } = this;
    const numbers = new Set<number>();
    for (let at = 0; at < this.tokens.length; at += 1)
      if (this.tokens[at]!.number !== null) for (const value of valuesAt(this.tokens, at)) numbers.add(value);
    return { ...index, numbers };
  }

  /** Words beyond the limit share the last number. This is inaccurate but bounded. */
  private idOf(key: string): number {
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    const id = Math.min(this.ids.size, ID_LIMIT - 1);
    this.ids.set(key, id);
    this.sentencesOf[id] ??= [];
    this.positionsOf[id] ??= [];
    return id;
  }

  private addPlace(id: number, sentence: number): void {
    const [sentences, positions] = [this.sentencesOf[id]!, this.positionsOf[id]!];
    if (sentences.length < PLACES_LIMIT && sentences.at(-1) !== sentence) sentences.push(sentence);
    if (positions.length < PLACES_LIMIT) positions.push(this.tokens.length);
  }
}

function valuesAt(tokens: readonly Token[], at: number): number[] {
  const { number } = tokens[at]!;
  if (number === null) return [];
  const scale = scaleOf(tokens[at + 1]?.key);
  return scale === 1 ? [number] : [number, number * scale];
}

/** Set of the four-character runs inside words (with their ends), one bit each. A false positive is rare but possible. */
export class CharacterGrams {
  readonly bits: Uint8Array;
  readonly mask: number;

  constructor(length: number) {
    const size = 2 ** Math.min(24, Math.max(12, Math.ceil(Math.log2(length * 16 + 1))));
    this.bits = new Uint8Array(size >>> 3);
    this.mask = size - 1;
  }

  add(word: string): void {
    const text = ` ${word.toLowerCase()} `;
    for (let at = 0, last = gramCount(text); at < last; at += 1) {
      const hash = gramHash(text, at);
      this.bits[(hash & this.mask) >>> 3]! |= 1 << (hash & 7);
    }
  }

  /** Number of known grams of the word, and number of all its grams. */
  count(word: string): { known: number; all: number } {
    const text = ` ${word.toLowerCase()} `;
    const all = gramCount(text);
    let known = 0;
    for (let at = 0; at < all; at += 1) {
      const hash = gramHash(text, at);
      if ((this.bits[(hash & this.mask) >>> 3]! & (1 << (hash & 7))) !== 0) known += 1;
    }
    return { known, all };
  }
}

function gramCount(text: string): number {
  return Math.max(1, text.length - 3);
}

function gramHash(text: string, from: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < Math.min(from + 4, text.length); at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
