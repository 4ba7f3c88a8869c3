import { expect, test } from 'vitest';
import { changeTitle } from './change-title.ts';
import { thresholdName } from './settings.executor.ts';

const patch = (...steps: object[]) => ({ target: '', after: JSON.stringify(steps) });

test.each([
  [[patch({ op: 'add', path: '/derailment', value: 0.5 })], 'Set derailment to 0.5'],
  [[patch({ op: 'replace', path: '/nodes/2/name', value: 'search' })], 'Change nodes › 2 › name'],
  [[patch({ op: 'remove', path: '/loop' })], 'Remove loop'],
  [[patch({ op: 'add', path: '/loop', value: { on: false } })], 'Change loop'],
  [[patch({ op: 'remove', path: '/a' }, { op: 'remove', path: '/b' })], 'Custom change'],
  [[{ target: 'prompt of planner', after: 'Be brief.' }], 'Change prompt of planner'],
  [
    [{ target: 'prompt of planner', after: 'Be brief.' }, patch({ op: 'remove', path: '/a' })],
    'Change prompt of planner, and 1 more change',
  ],
  [[{ target: '', after: '[no patch' }], 'Custom change'],
])('%j is %s', (changes, title) => {
  expect(changeTitle(changes)).toBe(title);
});

test('an executor can name the changed part', () => {
  const title = changeTitle([patch({ op: 'add', path: '/loop~1stalled', value: 0.5 })], thresholdName);
  expect(title).toBe('Set the threshold of loop/stalled to 0.5');
});
