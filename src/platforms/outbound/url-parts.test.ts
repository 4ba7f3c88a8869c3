import { describe, expect, it } from 'vitest';
import { NOT_IN_BASE_URL, partProblem } from './url-parts.ts';

describe('partProblem', () => {
  it.each([
    ['http://a.example', null],
    ['http://[::1]:80/base/', null],
    ['http://a.example/b@c', null],
    ['http://a.example/%3Fa%23b', null],
    ['http://a.example?', 'takes no query'],
    ['http://a.example/?a=1', 'takes no query'],
    ['http://a.example#', 'takes no fragment'],
    ['http://a.example/#?a', 'takes no fragment'],
    ['http://user@a.example', 'takes no user name and no password'],
    ['http://:secret@a.example', 'takes no user name and no password'],
  ])('%s: %s', (text, problem) => {
    expect(partProblem(text, NOT_IN_BASE_URL)).toBe(problem);
  });

  it('are checked only if they are listed', () => {
    expect(partProblem('https://user@a.example/?token=1', ['fragment'])).toBeNull();
    expect(partProblem('https://user@a.example/?token=1#x', ['fragment'])).toBe('takes no fragment');
  });
});
