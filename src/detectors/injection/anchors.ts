/**
 * A cheap search for words that every pattern requires. One pass over the characters, without copies. Words are compared by
 * a 32-bit hash: a collision causes an unnecessary closer look, never a miss.
 */
const TABLE_SIZE = 2048;

export class AnchorScanner {
  readonly #table = new Int32Array(TABLE_SIZE);

  constructor(words: Iterable<string>) {
    for (const word of words) this.#add(hashWord(word));
  }

  /** Start positions of anchor words, in order. */
  find(text: string): number[] {
    const found: number[] = [];
    let hash = SEED;
    let start = -1;
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      const letter = lowerLetter(unit);
      if (letter === 0) {
        if (start >= 0 && this.#has(hash)) found.push(start);
        start = -1;
        continue;
      }
      if (start < 0) {
        start = index;
        hash = SEED;
      }
      hash = Math.imul(hash ^ letter, PRIME);
    }
    if (start >= 0 && this.#has(hash)) found.push(start);
    return found;
  }

  #add(hash: number): void {
    let slot = hash & (TABLE_SIZE - 1);
    while (this.#table[slot] !== 0 && this.#table[slot] !== hash) slot = (slot + 1) & (TABLE_SIZE - 1);
    this.#table[slot] = hash;
  }

  #has(hash: number): boolean {
    let slot = hash & (TABLE_SIZE - 1);
    while (this.#table[slot] !== 0) {
      if (this.#table[slot] === hash) return true;
      slot = (slot + 1) & (TABLE_SIZE - 1);
    }
    return false;
  }
}

const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

function hashWord(word: string): number {
  let hash = SEED;
  for (let index = 0; index < word.length; index += 1)
    hash = Math.imul(hash ^ lowerLetter(word.charCodeAt(index)), PRIME);
  return hash;
}

/** Lower case of each Latin and Cyrillic letter by its code unit, 0 for everything else. */
const LOWER = new Uint16Array(0x450);
for (let unit = 97; unit <= 122; unit += 1) LOWER[unit] = LOWER[unit - 32] = unit;
for (let unit = 0xc0; unit <= 0xff; unit += 1) LOWER[unit] = unit | 32;
for (let unit = 0x430; unit <= 0x44f; unit += 1) LOWER[unit] = LOWER[unit - 32] = unit;

function lowerLetter(unit: number): number {
  return unit < 0x450 ? LOWER[unit]! : 0;
}
