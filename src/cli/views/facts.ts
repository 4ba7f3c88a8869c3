import { printableLine } from './printable.ts';
import type { Style } from './style.ts';

/** One record as lines of `label  value`. */
export function facts(rows: readonly [string, string][], style: Style): string {
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.map(([label, value]) => `${style.dim(label.padEnd(width))}  ${printableLine(value)}\n`).join('');
}
