/** Words numbered in order of appearance. They are looked up by position in a text, without creating a substring. */
export class WordTable {
  readonly #words: string[] = [];
  readonly #hashes: number[] = [];
  /** Numbers plus one, 0 if free. A word is stored at its hash or at the next free slot. */
  #places = new Int32Array(1024);

  /** The number of the word between `start` and `end`, whose hash is `hash`; -1 if it is unknown. */
  find(text: string, start: number, end: number, hash: number): number {
    const mask = this.#places.length - 1;
    for (let place = mixedHash(hash) & mask; ; place = (place + 1) & mask) {
      const id = this.#places[place]! - 1;
      if (id < 0) return -1;
      if (this.#hashes[id] !== hash) continue;
      const word = this.#words[id]!;
      if (word.length === end - start && text.startsWith(word, start)) return id;
    }
  }

  /** Assigns a number to a word that `find` did not know. */
  add(word: string, hash: number): number {
    const id = this.#words.length;
    this.#words.push(word);
    this.#hashes.push(hash);
    if (2 * this.#words.length > this.#places.length) this.#grow();
    else this.#place(id);
    return id;
  }

  #grow(): void {
    this.#places = new Int32Array(2 * this.#places.length);
    for (let id = 0; id < this.#words.length; id += 1) this.#place(id);
  }

  #place(id: number): void {
    const mask = this.#places.length - 1;
    let place = mixedHash(this.#hashes[id]!) & mask;
    while (this.#places[place] !== 0) place = (place + 1) & mask;
    this.#places[place] = id + 1;
  }
}

/** Mixes the hash, because its low bits are weak. */
function mixedHash(hash: number): number {
  return hash ^ (hash >>> 15);
}
