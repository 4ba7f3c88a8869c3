import { expect, it } from 'vitest';
import { headingOf } from './advice-heading.ts';

it.each([
  [
    'Declare mcp__git__assign: mcp__git__assign is not among the 2 tools.',
    'mcp__git__assign is not among the 2 tools.',
  ],
  ['Declare search: search is not among the 2 tools.', 'search is not among the 2 tools.'],
])('a name keeps its letters: %s', (action, description) => {
  expect(headingOf(action, 'unknown_tool').description).toBe(description);
});

it('any other reason begins with a capital', () => {
  expect(headingOf('Correct the call: step 3 passed none.', 'failure').description).toBe('Step 3 passed none.');
});
