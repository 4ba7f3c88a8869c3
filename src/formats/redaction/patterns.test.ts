import { describe, expect, test, vi } from 'vitest';
import { createRedactor } from './redactor.ts';

/** Number of characters that were passed to expressions during `act`. */
function countSearchedCharacters(act: () => void): number {
  let total = 0;
  const { exec } = RegExp.prototype;
  const spy = vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text: string) {
    const from = this.global ? this.lastIndex : 0;
    const match = exec.call(this, text);
    // `split` tries a sticky copy at every position.
    total += this.sticky ? 1 : (match === null ? text.length : match.index + match[0].length) - from;
    return match;
  });
  act();
  spy.mockRestore();
  return total;
}

describe('the code around the expressions is linear in the text length', () => {
  const redactor = createRedactor({ secrets: true, personalData: true, salt: 'x' });
  const workFor = (text: string) => countSearchedCharacters(() => redactor.redactText(text));

  test.each([
    ['openings of keys', '-----BEGIN PRIVATE KEY-----'],
    ['quotes that never close', 'password="'],
    ['escaped quotes', 'password=\\\\\\"'],
    ['names', 'secret=token='],
    ['tokens that never end', '-eyJabcdefgh'],
    ['addresses', 'https://a:b'],
    ['addresses with users', 'https://a:b@c '],
    ['card beginnings', '4111 1111 '],
    ['account beginnings', 'DE89 '],
    ['markers', '[redacted:jwt:'],
    ['whole markers', '[redacted:jwt:abcd]'],
    ['keys', ` sk-${'a1'.repeat(10)}`],
  ])('%s', (_name, piece) => {
    const once = piece.repeat(2_000);
    workFor(once);
    expect(workFor(once + once)).toBeLessThanOrEqual(2.2 * workFor(once));
  });

  test('a quadratic walk is detected', () => {
    const walk = (text: string) => () => {
      for (let at = 0; at < text.length; at += 1) /b/.exec(text);
    };
    const once = 'a'.repeat(200);
    expect(countSearchedCharacters(walk(once + once))).toBeGreaterThan(2.2 * countSearchedCharacters(walk(once)));
  });
});
