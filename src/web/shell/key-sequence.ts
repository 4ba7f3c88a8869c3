/** The members of a keyboard event that identify the key. */
interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** One key press as shortcuts name it: `e`, `?`, `Escape`, `Mod+k`. Null for a press that belongs to the browser. */
export function keyName({ key, ctrlKey, metaKey, altKey }: Press): string | null {
  if (key === 'k' && (ctrlKey || metaKey) && !altKey) return 'Mod+k';
  return ctrlKey || metaKey || altKey ? null : key;
}

/** How long the second key of `g i` may take. */
const SEQUENCE_MS = 1_500;

/** Recognises shortcuts of one key (`e`) and of two (`g i`). */
export class KeySequence {
  #first: { key: string; at: number } | null = null;

  /**
   * @param known names of all shortcuts
   * @param at milliseconds of a clock
   * @returns the shortcut that this press completes; null for none
   */
  press(key: string, known: (name: string) => boolean, at: number): string | null {
    const first = this.#first;
    this.#first = null;
    if (first && at - first.at <= SEQUENCE_MS && known(`${first.key} ${key}`)) return `${first.key} ${key}`;
    if (known(key)) return key;
    this.#first = { key, at };
    return null;
  }
}
