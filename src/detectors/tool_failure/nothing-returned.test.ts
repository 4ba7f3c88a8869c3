import { expect, it } from 'vitest';
import { parseTrace } from '../_kit/notation.ts';
import { nothingReturned } from './nothing-returned.ts';

const foundIn = (text: string) => nothingReturned(parseTrace(`user "Which plans are there?"\nagent clerk\n${text}`));
const END = 'llm m -> "I have no access to that."';

it.each([
  ['a rejected argument', 'tool list_invoices {"limit":1.5} !! ValueError: limit must be a whole number', [1, 2]],
  ['an empty result', 'tool search_files {"name":"plan-x.md"} -> []', [1, 2]],
  ['both', 'tool search_files {"name":"x"} -> []\ntool read_file {"id":"x"} !! file not found', [1, 2, 3]],
])('finds a run that gave up after %s', (_, calls, steps) => {
  expect(foundIn(`${calls}\n${END}`)).toMatchObject({ subtype: 'nothing_returned', steps });
});

it.each([
  ['a call worked', `tool search_files {"name":"x"} -> []\ntool search_files {"name":"y"} -> ["y.md"]\n${END}`],
  ['three tries are a search', `${'tool search_files {"name":"x{n}"} -> []\n'.repeat(3)}${END}`],
  ['the service was down', `tool list_invoices {"limit":1} !! 503: Service Unavailable\n${END}`],
  ['a change returns nothing when it works', `tool delete_file {"name":"x"} -> {}\n${END}`],
  ['no result was recorded', `tool search_files {"name":"x"}\n${END}`],
  ['the run ended without an answer', 'tool search_files {"name":"x"} -> []'],
  ['a shell', `tool bash {"command":"ls nowhere"} !! no such file\n${END}`],
])('is silent: %s', (_, text) => {
  expect(foundIn(text)).toBeNull();
});
