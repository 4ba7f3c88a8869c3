import type { IdfFile } from '../../../src/detectors/_readings/support/idf.ts';
import { tokenize } from '../../../src/detectors/_readings/support/tokens.ts';
import type { TextPair } from './text-pairs.ts';

/** Sources are cut into passages of this many characters, so that a word's frequency means the same in all sets. */
const PASSAGE = 600;
const MIN_PASSAGES = 2;
const STEMS_LIMIT = 20_000;

/** Counts in how many different passages each stem occurs. Stems of a single passage, which are mostly names of people, are left out. */
export function countIdf(pairs: readonly TextPair[]): IdfFile {
  const passages = new Set(pairs.flatMap(({ text, sources }) => [text, ...sources.flatMap(passagesOf)]));
  const counts = new Map<string, number>();
  for (const passage of passages) for (const stem of stemsOf(passage)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const rarest = Math.log(passages.size + 1);
  const frequent = [...counts]
    .filter(([, count]) => count >= MIN_PASSAGES)
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .slice(0, STEMS_LIMIT);
  const levels = frequent.map(([, count]) =>
    Math.round((255 * Math.log((passages.size + 1) / (count + 0.5))) / rarest),
  );
  return {
    stems: frequent.map(([stem]) => stem).join(' '),
    levels: Buffer.from(levels).toString('base64'),
    rarest: Number(rarest.toPrecision(6)),
  };
}

function passagesOf(source: string): string[] {
  return Array.from({ length: Math.ceil(source.length / PASSAGE) }, (_, at) =>
    source.slice(at * PASSAGE, (at + 1) * PASSAGE),
  );
}

function stemsOf(passage: string): Set<string> {
  const content = tokenize(passage).filter(({ isStop, number }) => !isStop && number === null);
  return new Set(content.map(({ key }) => key));
}
