import { describe, expect, test } from 'vitest';
import { TextUnits } from './text-units.ts';

const LENGTHS = [3, 20_000, 300_000, 270_000, 600_000, 300_000, 5, 262_144, 262_145, 0, 1];

describe('the units of a text', () => {
  test('are complete for any length of the previous text', () => {
    const units = new TextUnits();
    for (const length of LENGTHS) {
      const text = `${'a'.repeat(Math.max(0, length - 1))}é`;
      const { codes } = units.read(text);
      expect([units.length, codes[0], codes[text.length - 1]]).toEqual([
        text.length,
        text.charCodeAt(0),
        'é'.charCodeAt(0),
      ]);
    }
  });

  test('release the buffer of a long text when a short one is read', () => {
    const units = new TextUnits();
    units.read('a'.repeat(2_000_000));
    expect(units.read('b').codes.length).toBeLessThanOrEqual(1 << 18);
  });
});
