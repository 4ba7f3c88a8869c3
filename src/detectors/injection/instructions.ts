import type { Suspicion } from './scan.ts';
import type { ScoredText } from './scored-texts.ts';
import { TEXT_FIRING_SCORE } from './text-firing.ts';
import { ACTION } from './vocabulary.ts';

/** Number of characters after the marks of an attack that contain its instruction. */
const INSTRUCTION_CHARACTERS = 400;
const MIN_MARKED_SCORE = 0.45;

/** A suspicious part of a text that may contain an instruction. */
export interface Instruction {
  start: number;
  end: number;
  text: string;
  words: Set<string>;
  /** Whether the rules found it; else only the text model did, which also finds plain requests. */
  isMarked: boolean;
}

/** The suspicious parts of a text. Plain requests that neither rules nor model suspect are part of ordinary work. */
export function instructionsIn({ source, suspicions, place }: ScoredText): Instruction[] {
  const marked = suspicions
    .filter(({ score }) => score >= MIN_MARKED_SCORE)
    .flatMap((suspicion) => blocksOf(suspicion, source.text))
    .map((suspicion) => instructionAt(source.text, suspicion, true));
  if (marked.length > 0 || place === null || place.probability < TEXT_FIRING_SCORE) return marked;
  return [instructionAt(source.text, { ...place, hits: [] }, false)];
}

/** Blocks of an attack that occurs several times in the text; the text between two blocks is not part of the instruction. */
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

/** From shortly before the marks of the attack to its closing mark, or to the end of the enclosing value. */
function instructionAt(
  text: string,
  { start, end, hits }: Pick<Suspicion, 'start' | 'end' | 'hits'>,
  isMarked: boolean,
) {
  const isClosed = hits.some((hit) => hit.end === end && hit.family === 'fake_role');
  const from = lineStart(text, start);
  if (isClosed && end - start > 60) return instructionOf(text, from, end, isMarked);
  const after = text.slice(end, end + INSTRUCTION_CHARACTERS);
  const close = after.search(/<\/|\[\/|["'][,}\]]|\n-/);
  return instructionOf(text, from, end + (close === -1 ? after.length : close), isMarked);
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

function instructionOf(text: string, start: number, end: number, isMarked: boolean): Instruction {
  const piece = text.slice(start, end);
  return { start, end, text: piece, words: new Set(wordsOf(piece)), isMarked };
}

/** Whether one of its words is an action verb. */
export function hasAction({ words }: Instruction): boolean {
  return [...words].some((word) => ACTION.has(word));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z]+/g) ?? [];
}
