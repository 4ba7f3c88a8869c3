import type { FamilyHit } from './families.ts';
import { HEAD_FEATURES } from './head-features.ts';
import { piecesOf, windowsOf } from './pieces.ts';
import { type Prefilter, prefilterScores } from './prefilter.ts';
import { prefilterOverlapping } from './prefilter-overlapping.ts';
import { ReadingMemo, remembered } from './reading-memo.ts';
import { type PieceModels, type PieceScore, scorePiece, windowLogit } from './score-piece.ts';
import type { Segment } from './segments.ts';

/** The parts of the text model that score single pieces. */
export interface Heads extends PieceModels {
  prefilter: Prefilter;
  /** Pieces with a lower prefilter score are not scored in full. */
  skimFloor: number;
}

/** A fully scored piece of a document, with features that show whether it belongs there. */
export interface Candidate extends Segment {
  features: Float64Array;
}

/** Features of the piece itself that distinguish kinds of requests. */
const MARKS = ['question', 'address', 'deed', 'deed_for_me', 'about_answer', 'for_me', 'to_you'] as const;
const MARK_PLACES = MARKS.map((mark) => HEAD_FEATURES.indexOf(mark));

export const CANDIDATE_FEATURES: readonly string[] = [
  'wording',
  'task',
  'skim',
  'skim_median',
  'skim_ninth_decile',
  'skim_best_other',
  'skim_rise',
  'pieces',
  'length',
  'foreign_words',
  'foreign_words_rise',
  'rules',
  'is_first',
  'is_last',
  'own_line',
  'own_value',
  'letters',
  'letters_rise',
  ...MARKS,
];

/** Limit for fully scored pieces per text: enough for a page of attacks, and a bound for a book. */
const MAX_SCORED_PIECES = 24;
const MAX_SCORED_WINDOWS = 40;

/** The pieces of a document that may be instructions for a model. */
export function candidatesOf(
  heads: Heads,
  text: string,
  hits: readonly FamilyHit[],
  memo: ReadingMemo = new ReadingMemo(),
): Candidate[] {
  const pieces = piecesIn(text, memo);
  const prefiltered = prefilterScores(heads.prefilter, text, pieces);
  const chosen = piecesToScore(pieces, prefiltered, heads.skimFloor, hits);
  if (chosen.length === 0) return [];
  const worthwhile = chosen.map((at) => scoreFully(heads, text, at, pieces[at]!, hits, memo)).filter(isWorthwhile);
  if (worthwhile.length === 0) return [];
  const norms = textNorms(text, pieces, prefiltered);
  return worthwhile.map((reading) => ({
    ...pieces[reading.at]!,
    features: Float64Array.from([
      reading.wording,
      reading.task,
      ...rankAmong(prefiltered[reading.at]!, norms),
      Math.log(pieces.length),
      Math.log(reading.piece.length),
      ...wordsAgainstNorms(reading.piece, norms),
      reading.rules,
      reading.at === 0 ? 1 : 0,
      reading.at === pieces.length - 1 ? 1 : 0,
      isOwnLine(text, pieces[reading.at]!) ? 1 : 0,
      valueShare(text, pieces[reading.at]!),
      ...lettersAgainstNorms(reading.piece, norms),
      ...MARK_PLACES.map((place) => reading.dense[place]!),
    ]),
  }));
}

function piecesIn(text: string, memo: ReadingMemo): Segment[] {
  const pieces: Segment[] = [];
  for (const { start: at, read } of memo.linesOf(text)) {
    read.pieces ??= piecesOf(read.text);
    for (const { start, end } of read.pieces) pieces.push({ start: start + at, end: end + at });
  }
  return pieces;
}

interface Reading extends PieceScore {
  at: number;
  piece: string;
  rules: number;
}

function scoreFully(
  heads: Heads,
  text: string,
  at: number,
  place: Segment,
  hits: readonly FamilyHit[],
  memo: ReadingMemo,
): Reading {
  const piece = text.slice(place.start, place.end);
  const own = hits.filter(({ start, end }) => end > place.start && start < place.end);
  const read = () => scorePiece(heads, piece, place, own);
  const known = own.length > 0 ? read() : remembered(memo.pieces, piece, read);
  return { ...known, at, piece, rules: rulesWeight(own) };
}

/** Log-odds below which a piece is not a request; a comparison with the rest of the text is then unnecessary. */
const TASK_FLOOR = -0.5;
const WORDING_FLOOR = -1.5;

function isWorthwhile({ wording, task, rules }: Reading): boolean {
  return task >= TASK_FLOOR || wording >= WORDING_FLOOR || rules > 0;
}

function rankAmong(own: number, { sorted }: TextNorms): number[] {
  const ninthDecile = othersAt(sorted, own, 0.9);
  return [own, othersAt(sorted, own, 0.5), ninthDecile, othersAt(sorted, own, 1), own - ninthDecile];
}

/** Value that this share of the other pieces stays below. A single piece is compared with a neutral piece. */
function othersAt(sorted: Float32Array, own: number, share: number): number {
  const others = sorted.length - 1;
  if (others === 0) return own - 3;
  const at = Math.min(others - 1, Math.floor(others * share));
  return sorted[at]! < own ? sorted[at]! : sorted[at + 1]!;
}

