import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { codeDigest } from './code-digest.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-code-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const CODE = {
  'fit/piece.ts': "import { a } from '../a.ts';\nimport type { B } from '../b.ts';\nimport { z } from 'zod';",
  'a.ts': "import weights from './weights.json' with {\n  type: 'json',\n};\nconst later = () => import('./later.ts');",
  'b.ts': "import './a.ts';\nexport * from './fit/piece.ts';",
  'later.ts': '',
  'weights.json': '[1]',
  'unrelated.ts': '',
};

/** Digest of the files with these changes. */
function digestOf(changes: Readonly<Record<string, string>> = {}): string {
  for (const [name, text] of Object.entries({ ...CODE, ...changes })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return codeDigest([join(folder, 'fit/piece.ts')]);
}

it.each(['fit/piece.ts', 'a.ts', 'b.ts', 'later.ts', 'weights.json'] as const)(
  'changes with the content of %s',
  (name) => {
    expect(digestOf({ [name]: `${CODE[name]} ` })).not.toBe(digestOf());
  },
);

it('does not change with a file that is not imported', () => {
  expect(digestOf({ 'unrelated.ts': 'changed' })).toBe(digestOf());
});

it('fails for an import of a missing file', () => {
  expect(() => digestOf({ 'a.ts': "import './gone.ts';" })).toThrow('gone.ts');
});
