import { describe, expect, test, vi } from 'vitest';
import { createRedactor } from './redactor.ts';

/** Characters that expressions were given to look at while `act` ran. */
function charactersLookedAt(act: () => void): number {
  let total = 0;
  const { exec } = RegExp.prototype;
  const spy = vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text: string) {
    const from = this.global ? this.lastIndex : 0;
    const match = exec.call(this, text);
    // Splitting tries a sticky copy at every place.
    total += this.sticky ? 1 : (match === null ? text.length : match.index + match[0].length) - from;
    return match;
  });
  act();
  spy.mockRestore();
  return total;
}

describe('the code around the expressions does twice the work for twice the text', () => {
  const redactor = createRedactor({ secrets: true, personalData: true, salt: 'x' });
  const workFor = (text: string) => charactersLookedAt(() => redactor.redactText(text));

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

  test('a walk that starts over at every place is noticed', () => {
    const walk = (text: string) => () => {
      for (let at = 0; at < text.length; at += 1) /b/.exec(text);
    };
    const once = 'a'.repeat(200);
    expect(charactersLookedAt(walk(once + once))).toBeGreaterThan(2.2 * charactersLookedAt(walk(once)));
  });
});
