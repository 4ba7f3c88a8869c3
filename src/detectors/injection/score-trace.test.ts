import { describe, expect, it } from 'vitest';
import { maxTextScore, type TextScore } from './score-trace.ts';

const data = (score: number): TextScore => ({ channel: 'data', score });
const user = (score: number): TextScore => ({ channel: 'user', score });

describe('maxTextScore', () => {
  it.each<[string, TextScore[], (score: number) => boolean]>([
    ['no text', [], (score) => score === 0],
    ['one text of data', [data(0.6)], (score) => score === 0.6],
    [
      'many texts, of which one stands out by chance',
      Array.from({ length: 50 }, () => data(0.5)),
      (score) => score < 0.2,
    ],
    ['a text of the user', [user(0.6)], (score) => score < 0.4],
    ['a plain attack by the user', [user(0.95)], (score) => score > 0.5],
    ['data and a text of the user', [user(0.6), data(0.6)], (score) => score === 0.6],
  ])('%s', (_, texts, isRight) => {
    expect(maxTextScore(texts)).toSatisfy(isRight);
  });
});
