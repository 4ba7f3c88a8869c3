import { expect, it } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { guessedLookup } from './guessed-lookup.ts';

const foundIn = (text: string) => {
  const found = guessedLookup(parseTrace(`user "Which film do we show on Sunday?"\nagent clerk\n${text}`));
  return found === null ? null : { step: found.use.step, guess: found.guess };
};
const END = 'llm m -> "I found no film for Sunday."';

it.each([
  ['an empty result', 'tool search_files {"name":"cinema-plan.xlsx"} -> []', 'cinema-plan.xlsx'],
  ['an error that states it', 'tool search_files {"q":"film schedule"} !! ValueError: no files found', 'film schedule'],
  ['an empty result in another script', 'tool find_file {"q":"план кино"} -> ""'.replace('""', '[]'), 'план кино'],
])('finds a guess that ended in %s', (_, call, guess) => {
  expect(foundIn(`${call}\n${END}`)).toEqual({ step: 1, guess });
});

it('uses the last lookup, regardless of earlier results', () => {
  const text = `tool list_rooms {"day":"Sunday"} -> ["Blue room"]\ntool find_film {"q":"matinee list"} -> []\n${END}`;
  expect(foundIn(text)).toEqual({ step: 2, guess: 'matinee list' });
});

it.each([
  ['the user named it', `tool find_film {"q":"show on Sunday"} -> []\n${END}`],
  [
    'an earlier result named it',
    `tool list {"q":"x"} -> ["matinee list"]\ntool find_film {"q":"matinee list"} -> []\n${END}`,
  ],
  ['another call followed', `tool find_film {"q":"matinee list"} -> []\ntool list_films {} -> ["Stalker"]\n${END}`],
  ['one word may be a value that the tool accepts', `tool list_films {"state":"announced"} -> []\n${END}`],
  ['a date is asked for in the form of the tool', `tool list_films {"day":"2026-11-29"} -> []\n${END}`],
  ['the service was down', `tool find_film {"q":"matinee list"} !! 503: Service Unavailable\n${END}`],
  ['a change returns nothing when it works', `tool delete_film {"q":"matinee list"} -> {}\n${END}`],
  ['no result was recorded', `tool find_film {"q":"matinee list"}\n${END}`],
  ['the run ended without an answer', 'tool find_film {"q":"matinee list"} -> []'],
  ['a shell', `tool bash {"command":"grep -r matinee list"} !! no such file\n${END}`],
])('is silent: %s', (_, text) => {
  expect(foundIn(text)).toBeNull();
});
