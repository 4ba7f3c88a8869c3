import type { OutsideText } from './outside-texts.ts';
import type { Suspicion } from './scan.ts';
import { ACTION } from './vocabulary.ts';

export interface ScannedText {
  source: OutsideText;
  suspicions: readonly Suspicion[];
}

/** Characters after the marks of an attack in which its order stands. */
const ORDER_REACH = 400;
const FLAGGED = 0.45;
const REQUEST =
  /\b(?:please|kindly|can you|could you|i need you to|i want you to|i'd like you to|you (?:must|should|need to))\b/gi;
const REQUESTS_READ = 40;
/** An order without a please, at the beginning of a line or a value. */
const IMPERATIVE = /(?:^|\n|["'`>:] ?)([A-Z][a-z]{2,12}) (?=[a-z0-9])/g;

/** A part of a text that asks for something to be done. */
export interface Order {
  start: number;
  end: number;
  text: string;
  words: Set<string>;
  /** True where the text was suspicious by its wording, not only by asking for something. */
  isFlagged: boolean;
}

/** The orders in a text: where it was suspicious by its wording; else, where `withRequests`, its plain requests. */
export function ordersIn({ source, suspicions }: ScannedText, withRequests: boolean): Order[] {
  const flagged = suspicions
    .filter(({ score }) => score >= FLAGGED)
    .flatMap((suspicion) => blocksOf(suspicion, source.text))
    .map((suspicion) => flaggedOrder(source.text, suspicion));
  if (flagged.length > 0 || !withRequests) return flagged;
  return [...source.text.matchAll(REQUEST), ...imperatives(source.text)]
    .slice(0, REQUESTS_READ)
    .map((match) => orderOf(source.text, match.index, sentenceEnd(source.text, match.index + match[0].length), false));
}

function imperatives(text: string): RegExpExecArray[] {
  return [...text.matchAll(IMPERATIVE)].filter((match) => ACTION.has(match[1]!.toLowerCase()));
}

/** An attack that stands in the text several times, block by block: what lies between two blocks is nobody's order. */
function blocksOf(suspicion: Suspicion, text: string): Suspicion[] {
  const hits = [...suspicion.hits].sort((a, b) => a.start - b.start);
  const blocks: Suspicion[] = [];
  let open: typeof hits = [];
  for (const hit of hits) {
    open.push(hit);
    if (!isClosing(text, hit)) continue;
    blocks.push(blockOf(suspicion, open));
    open = [];
  }
  return open.length === 0 ? blocks : [...blocks, blockOf(suspicion, open)];
}

function isClosing(text: string, { family, start }: Suspicion['hits'][number]): boolean {
  return family === 'fake_role' && /^(?:<\/|\[\/)/.test(text.slice(start, start + 2));
}

function blockOf(suspicion: Suspicion, hits: Suspicion['hits']): Suspicion {
  return { ...suspicion, hits, start: hits[0]!.start, end: hits.reduce((most, { end }) => Math.max(most, end), 0) };
}

/** From shortly before the marks of the attack to its closing mark, or to the end of the value it stands in. */
function flaggedOrder(text: string, { start, end, hits }: Suspicion): Order {
  const isClosed = hits.some((hit) => hit.end === end && hit.family === 'fake_role');
  const from = lineStart(text, start);
  if (isClosed && end - start > 60) return orderOf(text, from, end, true);
  const after = text.slice(end, end + ORDER_REACH);
  const close = after.search(/<\/|\[\/|["'][,}\]]|\n-/);
  return orderOf(text, from, end + (close === -1 ? after.length : close), true);
}

function lineStart(text: string, position: number): number {
  const before = text.slice(Math.max(0, position - 100), position);
  const edge = Math.max(
    before.lastIndexOf('\n'),
    before.lastIndexOf('. '),
    before.lastIndexOf("'"),
    before.lastIndexOf('"'),
  );
  return edge === -1 ? position : position - before.length + edge + 1;
}

function orderOf(text: string, start: number, end: number, isFlagged: boolean): Order {
  const piece = text.slice(start, end);
  return { start, end, text: piece, words: new Set(wordsOf(piece)), isFlagged };
}

function sentenceEnd(text: string, start: number): number {
  const limit = Math.min(text.length, start + 400);
  for (let index = start; index < limit; index += 1) {
    if (text[index] === '\n' || (/[.!?]/.test(text[index]!) && !/\w/.test(text[index + 1] ?? ' '))) return index + 1;
  }
  return limit;
}

/** An action verb within the first words: somebody is to do something. */
export function isRequest(text: string): boolean {
  return wordsOf(text)
    .slice(0, 6)
    .some((word) => ACTION.has(word));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z]+/g) ?? [];
}
