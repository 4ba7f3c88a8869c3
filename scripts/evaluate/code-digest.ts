import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

/** A file of this program that is named after `from` or `import`. */
const IMPORTED = /\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^'\n]+)'/g;

/** One text for these files with all that they import of this program: another one as soon as anything of that changes. */
export function codeDigest(entries: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of reachable(entries)) hash.update(readFileSync(file)).update('\0');
  return hash.digest('hex').slice(0, 16);
}

/** In an order that hangs on nothing but their names. */
function reachable(entries: readonly string[]): string[] {
  const files = new Set(entries);
  for (const file of files) for (const next of importsOf(file)) files.add(next);
  return [...files].sort();
}

function importsOf(file: string): string[] {
  if (extname(file) !== '.ts') return [];
  return [...readFileSync(file, 'utf8').matchAll(IMPORTED)].map(([, path]) => join(dirname(file), path!));
}
