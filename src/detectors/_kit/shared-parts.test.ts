import { expect, it } from 'vitest';
import { sharedParts } from './shared-parts.ts';

it.each([
  [
    'after a shared beginning',
    ['sort --reverse orders.txt | uniq --count | head', 'sort --reverse orders.txt | uniq --count | tail'],
    { before: 'sort --reverse orders.txt | uniq --count |', after: '', varied: ['head', 'tail'] },
  ],
  [
    'before a shared end',
    ['cat rye.txt | sort --reverse | uniq --count', 'tac spelt.md | sort --reverse | uniq --count'],
    { before: '', after: '| sort --reverse | uniq --count', varied: ['cat rye.txt', 'tac spelt.md'] },
  ],
  [
    'between two shared parts',
    ['sort --reverse orders.txt | uniq -c | head -n 3', 'sort --reverse bills.txt | uniq -c | head -n 3'],
    { before: 'sort --reverse', after: '| uniq -c | head -n 3', varied: ['orders.txt', 'bills.txt'] },
  ],
  [
    'after a long beginning, of which its start and its end are shown',
    [`sort --reverse ${'orders.txt '.repeat(12)}| uniq`, `sort --reverse ${'orders.txt '.repeat(12)}| uniq | wc -l`],
    {
      before: 'sort --reverse orders.txt orders.txt orders.txt… orders.txt orders.txt orders.txt orders.txt | uniq',
      after: '',
      varied: ['| wc -l'],
    },
  ],
])('%s', (_, texts, parts) => {
  expect(sharedParts(texts)).toEqual(parts);
});

it.each([
  ['equal texts', ['sort orders.txt', 'sort orders.txt']],
  [
    'texts with little in common',
    ['sort --numeric-sort orders.txt | head -n 12', 'grep --count rye bills.txt | tail -n 12 | rev'],
  ],
  ['no text', []],
])('nothing for %s', (_, texts) => {
  expect(sharedParts(texts)).toBeNull();
});
