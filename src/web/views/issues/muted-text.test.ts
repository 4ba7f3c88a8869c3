import { expect, it } from 'vitest';
import { mutedText } from './muted-text.ts';

const UNTIL = '2026-01-16T12:00:00.000Z';

it.each([
  ['open', null, null, null],
  ['resolved', null, null, null],
  ['snoozed', UNTIL, null, /^snoozed until .*2?0?26/],
  ['ignored', null, null, /^ignored$/],
  ['ignored', null, 1, /^ignored for 1 more run$/],
  ['ignored', null, 100, /^ignored for 100 more runs$/],
] as const)('an issue that is %s until %s or for %s runs', (status, ignored_until, ignored_runs_left, text) => {
  const shown = mutedText({ status, ignored_until, ignored_runs_left });
  if (text === null) expect(shown).toBeNull();
  else expect(shown).toMatch(text);
});
