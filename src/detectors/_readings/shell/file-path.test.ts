import { expect, test } from 'vitest';
import { isDisposable, isWithin, plainPath } from './file-path.ts';

test.each<[string, string | null, string | null]>([
  ['/srv/shop/../data/.', null, '/srv/data'],
  ['/home/me/photos', null, '~/photos'],
  ['/Users/me', null, '~'],
  ['/root/x', null, '~/x'],
  ['~/a/../b', null, '~/b'],
  ['src/a', '/srv/shop', '/srv/shop/src/a'],
  ['../b', '/home/me/a', '~/b'],
  ['../../..', '/home/me/a', '/'],
  ['src/a', null, null],
  ['src/a', '?/x', null],
  ['$X/a', '/srv', null],
  ['/', null, '/'],
  ['..', '~', '/home'],
])('%s in %s is %s', (text, directory, expected) => expect(plainPath(text, directory)).toBe(expected));

test.each([
  ['/srv/shop/src', '/srv/shop', true],
  ['/srv/shop', '/srv/shop', true],
  ['/srv/shopping', '/srv/shop', false],
  ['/etc', '/', true],
])('%s within %s: %s', (path, folder, expected) => expect(isWithin(path, folder)).toBe(expected));

test.each([
  ['/tmp/x', true],
  ['/private/var/folders/a/b', true],
  ['/srv/other/node_modules', true],
  ['~/.cache/pip', true],
  ['~/work/shop/.venv', true],
  ['/usr/lib/node_modules', false],
  ['~/bin', false],
  ['/srv/data', false],
  ['~/template', false],
])('%s is disposable: %s', (path, expected) => expect(isDisposable(path)).toBe(expected));
