import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

/** A relative path after `from` or `import`. */
const IMPORTED = /\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^'\n]+)'/g;

/** A digest of these files and everything they import from this repository. */
export function codeDigest(entries: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of reachable(entries)) hash.update(readFileSync(file)).update('\0');
  return hash.digest('hex').slice(0, 16);
}

/** Sorted by name only. */
function reachable(entries: readonly string[]): string[] {
  const files = new Set(entries);
  for (const file of files) for (const next of importsOf(file)) files.add(next);
  return [...files].sort();
}

function importsOf(file: string): string[] {
  if (extname(file) !== '.ts') return [];
  return [...readFileSync(file, 'utf8').matchAll(IMPORTED)].map(([, path]) => join(dirname(file), path!));
}
