import { plainText } from './plain-text.ts';

/** The member that holds all text from a trace. */
export const UNTRUSTED = 'untrusted';

/** Whether a text tries to give a model instructions. */
export type IsInjection = (text: string) => boolean;

export interface Screened<Data> {
  /** The result without invisible characters. */
  data: Data;
  /** JSON pointers (RFC 6901) of the texts that look like an injection. */
  flagged: string[];
  /** Whether this text, as in `data`, was flagged. */
  isFlagged(text: string): boolean;
}

/** Checks every text under a member `untrusted`, before invisible characters are removed. */
export function screen<Data>(data: Data, looksLikeInstructions: IsInjection): Screened<Data> {
  const flagged: string[] = [];
  const texts = new Set<string>();
  const judge = memoized(looksLikeInstructions);

  function walk(value: unknown, path: string, isUntrusted: boolean): unknown {
    if (typeof value === 'string') return text(value, path, isUntrusted);
    if (Array.isArray(value)) return value.map((item, index) => walk(item, `${path}/${index}`, isUntrusted));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        walk(item, `${path}/${name}`, isUntrusted || name === UNTRUSTED),
      ]),
    );
  }

  function text(raw: string, path: string, isUntrusted: boolean): string {
    const plain = plainText(raw);
    if (isUntrusted && judge(raw)) {
      flagged.push(path);
      texts.add(plain);
    }
    return plain;
  }

  return { data: walk(data, '', false) as Data, flagged, isFlagged: (plain) => texts.has(plain) };
}

/** Shorter texts are not checked, because they cannot contain an instruction. */
const MIN_INSTRUCTION_CHARACTERS = 12;

/** Each text is checked once, because names of agents and titles repeat in a list. */
function memoized(looksLikeInstructions: IsInjection): IsInjection {
  const known = new Map<string, boolean>();
  return (text) => {
    if (text.length < MIN_INSTRUCTION_CHARACTERS) return false;
    const before = known.get(text);
    if (before !== undefined) return before;
    const answer = looksLikeInstructions(text);
    known.set(text, answer);
    return answer;
  };
}
