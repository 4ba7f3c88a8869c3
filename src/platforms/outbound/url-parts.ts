/** A part of a URL that is not allowed in a certain place. */
export type UrlPart = 'credentials' | 'query' | 'fragment';

/** Paths are appended to a base URL, so it has no query and no fragment; it is shown in messages, so it has no password. */
export const NOT_IN_BASE_URL: readonly UrlPart[] = ['credentials', 'query', 'fragment'];

/**
 * Works on the text, because a parsed URL does not show an empty query or fragment.
 * @returns the problem, without the URL, which may hold a password; null if the URL is accepted
 */
export function partProblem(text: string, refused: readonly UrlPart[]): string | null {
  const found = refused.find((part) => HAS[part](text));
  return found === undefined ? null : PROBLEM[found];
}

const HAS: Readonly<Record<UrlPart, (text: string) => boolean>> = {
  credentials: (text) => {
    const url = URL.parse(text);
    return url !== null && (url.username !== '' || url.password !== '');
  },
  query: (text) => (text.split('#')[0] ?? '').includes('?'),
  fragment: (text) => text.includes('#'),
};

const PROBLEM: Readonly<Record<UrlPart, string>> = {
  credentials: 'takes no user name and no password',
  query: 'takes no query',
  fragment: 'takes no fragment',
};
