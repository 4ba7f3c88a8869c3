import generated from './idf.generated.json' with { type: 'json' };

/** Inverse document frequency of a word: the natural logarithm of all passages over passages with the stem. */
export type Idf = (key: string) => number;

/** An IDF table as stored in its generated file. */
export interface IdfFile {
  /** Stems separated by spaces; stems of equal level in alphabetical order. */
  stems: string;
  /** A level of 0–255 for each stem, as base64. */
  levels: string;
  /** IDF of level 255, and of stems that are not in the table. */
  rarest: number;
}

/** @returns a lookup; words that are not in the table, including numbers, have the highest IDF */
export function readIdf(file: IdfFile): Idf {
  const levels = Buffer.from(file.levels, 'base64');
  const table = new Map<string, number>();
  const stems = file.stems === '' ? [] : file.stems.split(' ');
  for (const [at, stem] of stems.entries()) table.set(stem, (levels[at]! / 255) * file.rarest);
  return (key) => table.get(key) ?? file.rarest;
}

let shipped: Idf | null = null;

/** The table from public English texts; loaded on first use. */
export function shippedIdf(): Idf {
  shipped ??= readIdf(generated);
  return shipped;
}
