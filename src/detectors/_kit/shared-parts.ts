import { cut, endOf, oneLine } from './text.ts';

/** How versions of one text differ: only after a shared part, only before one, or only between two. */
export interface SharedParts {
  /** The shared beginning, without the middle if it is long; empty if it is too short to name. */
  before: string;
  /** Beginning of the shared end; empty if it is too short to name. */
  after: string;
  /** The different texts in the place that varies, without the empty one. */
  varied: readonly string[];
}

/** Share of the shortest text that all have in common. */
const MIN_SHARE = 0.6;
const MIN_PART_LENGTH = 12;
/** Shorter texts need no summary. */
const MIN_TEXT_LENGTH = 40;
const SHOWN_CHARACTERS = 50;

/** Null if the texts have too little in common, or are equal. */
export function sharedParts(texts: readonly string[]): SharedParts | null {
  const lines = [...new Set(texts.map(oneLine))];
  const shortest = Math.min(...lines.map(({ length }) => length));
  const [first] = lines;
  if (first === undefined || lines.length < 2 || shortest < MIN_TEXT_LENGTH) return null;
  let head = 0;
  while (head < shortest && lines.every((line) => line[head] === first[head])) head += 1;
  let tail = 0;
  while (tail < shortest - head && lines.every((line) => line.at(-1 - tail) === first.at(-1 - tail))) tail += 1;
  if (head + tail < MIN_SHARE * shortest) return null;
  // Whole words.
  const start = head === shortest ? first.slice(0, head) : first.slice(0, head).replace(/\S{1,40}$/, '');
  const end = tail === 0 ? '' : first.slice(-tail).replace(/^\S{1,40}/, '');
  const before = start.length < MIN_PART_LENGTH ? '' : startAndEnd(start.trim());
  const after = end.length < MIN_PART_LENGTH ? '' : cut(end.trim(), SHOWN_CHARACTERS);
  const pieces = lines.map((line) => line.slice(start.length, line.length - end.length).trim());
  const varied = [...new Set(pieces)].filter((piece) => piece !== '');
  return before === '' && after === '' ? null : { before, after, varied };
}

function startAndEnd(text: string): string {
  return text.length <= 2 * SHOWN_CHARACTERS ? text : `${cut(text, SHOWN_CHARACTERS)} ${endOf(text, SHOWN_CHARACTERS)}`;
}