function wordsAgainstNorms(piece: string, norms: TextNorms): number[] {
  const unsharedWords = unsharedWordShare(piece, norms.counts);
  return [unsharedWords, unsharedWords - norms.unsharedWords];
}

function lettersAgainstNorms(piece: string, norms: TextNorms): number[] {
  const letters = letterShare(piece);
  return [letters, letters - norms.letters];
}

/** Log-odds of an attack for each window of a text, without comparison with the rest of the text. */
export function windowLogits(
  heads: Heads,
  text: string,
  hits: readonly FamilyHit[],
  memo: ReadingMemo = new ReadingMemo(),
): (Segment & { logit: number })[] {
  return chosenWindows(heads, text, memo).map((window) => {
    const piece = text.slice(window.start, window.end);
    const own = hits.filter(({ start, end }) => end > window.start && start < window.end);
    const read = () => windowLogit(heads, piece, window, own);
    return { ...window, logit: own.length > 0 ? read() : remembered(memo.windows, piece, read) };
  });
}

function chosenWindows(heads: Heads, text: string, memo: ReadingMemo): Segment[] {
  const windows = windowsOf(piecesIn(text, memo));
  if (windows.length <= MAX_SCORED_WINDOWS) return windows;
  const prefiltered = prefilterOverlapping(heads.prefilter, text, windows, memo.linesOf(text));
  return [...windows.keys()]
    .sort((a, b) => prefiltered[b]! - prefiltered[a]!)
    .slice(0, MAX_SCORED_WINDOWS)
    .map((at) => windows[at]!);
}

function piecesToScore(
  pieces: readonly Segment[],
  prefiltered: Float32Array,
  floor: number,
  hits: readonly FamilyHit[],
): number[] {
  const isHit = (at: number) => hits.some(({ start, end }) => end > pieces[at]!.start && start < pieces[at]!.end);
  const passing = [...pieces.keys()].filter((at) => prefiltered[at]! >= floor || (hits.length > 0 && isHit(at)));
  if (passing.length <= MAX_SCORED_PIECES) return passing;
  return passing.sort((a, b) => prefiltered[b]! - prefiltered[a]! || a - b).slice(0, MAX_SCORED_PIECES);
}

interface TextNorms {
  sorted: Float32Array;
  /** Frequency of each word. */
  counts: Map<string, number>;
  unsharedWords: number;
  letters: number;
}

/** Characters at either end of a text from which its words are taken. */
const EDGE_CHARACTERS = 3000;
const MAX_COMPARED_PIECES = 40;

function textNorms(text: string, pieces: readonly Segment[], prefiltered: Float32Array): TextNorms {
  const sorted = Float32Array.from(prefiltered).sort();
  const read =
    text.length <= EDGE_CHARACTERS * 2 ? text : `${text.slice(0, EDGE_CHARACTERS)} ${text.slice(-EDGE_CHARACTERS)}`;
  const counts = new Map<string, number>();
  for (const word of contentWords(read)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const stride = Math.max(1, Math.floor(pieces.length / MAX_COMPARED_PIECES));
  const compared = pieces.filter((_, index) => index % stride === 0).map(({ start, end }) => text.slice(start, end));
  return {
    sorted,
    counts,
    unsharedWords: median(compared.map((piece) => unsharedWordShare(piece, counts))),
    letters: median(compared.map(letterShare)),
  };
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

function contentWords(text: string): string[] {
  return text.toLowerCase().match(/[a-z\u00c0-\u1fff]{4,}|[\u3040-\ud7ff]{2}/g) ?? [];
}

/**
 * Share of the piece's longer words that occur nowhere else in the text: unrelated words suggest that the piece was
 * inserted.
 */
function unsharedWordShare(piece: string, counts: ReadonlyMap<string, number>): number {
  const words = contentWords(piece);
  if (words.length === 0) return 0.5;
  const own = new Map<string, number>();
  for (const word of words) own.set(word, (own.get(word) ?? 0) + 1);
  let unsharedWords = 0;
  for (const [word, count] of own) if ((counts.get(word) ?? 0) <= count) unsharedWords += 1;
  return unsharedWords / own.size;
}

/** Share of letters and spaces. */
function letterShare(piece: string): number {
  let letters = 0;
  for (let index = 0; index < piece.length; index += 1) {
    const unit = piece.charCodeAt(index);
    const lower = unit | 32;
    if (unit === 32 || (lower >= 97 && lower <= 122) || (unit >= 0xc0 && unit <= 0xd7ff)) letters += 1;
  }
  return letters / piece.length;
}

function rulesWeight(hits: readonly FamilyHit[]): number {
  return 1 - hits.reduce((doubt, { weight }) => doubt * (1 - weight), 1);
}

function isOwnLine(text: string, { start, end }: Segment): boolean {
  const before = text.slice(Math.max(0, start - 3), start);
  const after = text.slice(end, end + 3);
  return (start === 0 || before.includes('\n')) && (end >= text.length || after.includes('\n'));
}

/** Half for each end of a quoted record value that the piece touches: an injected instruction often fills a field. */
function valueShare(text: string, { start, end }: Segment): number {
  const opens = /[:,[({] ?["']$/.test(text.slice(Math.max(0, start - 3), start));
  const closes = /^[.!?]?\\?["'] ?[,}\])]/.test(text.slice(end, end + 5));
  return (opens ? 0.5 : 0) + (closes ? 0.5 : 0);
}
