import { expect, test } from 'vitest';
import { quantitiesIn } from './quantities.ts';

const textsOf = (text: string, names?: readonly string[]) =>
  quantitiesIn(text, names === undefined ? null : new Set(names)).map(
    ({ name, value, unit }) => `${name} ${value} ${unit}`,
  );

test.each([
  ['We want to stay in Bergen for 6 nights.', ['bergen 6 night']],
  ['Plan 4 nights in Oslo, 2 nights in Bodø.', ['oslo 4 night', 'bodø 2 night']],
  ['The plan (Oslo: 4 nights, Bodø: 2 nights) fits.', ['oslo 4 night', 'bodø 2 night']],
  ['We give Oslo (4 nights) and then Bodø (2 nights).', ['oslo 4 night', 'bodø 2 night']],
  ['Enjoy a 3-night stay in Oslo.', ['oslo 3 night']],
  ['Bring 12 crates to dock_7 and 5 crates to dock_9.', ['dock_7 12 crate']],
  ['We saw Oslo with its 9 piers in 4 nights.', ['oslo 9 pier']],
  ['Wir bleiben in Bergen 6 Nächte.', []],
  ['Pasamos en Sevilla 3 noches.', ['sevilla 3 noche']],
])('%s', (text, expected) => {
  expect(textsOf(text)).toEqual(expected);
});

test.each([
  ['a position in a series', 'Stay for 9 nights. Be in Oslo on night 4 or night 5 please.'],
  ['two names that are equally near', 'We saw Oslo 4 nights Bodø there.'],
  ['a name of another sentence', 'We like Oslo. 4 nights are too long.'],
  ['a number without a unit', 'We reach Oslo at 9.'],
])('nothing for %s', (_, text) => {
  expect(textsOf(text)).toEqual([]);
});

test('external names are recognized in any spelling and place', () => {
  expect(textsOf('OSLO 4 nights.\nbodø: 2 nights.', ['oslo', 'bodø'])).toEqual(['oslo 4 night', 'bodø 2 night']);
});
