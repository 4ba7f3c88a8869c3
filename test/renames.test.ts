import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
/** The only places that may contain retired names. */
const ALLOWED = ['docs/renames.md', 'docs/glossary.md'];

/** Cells of the table rows below a heading, without backticks. */
function tableBelow(text: string, heading: string): string[][] {
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.replaceAll('`', '')),
    );
}

/** Whether a module declares the name as an export. */
function exportsName(source: string, name: string): boolean {
  return new RegExp(
    `^export (?:async |abstract |declare )*(?:function\\*?|const|class|interface|type|let|enum) ${name}\\b`,
    'm',
  ).test(source);
}

/** Tracked text files that contain one of the texts. */
function filesWith(texts: readonly string[]): string[] {
  const patterns = texts.flatMap((text) => ['-e', text]);
  try {
    const listed = execFileSync('git', ['grep', '-lF', ...patterns, '--', '*.ts', '*.tsx', '*.mjs', '*.md', '*.json'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    return listed.trim().split('\n');
  } catch (error) {
    if ((error as { status?: number }).status === 1) return [];
    throw error;
  }
}

const page = readFileSync(resolve(ROOT, 'docs/renames.md'), 'utf8');
const files = tableBelow(page, 'Files') as [string, string][];
const names = tableBelow(page, 'Exports') as [string, string, string][];

describe('retired names', () => {
  it('the lists are read', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(names.length).toBeGreaterThan(100);
  });

  it('each renamed file exists under its new name only', () => {
    expect(files.filter(([old, now]) => existsSync(resolve(ROOT, old)) || !existsSync(resolve(ROOT, now)))).toEqual([]);
  });

  it('each module has the new name of an export and not the old one', () => {
    const wrong = names.filter(([module, old, now]) => {
      const source = readFileSync(resolve(ROOT, module), 'utf8');
      return exportsName(source, old) || !new RegExp(`\\b${now}\\b`).test(source);
    });
    expect(wrong).toEqual([]);
  });

  it('old paths occur only in the list and the glossary', () => {
    expect(filesWith(files.map(([old]) => old)).filter((file) => !ALLOWED.includes(file))).toEqual([]);
  });

  it('an old export that still exists is found', () => {
    expect(exportsName('export async function taken(): void {}', 'taken')).toBe(true);
    expect(exportsName('export const takenFrom = 1;', 'taken')).toBe(false);
  });

  it('an old path in a text file is found', () => {
    expect(filesWith(['docs/renames.md'])).toContain('test/renames.test.ts');
  });
});
