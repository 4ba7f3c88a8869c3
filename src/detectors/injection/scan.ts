import { AnchorScanner } from './anchors.ts';
import { anchorWords, type Family, type FamilyHit, familyHits } from './families.ts';
import { withoutZeroWidth } from './hidden-text.ts';
import { encodedHits, markHits } from './marks.ts';
import { ReadingMemo } from './reading-memo.ts';
import { segmentsAround } from './segments.ts';
import { tokensOf } from './tokens.ts';

/** A place in a text that may be an attack. */
export interface Suspicion {
  /** 0–1. */
  score: number;
  start: number;
  end: number;
  families: Family[];
  /** Most certain family first. */
  hits: FamilyHit[];
}

/** Hits closer than this belong to one attack. */
const MAX_HIT_DISTANCE = 400;

/** Texts about attacks quote them. No match crosses lines. */
const ABOUT_ATTACKS =
  /prompt[- ]injection|jailbreak(?:ing|s)?\b|injection attack|adversarial (?:prompt|input|example)|red[- ]team|\bOWASP\b|LLM security/i;
const ABOUT_WEIGHT = 0.5;
const QUOTED_WEIGHT = 0.7;

const anchors = new AnchorScanner(anchorWords());

/**
 * The suspicious places of a text, most certain first. Time is linear in its length; `memo` caches results from other texts
 * of its run.
 */
export function scanText(text: string, memo: ReadingMemo = new ReadingMemo()): Suspicion[] {
  const marks = markHits(text, memo.linesOf(text));
  const visible = marks.hasHiddenText ? withoutZeroWidth(text) : text;
  const hits = [...wordHits(visible, memo), ...marks.hits, ...encodedHits(text, scoreOfDecoded)];
  if (hits.length === 0) return [];
  const about = weightOfSubject(text, memo);
  const hasHiddenText = visible !== text && hits.length > wordHits(text, memo).length;
  return clusters(hits)
    .map((cluster) => suspicionOf(cluster, visible, about, hasHiddenText))
    .sort((a, b) => b.score - a.score);
}

/** Half for a text about attacks, such as articles, papers and manuals; else 1. */
export function weightOfSubject(text: string, memo: ReadingMemo = new ReadingMemo()): number {
  const isAboutAttacks = memo.linesOf(text).some(({ read }) => {
    read.isAboutAttacks ??= ABOUT_ATTACKS.test(read.text);
    return read.isAboutAttacks;
  });
  return isAboutAttacks ? ABOUT_WEIGHT : 1;
}

/** Score of the most certain place of a text; 0 if there is none. */
export function injectionScore(text: string): number {
  return scanText(text)[0]?.score ?? 0;
}

function scoreOfDecoded(text: string): number {
  return clusters(wordHits(text, new ReadingMemo())).reduce((best, cluster) => Math.max(best, noisyOr(cluster)), 0);
}

function wordHits(text: string, memo: ReadingMemo): FamilyHit[] {
  const hits: FamilyHit[] = [];
  for (const { start, read } of memo.linesOf(text)) {
    read.hits ??= hitsInLine(read.text);
    for (const hit of read.hits) hits.push({ ...hit, start: hit.start + start, end: hit.end + start });
  }
  return hits;
}

function hitsInLine(line: string): FamilyHit[] {
  return segmentsAround(line, anchors.find(line)).flatMap(({ start, end }) => {
    const segment = line.slice(start, end);
    return familyHits(tokensOf(segment, start), segment);
  });
}

function clusters(hits: readonly FamilyHit[]): FamilyHit[][] {
  const found: FamilyHit[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const hit of [...hits].sort((a, b) => a.start - b.start)) {
    if (hit.start - end > MAX_HIT_DISTANCE) found.push([hit]);
    else found.at(-1)!.push(hit);
    end = Math.max(end, hit.end);
  }
  return found;
}

function suspicionOf(cluster: FamilyHit[], text: string, about: number, hasHiddenText: boolean): Suspicion {
  const hits = [...cluster].sort((a, b) => b.weight - a.weight);
  // A long text may have more hits than a function call takes arguments.
  const start = hits.reduce((least, hit) => Math.min(least, hit.start), Infinity);
  const end = hits.reduce((most, hit) => Math.max(most, hit.end), 0);
  const quoted = isQuoted(text, hits[0]!) ? QUOTED_WEIGHT : 1;
  const score = noisyOr(hits) * about * quoted;
  return {
    score: hasHiddenText ? Math.max(score, 0.8) : score,
    start,
    end,
    families: [...new Set(hits.map((hit) => hit.family))],
    hits,
  };
}

/** Each family counts once, by its most certain hit: repetition proves nothing more. */
function noisyOr(hits: readonly FamilyHit[]): number {
  const best = new Map<Family, number>();
  for (const { family, weight } of hits) best.set(family, Math.max(best.get(family) ?? 0, weight));
  let doubt = 1;
  for (const weight of best.values()) doubt *= 1 - weight;
  return 1 - doubt;
}

/** Whether the match alone is in quotation marks, like an example; not a value that a format quotes. */
function isQuoted(text: string, { start, end }: FamilyHit): boolean {
  const before = text.slice(Math.max(0, start - 60), start);
  const after = text.slice(end, end + 60);
  return (
    isQuoteOpen(before) &&
    /^[^"'“”«»`\n]{0,50}["'”»`“]/.test(after) &&
    /\b(?:such as|like|e\.g\.|example|says?|saying|phrases?|called|means?|word|sentence|type[sd]?|write|writes|wrote|entitled|titled)\b/i.test(
      text.slice(Math.max(0, start - 120), start),
    )
  );
}

const QUOTES = [...'"\'“”«»`„'];
const CLOSING = '”»';

/**
 * Whether a quotation is open: the last quotation mark is an opening one before a word, and its line contains no closing
 * one.
 */
function isQuoteOpen(before: string): boolean {
  const at = Math.max(...QUOTES.map((quote) => before.lastIndexOf(quote)));
  if (at === -1 || CLOSING.includes(before[at]!) || before.length - at > 52) return false;
  return (at === 0 || /[\s(]/.test(before[at - 1]!)) && !before.slice(at + 2).includes('\n');
}
