import { type View, ViewBuilder } from './disguise.ts';
import { findKeys, MAX_PART_LENGTH, mayEndInKey } from './key-finder.ts';
import { RUN_CHARACTERS } from './long-runs.ts';
import type { Secret } from './pattern.ts';

/** A line break within a token, also as a JSON escape, with a continuation character and the next line's indentation. */
const BREAK = /\\?(?:\r?\n|\\r\\n|\\n)[ \t]{0,24}/y;
const RETURN = 13;
const BACKSLASH = 92;

/** Tokens that are broken over several lines. A token continues after a break if the next line contains only its rest. */
export function findWrappedKeys(text: string): Secret[] {
  const breaks = breaksInKeys(text);
  if (breaks.length === 0) return [];
  const view = withoutBreaks(text, breaks);
  return findKeys(view.text).flatMap(({ start, end, kind }) => {
    const range = { start: view.startOf(start), end: view.startOf(end - 1) + 1, kind: kind! };
    const isBroken = breaks.some((each) => each.start > range.start && each.end < range.end);
    return isBroken ? [range] : [];
  });
}

interface Break {
  start: number;
  end: number;
}

function breaksInKeys(text: string): Break[] {
  return [...breaksAt(text, '\n'), ...breaksAt(text, '\\n')].sort((a, b) => a.start - b.start);
}

/** `sign`: a line break, or its JSON escape. */
function breaksAt(text: string, sign: string): Break[] {
  const found: Break[] = [];
  // A token from an earlier line continues through further breaks.
  let keyStart = -1;
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) {
    // Most breaks are next to spaces, symbols and words.
    if (at === 0 || !mayEndPart(text.charCodeAt(at - 1))) continue;
    const breakStart = startOfBreak(text, at);
    const start = runBefore(text, breakStart);
    if (start === breakStart) continue;
    const continues = keyStart !== -1 && start <= keyStart && keyStart < breakStart;
    if (!continues && !mayEndInKey(text, start, breakStart)) continue;
    BREAK.lastIndex = breakStart;
    const match = BREAK.exec(text);
    if (match === null) continue;
    const end = match.index + match[0].length;
    const rest = runAfter(text, end);
    if (!looksLikeRest(text.slice(end, rest), text.charAt(rest))) continue;
    found.push({ start: breakStart, end });
    keyStart = end;
  }
  return found;
}

function mayEndPart(code: number): boolean {
  return RUN_CHARACTERS[code] === 1 || code === RETURN || code === BACKSLASH;
}

/** A preceding carriage return or continuation character belongs to the break. */
function startOfBreak(text: string, at: number): number {
  let start = at;
  if (text.charCodeAt(start - 1) === RETURN) start -= 1;
  else if (text.startsWith('\\r', start - 2)) start -= 2;
  return text.charCodeAt(start - 1) === BACKSLASH ? start - 1 : start;
}

function runBefore(text: string, end: number): number {
  let start = end;
  while (start > 0 && end - start < MAX_PART_LENGTH && RUN_CHARACTERS[text.charCodeAt(start - 1)] === 1) start -= 1;
  return start;
}

function runAfter(text: string, start: number): number {
  let end = start;
  while (end < text.length && end - start < MAX_PART_LENGTH && RUN_CHARACTERS[text.charCodeAt(end)] === 1) end += 1;
  return end;
}

/** Letters mixed with digits or inner capitals, followed by the end of the line, the text or a quotation. */
function looksLikeRest(rest: string, next: string): boolean {
  if (rest.length < 4 || !(next === '' || /[\s"'`\\,;)}\]]/.test(next))) return false;
  return /\d/.test(rest)
    ? /[A-Za-z]/.test(rest) || rest.length >= 12
    : /[a-z][A-Z]+[a-z]/.test(rest) && rest.length >= 8;
}

function withoutBreaks(text: string, breaks: readonly Break[]): View {
  const view = new ViewBuilder();
  let from = 0;
  for (const { start, end } of [...breaks, { start: text.length, end: text.length }]) {
    view.add(text.slice(from, start), from);
    from = end;
  }
  return view.build(text.length);
}
