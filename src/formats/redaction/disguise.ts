/** A text without disguised characters, with a mapping to the original. */
export interface View {
  text: string;
  /** Position in the original of the character at an offset, or of the end. */
  startOf(at: number): number;
}

/** Builds a view from parts of the original, in order. */
export class ViewBuilder {
  readonly #parts: string[] = [];
  /** Start of each part, in the view and in the original. */
  readonly #from: number[] = [];
  readonly #origin: number[] = [];
  #length = 0;

  /** `origin`: position of the part in the original. */
  add(part: string, origin: number): void {
    if (part === '') return;
    this.#parts.push(part);
    this.#from.push(this.#length);
    this.#origin.push(origin);
    this.#length += part.length;
  }

  /** `end`: the length of the original. */
  build(end: number): View {
    const [from, origin, length] = [this.#from, this.#origin, this.#length];
    return {
      text: this.#parts.join(''),
      startOf: (at) => {
        if (at >= length) return end;
        const part = lastAtMost(from, at);
        return origin[part]! + at - from[part]!;
      },
    };
  }
}

/** The index of the last of the ascending numbers that is at most `limit`. */
function lastAtMost(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (numbers[middle]! <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

const PERCENT = 37;
const BACKSLASH = 92;

/**
 * Invisible characters (NUL, zero-width, soft hyphen, direction, variation selectors, tags), full-width and mathematical
 * letters, and letters written as `%73`, `\u0073` or `\x73`.
 */
const DISGUISED =
  /\0|[\u034f]|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u00ad\u061c\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\uff01-\uff5e]|\ud835[\udc00-\udfff]|\udb40[\udc00-\udc7f]|%[2-7][0-9A-Fa-f]|\\u00[2-7][0-9A-Fa-f]|\\x[2-7][0-9A-Fa-f]/;
const EACH_DISGUISED = new RegExp(DISGUISED.source, 'g');

export function isDisguised(text: string): boolean {
  return DISGUISED.test(text);
}

/** The text without its disguise. */
export function undisguise(text: string): View {
  const view = new ViewBuilder();
  let from = 0;
  EACH_DISGUISED.lastIndex = 0;
  for (let match = EACH_DISGUISED.exec(text); match !== null; match = EACH_DISGUISED.exec(text)) {
    view.add(text.slice(from, match.index), from);
    view.add(meaningOf(match[0]), match.index);
    from = match.index + match[0].length;
  }
  view.add(text.slice(from), from);
  return view.build(text.length);
}

/** The ASCII character, or nothing for an invisible character. */
function meaningOf(disguised: string): string {
  const sign = disguised.charCodeAt(0);
  if (sign === PERCENT || sign === BACKSLASH) return String.fromCharCode(Number.parseInt(disguised.slice(-2), 16));
  const folded = disguised.normalize('NFKC');
  return /^[\x20-\x7e]$/.test(folded) ? folded : '';
}
