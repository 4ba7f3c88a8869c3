import { describe, expect, test } from 'vitest';
import { PERSONAL_CUES, PERSONAL_PATTERNS } from './personal-patterns.ts';
import { createRedactor } from './redactor.ts';
import { KEY_SHAPES, SECRET_CUES, SECRET_PATTERNS, WORD_START } from './secret-patterns.ts';

process.env.RECHECK_BACKEND = 'pure';
const { checkSync } = await import('recheck');

/** The long alternation of key shapes is checked piece by piece: its pieces begin unlike each other. */
const EXPRESSIONS = [
  ...[...SECRET_CUES, ...PERSONAL_CUES, ...SECRET_PATTERNS, ...PERSONAL_PATTERNS]
    .map(({ regex }) => [regex.source, regex.flags.replace('g', '')] as const)
    .filter(([source]) => !source.includes(KEY_SHAPES.join('|'))),
  ...KEY_SHAPES.map((shape) => [WORD_START + shape, ''] as const),
];

function verdict(source: string, flags: string): string {
  const result = checkSync(source, flags, { timeout: 20_000, incubationLimit: 5_000, attackLimit: 200_000 });
  return result.status;
}

describe('no expression can be made slow', () => {
  test.each(EXPRESSIONS)('%s', (source, flags) => {
    expect(verdict(source, flags)).toBe('safe');
  });

  test.each(['(?:a+)+b', 'eyJ[A-Za-z0-9_-]+[.]', '[\\w.]+@[\\w.]+'])('a slow one is noticed: %s', (source) => {
    expect(verdict(source, '')).toBe('vulnerable');
  });
});
