import { expect, test } from 'vitest';

process.env.RECHECK_BACKEND = 'pure';
const { checkSync } = await import('recheck');
const { PERSONAL_PATTERNS } = await import('./personal-patterns.ts');
const { SECRET_PATTERNS } = await import('./secret-patterns.ts');
const { createRedactor } = await import('./redactor.ts');

const EXPRESSIONS = [...SECRET_PATTERNS, ...PERSONAL_PATTERNS].flatMap(({ quick, patterns }) => [
  quick,
  ...patterns.map(({ regex }) => regex),
]);
const DISTINCT = [...new Map(EXPRESSIONS.map((regex) => [String(regex), regex])).values()];

test.each(DISTINCT.map((regex) => [regex.source, regex.flags.replace('g', '')]))('linear: %s', (source, flags) => {
  const { status, complexity } = checkSync(source, flags, { timeout: 20_000 });
  expect([status, complexity?.type]).toEqual(['safe', expect.stringMatching(/^(?:linear|safe)$/)]);
});
