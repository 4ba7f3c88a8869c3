import type { Evaluation } from './evaluation.ts';

/** The part of the report that is built into the program, as the text of its generated file. */
export function scoresFile({ date, split, scores }: Pick<Evaluation, 'date' | 'split' | 'scores'>): string {
  return `${JSON.stringify({ date, split, ...scores }, null, 2)}\n`;
}
