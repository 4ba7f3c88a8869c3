import { isJoined, letterOf } from './letters.ts';
import { bucketOf, isPrefilterMark, OPENING, PRIME, pairBucket, SEED, secondBucket } from './prefilter.ts';
import type { ReadLine } from './reading-memo.ts';

/** Limit for the characters in a stream, which bounds the memory for a long text. */
export const MAX_STREAM_LENGTH = 1 << 16;

/** Words and marks of a text in order, as the prefilter reads them, with cumulative sums of their weights. */
export class TokenStream {
  length = 0;
  /** Start of each token. */
  readonly starts = new Int32Array(MAX_STREAM_LENGTH + 1);
  /** Hash of each word; 0 for a mark. */
  readonly #words = new Int32Array(MAX_STREAM_LENGTH + 1);
  /** Cumulative sum of the weights before each token, and cumulative number of features. */
  readonly #sums = new Int32Array(MAX_STREAM_LENGTH + 1);
  readonly #counts = new Int32Array(MAX_STREAM_LENGTH + 1);
  #weights: Int8Array = new Int8Array();
  #before = OPENING;

  clear(weights: Int8Array): void {
    this.length = 0;
    this.#weights = weights;
    this.#before = OPENING;
  }

  addText(text: string, start: number, end: number): void {
    eachToken(text, start, end, (at, word, bucket) => this.#add(at, word, this.#weights[bucket]!));
  }

  /** `start` is the start of the line in its text. */
  addLine(line: ReadLine, start: number): void {
    line.tokens ??= tokensIn(line.text);
    const { tokens } = line;
    for (let at = 0; at < tokens.length; at += 3)
      this.#add(start + tokens[at]!, tokens[at + 1]!, this.#weights[tokens[at + 2]!]!);
  }

  /** Sum of the weights of the tokens from `from` to `to`; the first one opens the piece. */
  sum(from: number, to: number): number {
    const inner = this.#sums[to]! - this.#sums[from]!;
    const first = this.#wordFrom(from, to);
    if (first === to) return inner;
    const opening = this.#words[first]!;
    const apart = this.#pair(OPENING, opening) - this.#pair(this.#wordBefore(first), opening);
    const second = this.#wordFrom(first + 1, to);
    return inner + apart + (second === to ? 0 : this.#weights[secondBucket(opening, this.#words[second]!)]!);
  }

  /** Number of features of these tokens, including the positional feature of the second word. */
  count(from: number, to: number): number {
    const first = this.#wordFrom(from, to);
    const hasSecond = first < to && this.#wordFrom(first + 1, to) < to;
    return this.#counts[to]! - this.#counts[from]! + (hasSecond ? 1 : 0);
  }

  #wordFrom(from: number, to: number): number {
    let at = from;
    while (at < to && this.#words[at] === 0) at += 1;
    return at;
  }

  #wordBefore(index: number): number {
    let at = index - 1;
    while (at >= 0 && this.#words[at] === 0) at -= 1;
    return at < 0 ? OPENING : this.#words[at]!;
  }

  #pair(before: number, word: number): number {
    return this.#weights[pairBucket(before, word)]!;
  }

  #add(start: number, word: number, weight: number): void {
    const at = this.length;
    const isWord = word !== 0;
    this.starts[at] = start;
    this.#words[at] = word;
    this.#sums[at + 1] = this.#sums[at]! + weight + (isWord ? this.#pair(this.#before, word) : 0);
    this.#counts[at + 1] = this.#counts[at]! + (isWord ? 2 : 1);
    if (isWord) this.#before = word;
    this.length += 1;
  }
}

/** Whether a word continues over this position. */
export function isInsideWord(text: string, at: number): boolean {
  if (at === 0 || at >= text.length) return false;
  const [before, after] = [letterOf(text.charCodeAt(at - 1)), letterOf(text.charCodeAt(at))];
  return before !== 0 && after !== 0 && isJoined(before) && isJoined(after);
}

/** Position, hash and bucket of each token. */
function tokensIn(line: string): Int32Array {
  const tokens: number[] = [];
  eachToken(line, 0, line.length, (start, word, bucket) => tokens.push(start, word, bucket));
  return Int32Array.from(tokens);
}

function eachToken(
  text: string,
  from: number,
  end: number,
  take: (start: number, word: number, bucket: number) => void,
): void {
  let [word, start] = [0, from];
  for (let index = from; index <= end; index += 1) {
    const unit = index < end ? text.charCodeAt(index) : 32;
    const letter = letterOf(unit);
    if (letter !== 0 && isJoined(letter)) {
      if (word === 0) start = index;
      word = Math.imul((word === 0 ? SEED : word) ^ letter, PRIME);
      continue;
    }
    if (word !== 0) take(start, word, bucketOf(word));
    word = 0;
    if (letter !== 0) {
      const own = Math.imul(SEED ^ letter, PRIME);
      take(index, own, bucketOf(own));
    } else if (isPrefilterMark(unit)) take(index, 0, bucketOf(unit));
  }
}
