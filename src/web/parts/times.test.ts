import { expect, test } from 'vitest';
import { exactTimeText, timeText } from './times.ts';

test.each([
  ['to the minute', timeText],
  ['to the second', exactTimeText],
])('a time of day %s does not wrap inside', (_case, textOf) => {
  expect(textOf('2026-11-27T09:08:12Z').replace(/^.*, /, '')).not.toMatch(/[ \u202f]/);
});
