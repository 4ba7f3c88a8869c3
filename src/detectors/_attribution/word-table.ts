/** Words by number in order of appearance, found by a place in a text without cutting the word out of it. */
export class WordTable {
  readonly #words: string[] = [];
  readonly #hashes: number[] = [];
  /** Numbers plus one, 0 where free; a word stands at its hash or at the next free place. */
  #places = new Int32Array(1024);

  /** The number of the word between `start` and `end`, whose hash is `hash`; -1 where it is new. */
  find(text: string, start: number, end: number, hash: number): number {
    const mask = this.#places.length - 1;
    for (let place = mixed(hash) & mask; ; place = (place + 1) & mask) {
      const id = this.#places[place]! - 1;
      if (id < 0) return -1;
      if (this.#hashes[id] !== hash) continue;
      const word = this.#words[id]!;
      if (word.length === end - start && text.startsWith(word, start)) return id;
    }
  }

  /** The number of a word that `find` did not know. */
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
    let place = mixed(this.#hashes[id]!) & mask;
    while (this.#places[place] !== 0) place = (place + 1) & mask;
    this.#places[place] = id + 1;
  }
}

/** The low bits of the hash are weak. */
function mixed(hash: number): number {
  return hash ^ (hash >>> 15);
}
