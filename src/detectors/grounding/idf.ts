import generated from './idf.generated.json' with { type: 'json' };

/** How much a word tells: high for rare ones. Natural logarithm of passages over passages that hold the stem. */
export type Idf = (key: string) => number;

/** How an IDF table stands in its generated file. */
export interface IdfFile {
  /** Stems with spaces between them, those of equal level in alphabetical order. */
  stems: string;
  /** A level of 0–255 for each stem, as base64. */
  levels: string;
  /** IDF of level 255, and of stems that are not in the table. */
  rarest: number;
}

/** @returns a lookup; words the table lacks are as rare as can be, numbers included */
export function readIdf(file: IdfFile): Idf {
  const levels = Buffer.from(file.levels, 'base64');
  const table = new Map<string, number>();
  const stems = file.stems === '' ? [] : file.stems.split(' ');
  for (const [at, stem] of stems.entries()) table.set(stem, (levels[at]! / 255) * file.rarest);
  return (key) => table.get(key) ?? file.rarest;
}

let shipped: Idf | null = null;

/** The table that was counted on public English texts; read when first asked for. */
export function shippedIdf(): Idf {
  shipped ??= readIdf(generated);
  return shipped;
}
