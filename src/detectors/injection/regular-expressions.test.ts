import { checkSync } from 'recheck';
import { expect, it } from 'vitest';
import { CALL_PATTERNS } from './made-calls.ts';
import { MARK_PATTERNS } from './marks.ts';
import { ORDER_PATTERNS } from './orders.ts';

process.env.RECHECK_BACKEND = 'pure';

const patterns = [...MARK_PATTERNS, ...CALL_PATTERNS, ...ORDER_PATTERNS].map(
  (pattern) => [pattern.source.slice(0, 60), pattern] as const,
);

it.each(patterns)('%s takes linear time', (_, pattern) => {
  expect(checkSync(pattern.source, pattern.flags, { timeout: 20_000 }).status).toBe('safe');
});

it('a pattern that does not is found out', () => {
  expect(checkSync('^(a+)+$', '', { timeout: 20_000 }).status).toBe('vulnerable');
});
