/** Longer texts are found by their length: hashing them costs about as much as a look at them. */
const LONGEST_HASHED = 256;
/** Texts of one length that are compared; of any more nothing is kept. */
const MOST_ALIKE = 16;

interface Entry<Value> {
  text: string;
  value: Value;
}

/** Values by text. Agents send the same texts again in each call, so most lookups of long texts hit. */
export class TextTable<Value> {
  readonly #short = new Map<string, Value>();
  readonly #long = new Map<number, Entry<Value>[]>();

  get(text: string): Value | undefined {
    if (text.length <= LONGEST_HASHED) return this.#short.get(text);
    const alike = this.#long.get(text.length);
    if (alike === undefined) return undefined;
    for (const entry of alike) if (entry.text === text) return entry.value;
    return undefined;
  }

  set(text: string, value: Value): void {
    if (text.length <= LONGEST_HASHED) {
      this.#short.set(text, value);
      return;
    }
    const alike = this.#long.get(text.length);
    if (alike === undefined) this.#long.set(text.length, [{ text, value }]);
    else if (alike.length < MOST_ALIKE) alike.push({ text, value });
  }
}
