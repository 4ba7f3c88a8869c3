import { expect, it } from 'vitest';
import { isInFolder } from './folder-match.ts';

it.each([
  ['/home/ana/site', '/home/ana/site', true],
  ['/home/ana/site/src', '/home/ana/site/', true],
  ['/home/ana/site-2', '/home/ana/site', false],
  ['/home/ana', '/home/ana/site', false],
  ['/anything', '/', true],
  ['/Home/ana/site', '/home/ana', false],
  ['C:\\Work\\site\\src', 'c:/work/site', true],
  ['C:\\Work\\site2', 'C:\\Work\\site', false],
  ['\\\\server\\share\\site', '\\\\SERVER\\share', true],
])('%s in %s: %s', (path, folder, expected) => expect(isInFolder(path, folder)).toBe(expected));
