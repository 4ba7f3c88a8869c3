/** Longer texts are looked up by length: hashing them would cost about as much as testing them. */
const MAX_HASHED_LENGTH = 256;
/** Limit for texts of one length; further texts are not cached. */
const MAX_ALIKE = 16;

interface Entry<Value> {
  text: string;
  value: Value;
}

/** Values by text. Agents repeat the same texts in each call, so most lookups of long texts hit. */
export class TextTable<Value> {
  readonly #short = new Map<string, Value>();
  readonly #long = new Map<number, Entry<Value>[]>();

  get(text: string): Value | undefined {
    if (text.length <= MAX_HASHED_LENGTH) return this.#short.get(text);
    const sameLength = this.#long.get(text.length);
    if (sameLength === undefined) return undefined;
    for (const entry of sameLength) if (entry.text === text) return entry.value;
    return undefined;
  }

  set(text: string, value: Value): void {
    if (text.length <= MAX_HASHED_LENGTH) {
      this.#short.set(text, value);
      return;
    }
    const sameLength = this.#long.get(text.length);
    if (sameLength === undefined) this.#long.set(text.length, [{ text, value }]);
    else if (sameLength.length < MAX_ALIKE) sameLength.push({ text, value });
  }
}
