/** Longer texts are looked up by length: hashing them would cost about as much as testing them. */
const LONGEST_HASHED = 256;
/** Limit for texts of one length; further texts are not cached. */
const MOST_ALIKE = 16;

interface Entry<Value> {
  text: string;
  value: Value;
}

/** Values by text. Agents repeat the same texts in each call, so most lookups of long texts hit. */
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
