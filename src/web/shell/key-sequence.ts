/** The members of a keyboard event that identify the key. */
interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** The name of a key press in shortcuts: `e`, `?`, `Escape`, `Mod+k`. Null for a shortcut of the browser. */
export function keyName({ key, ctrlKey, metaKey, altKey }: KeyPress): string | null {
  if (key === 'k' && (ctrlKey || metaKey) && !altKey) return 'Mod+k';
  return ctrlKey || metaKey || altKey ? null : key;
}

/** Maximum delay between the keys of `g i`. */
const SEQUENCE_MS = 1_500;

/** Recognises shortcuts of one key (`e`) and of two (`g i`). */
export class KeySequence {
  #first: { key: string; at: number } | null = null;

  /**
   * @param isKnown names of all shortcuts
   * @param timeMs time of the press
   * @returns the shortcut that this press completes, or null
   */
  press(key: string, isKnown: (name: string) => boolean, timeMs: number): string | null {
    const first = this.#first;
    this.#first = null;
    if (first && timeMs - first.at <= SEQUENCE_MS && isKnown(`${first.key} ${key}`)) return `${first.key} ${key}`;
    if (isKnown(key)) return key;
    this.#first = { key, at: timeMs };
    return null;
  }
}
