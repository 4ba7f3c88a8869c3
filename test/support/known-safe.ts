import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FILE = join(import.meta.dirname, '../../node_modules/.cache/misstep/safe-expressions.json');

/** Digests of the committed expressions, one per line. The check of all of them takes minutes. */
const LIST = new URL('safe-expressions.txt', import.meta.url);
const LISTED_CHARACTERS = 24;

/** Subjects that an earlier run found safe, by digest of everything that the verdict depends on. */
export interface SafeSubjects {
  has(subject: unknown): boolean;
  /** Saves these and removes all others. */
  save(subjects: unknown[]): void;
}

/**
 * Those of this machine and those of the committed list. `RECORD_SAFE_EXPRESSIONS=1` ignores both, so that everything is checked, and
 * writes the list.
 */
export function openSafeSubjects(file = FILE, list: URL | string = LIST, env = process.env): SafeSubjects {
  const isRecording = env.RECORD_SAFE_EXPRESSIONS === '1';
  const known = new Set(isRecording ? [] : digestsIn(file));
  const listed = new Set(isRecording ? [] : linesIn(list));
  return {
    has(subject) {
      const digest = digestOf(subject);
      return known.has(digest) || listed.has(digest.slice(0, LISTED_CHARACTERS));
    },
    save(subjects) {
      if (isRecording) {
        const lines = subjects.map((subject) => digestOf(subject).slice(0, LISTED_CHARACTERS)).sort();
        writeFileSync(list, `${lines.join('\n')}\n`);
      }
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

function linesIn(list: URL | string): string[] {
  try {
    return readFileSync(list, 'utf8').trim().split('\n');
  } catch {
    return [];
  }
}

function digestOf(subject: unknown): string {
  return createHash('sha256').update(JSON.stringify(subject)).digest('hex');
}
