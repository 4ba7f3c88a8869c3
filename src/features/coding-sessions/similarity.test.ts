import { expect, it } from 'vitest';
import { contentWords, isSimilar } from './similarity.ts';

it.each([
  ['No, use pnpm, not npm.', 'please use pnpm instead of npm', true],
  ['use pnpm', 'Use pnpm!', true],
  ['use pnpm', 'use tabs', false],
  ['run the tests before you commit', 'please run all tests before a commit', true],
  ['do not push to main', 'rename the main function', false],
  ['yes', 'yes', false],
  ['请使用 pnpm 安装依赖', '安装依赖请用 pnpm', true],
  ['请使用 pnpm 安装依赖', '不要修改测试文件', false],
])('%s / %s: %s', (one, other, expected) => expect(isSimilar(contentWords(one), contentWords(other))).toBe(expected));

it('reads only the beginning of a long text', () => {
  expect(contentWords('word '.repeat(1_000_000)).size).toBe(1);
});
