import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FILE = join(import.meta.dirname, '../../node_modules/.cache/misstep/safe-expressions.json');

/** Subjects that an earlier run on this machine found safe, by digest of everything that the verdict depends on; empty in a fresh clone. */
export interface SafeSubjects {
  has(subject: unknown): boolean;
  /** Saves these and removes all others. */
  save(subjects: unknown[]): void;
}

export function openSafeSubjects(file = FILE): SafeSubjects {
  const known = new Set(digestsIn(file));
  return {
    has: (subject) => known.has(digestOf(subject)),
    save(subjects) {
      mkdirSync(dirname(file), { recursive: true });
      // Another test run may read it at the same time.
      writeFileSync(`${file}.${process.pid}`, JSON.stringify(subjects.map(digestOf)));
      renameSync(`${file}.${process.pid}`, file);
    },
  };
}

function digestsIn(file: string): string[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return [];
  }
}

function digestOf(subject: unknown): string {
  return createHash('sha256').update(JSON.stringify(subject)).digest('hex');
}
