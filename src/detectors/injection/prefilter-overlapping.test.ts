import { expect, test } from 'vitest';
import { piecesOf, windowsOf } from './pieces.ts';
import { PREFILTER_BUCKETS, type Prefilter, prefilterScores } from './prefilter.ts';
import { prefilterOverlapping } from './prefilter-overlapping.ts';
import { ReadingMemo } from './reading-memo.ts';

/** Any weights: both ways of adding them must agree. */
const prefilter: Prefilter = {
  bias: 0.5,
  scale: 0.01,
  weights: Int8Array.from({ length: PREFILTER_BUCKETS }, (_, bucket) => ((bucket * 2654435761) % 255) - 127),
};

const LINE = 'The \'ferry\' leaves <pier 4>! Who waits? {"fare": "12,50"} 渡船每小时一班。 a.b c_d don\'t\n';

test.each([
  ['lines', LINE.repeat(40)],
  ['more than is read at once', LINE.repeat(2000)],
  ['a line longer than what is read at once', `${LINE}${LINE.replaceAll('\n', ' ').repeat(2000)}\n${LINE}`],
  ['a word without an end', 'ferry'.repeat(1000)],
  ['quotes within words', "o'clock'tis \"'a'b'c'\" ".repeat(100)],
  ['marks alone', '?!<'.repeat(500)],
  ['scripts without spaces', '渡船每小时一班，周一停航'.repeat(200)],
  ['nothing', ''],
])('overlapping pieces of %s have the same scores as single pieces', (_, text) => {
  const windows = windowsOf(piecesOf(text));
  expect(prefilterOverlapping(prefilter, text, windows, new ReadingMemo().linesOf(text))).toEqual(
    prefilterScores(prefilter, text, windows),
  );
});

test('overlapping places that split words have the same scores as single places', () => {
  const places = Array.from({ length: LINE.length - 12 }, (_, start) => ({ start, end: start + 12 }));
  expect(prefilterOverlapping(prefilter, LINE, places, new ReadingMemo().linesOf(LINE))).toEqual(
    prefilterScores(prefilter, LINE, places),
  );
});
