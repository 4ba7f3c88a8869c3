import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { callAuthors } from './call-authors.ts';
import { toolUses } from './calls.ts';

const WRITTEN = 'agent coder\nllm m1 -> "Here it is:\\n```python\\nprint( total(3) )\\n```\\nPlease run it."\n';
const authorsOf = (text: string) => [...callAuthors(parseTrace(text))];

test.each([
  ['code in a fence', `${WRITTEN}agent runner\ntool run "print( total(3) )\\n" -> "6"`],
  [
    'code in a member of the arguments',
    `${WRITTEN}agent runner\ntool run {"lang":"py","code":"print( total(3) )"} -> "6"`,
  ],
  ['a structured call', 'agent coder\nllm m1 calls find {"q":"x"}\nagent runner\ntool find {"q":"x"} -> "6"'],
])('%s that an agent without model calls runs belongs to its author', (_, text) => {
  expect(authorsOf(text)).toEqual([[1, { agent: 'coder', step: 0 }]]);
  expect(toolUses(parseTrace(text)).map(({ agent, requestedAt }) => [agent, requestedAt])).toEqual([['coder', 0]]);
});

test.each([
  [
    'an agent with model calls of its own',
    `${WRITTEN}agent runner\nllm m1 -> "ok"\n${WRITTEN}agent runner\ntool run "print( total(3) )"`,
  ],
  ['code that the last answer does not contain', `${WRITTEN}agent runner\ntool run "print( total(4) )"`],
  [
    'a call that the last answer does not contain',
    'agent coder\nllm m1 calls find {}\nagent runner\ntool store {"q":"x"}',
  ],
  ['an author without a name', 'llm m1 -> "```\\nprint(total(3))\\n```"\nagent runner\ntool run "print(total(3))"'],
])('%s keeps its call', (_, text) => {
  expect(authorsOf(text)).toEqual([]);
  expect(toolUses(parseTrace(text)).map(({ agent }) => agent)).toEqual(['runner']);
});
