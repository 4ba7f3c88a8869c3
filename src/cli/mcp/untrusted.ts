import { plainText } from './plain-text.ts';

/** The member under which an answer keeps every word that a trace said. */
export const UNTRUSTED = 'untrusted';

/** Does this text try to give a model orders? */
export type LooksLikeOrders = (text: string) => boolean;

export interface Screened<Data> {
  /** The same answer, with nothing invisible left in it. */
  data: Data;
  /** JSON pointers (RFC 6901) of the texts that look like an injection. */
  flagged: string[];
  /** Whether this text, as it stands in `data`, was flagged. */
  isFlagged(text: string): boolean;
}

/** Looks at every text under a member `untrusted`, before what is hidden in it is taken out. */
export function screen<Data>(data: Data, looksLikeOrders: LooksLikeOrders): Screened<Data> {
  const flagged: string[] = [];
  const texts = new Set<string>();
  const judge = remembering(looksLikeOrders);

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

/** Nothing this short is an order. */
const SHORTEST_ORDER = 12;

/** Agents and titles repeat from row to row. */
function remembering(looksLikeOrders: LooksLikeOrders): LooksLikeOrders {
  const known = new Map<string, boolean>();
  return (text) => {
    if (text.length < SHORTEST_ORDER) return false;
    const before = known.get(text);
    if (before !== undefined) return before;
    const answer = looksLikeOrders(text);
    known.set(text, answer);
    return answer;
  };
}
