import { describe, expect, it } from 'vitest';
import { KeySequence, keyName } from './key-sequence.ts';

const KNOWN = ['g i', 'g t', 'e', '?', 'Mod+k'];
const isKnown = (name: string) => KNOWN.includes(name);

/** The result of each press; a number advances the clock by that many milliseconds. */
function pressed(...presses: (string | number)[]): (string | null)[] {
  const sequence = new KeySequence();
  let timeMs = 0;
  return presses.flatMap((press) => {
    if (typeof press === 'string') return [sequence.press(press, isKnown, timeMs)];
    timeMs += press;
    return [];
  });
}

describe('KeySequence', () => {
  it.each([
    [['e'], ['e']],
    [
      ['g', 'i'],
      [null, 'g i'],
    ],
    [
      ['g', 1_000, 't'],
      [null, 'g t'],
    ],
    [
      ['g', 2_000, 'i'],
      [null, null],
    ],
    [
      ['g', 'e'],
      [null, 'e'],
    ],
    [
      ['g', 'x', 'i'],
      [null, null, null],
    ],
    [
      ['x', 'g', 'i'],
      [null, null, 'g i'],
    ],
    [['?'], ['?']],
  ])('the presses %j trigger %j', (presses, expected) => expect(pressed(...presses)).toEqual(expected));
});

describe('keyName', () => {
  const none = { ctrlKey: false, metaKey: false, altKey: false };
  it.each([
    [{ key: 'e' }, 'e'],
    [{ key: 'k', ctrlKey: true }, 'Mod+k'],
    [{ key: 'k', metaKey: true }, 'Mod+k'],
    [{ key: 'e', ctrlKey: true }, null],
    [{ key: 'ArrowLeft', altKey: true }, null],
    [{ key: 'r', metaKey: true }, null],
  ])('%j is named %j', (event, name) => expect(keyName({ ...none, ...event })).toBe(name));
});
