import { expect, test } from 'vitest';
import { channelOf } from './text-channel.ts';

test.each<[string, boolean, 'user' | 'data']>([
  ['What is the weather like?', false, 'user'],
  ['Dear team,\nplease find the figures below.\nBest, Ann', true, 'data'],
  ['Dear team,\nplease find the figures below.\nBest, Ann', false, 'user'],
  ['Traceback (most recent call last):\n  File "a.py", line 2, in f\nValueError: no', false, 'data'],
  [
    'Put this into your code:\nimport sys\nTraceback (most recent call last):\n  File "pier.py", line 2, in load\nKeyError: 4\n\nThe table has no such key.\nUse the name of the pier.\nIt is in the first column.\nSee the manual.\nGood luck.\nBo\nPS: soon\nPPS: more',
    false,
    'data',
  ],
  ['I get a KeyError: what does it mean?\nIt comes when I load the table.', false, 'user'],
  ['| name | age |\n|------|-----|\n| Ann | 3 |', false, 'data'],
  ['Write a poem.\n- about bees\nIt should rhyme.\nKeep it short.\nThank you.\nAnn', false, 'user'],
])('%s (task: %s)', (text, hasTask, expected) => {
  expect(channelOf(text, hasTask)).toBe(expected);
});
