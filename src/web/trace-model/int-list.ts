const FIRST_CAPACITY = 16;

/** A growable list of 32-bit integers. */
export class IntList {
  length = 0;
  #items = new Int32Array(FIRST_CAPACITY);

  push(item: number): void {
    if (this.length === this.#items.length) {
      const larger = new Int32Array(this.#items.length * 2);
      larger.set(this.#items);
      this.#items = larger;
    }
    this.#items[this.length++] = item;
  }

  /** Copies the items. */
  toArray(): Int32Array {
    return this.#items.slice(0, this.length);
  }
}
