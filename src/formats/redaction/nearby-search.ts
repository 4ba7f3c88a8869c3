/**
 * Positions at which an expression can match: every match contains a match of `core` that starts at most `reach` characters
 * after its own start.
 */
export interface NearbySearch {
  /** With the flag `g`. */
  core: RegExp;
  reach: number;
  /** Limit for the length of a match after the end of the core. */
  tail: number;
}

/** The same for a sticky expression. */
export interface NearbyStarts {
  core: RegExp;
  reach: number;
  /** Whether the expression can match at the offset; only such offsets are tried. */
  isStart(text: string, at: number): boolean;
}

/** The first match at or after `from`, as `regex.exec` returns it. `regex` looks back and ahead by at most one character. */
export function execNearby(
  regex: RegExp,
  near: NearbySearch | NearbyStarts,
  text: string,
  from: number,
): RegExpExecArray | null {
  const { core, reach } = near;
  core.lastIndex = from;
  for (let hit = core.exec(text); hit !== null; hit = core.exec(text)) {
    const start = Math.max(from, hit.index - reach);
    const match =
      'tail' in near
        ? matchWithin(regex, text, start, hit.index + hit[0].length + near.tail)
        : matchAtStart(regex, text, start, hit.index, near);
    // A match after the core belongs to a later one.
    if (match !== null && match.index <= hit.index) return match;
    core.lastIndex = hit.index + 1;
  }
  return null;
}

function matchWithin(regex: RegExp, text: string, start: number, end: number): RegExpExecArray | null {
  const sliceStart = Math.max(0, start - 1);
  regex.lastIndex = start - sliceStart;
  const match = regex.exec(text.slice(sliceStart, end + 1));
  if (match !== null) match.index += sliceStart;
  return match;
}

function matchAtStart(
  regex: RegExp,
  text: string,
  start: number,
  last: number,
  { isStart }: NearbyStarts,
): RegExpExecArray | null {
  for (let at = start; at <= last; at += 1) {
    if (!isStart(text, at)) continue;
    regex.lastIndex = at;
    const match = regex.exec(text);
    if (match !== null) return match;
  }
  return null;
}
