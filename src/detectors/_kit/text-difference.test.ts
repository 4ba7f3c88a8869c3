import { expect, test } from 'vitest';
import { differingPieces } from './text-difference.ts';

const LONG = 'the same words at the beginning of both texts, over and over, up to here: ';

test.each<[string, string, string, [string, string] | null]>([
  ['short texts whole', 'red roof', 'blue roof', ['red roof', 'blue roof']],
  [
    'the place of the difference',
    `${LONG}red`,
    `${LONG}blue`,
    ['…and over, up to here: red', '…and over, up to here: blue'],
  ],
  ['the end of one text', LONG, `${LONG}more`, ['…and over, up to here:', '…and over, up to here: more']],
  ['white space only', 'a  b\nc', 'a b c ', null],
])('%s', (_, one, other, pieces) => {
  expect(differingPieces(one, other, 60)).toEqual(pieces);
});
