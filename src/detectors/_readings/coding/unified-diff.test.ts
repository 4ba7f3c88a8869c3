import { expect, test } from 'vitest';
import { diffedFiles } from './unified-diff.ts';

const lines = (...all: string[]) => all.join('\n');

const CHANGED = lines(
  'diff --git a/bakery/oven.py b/bakery/oven.py',
  'index 0a1b2c3..4d5e6f7 100644',
  '--- a/bakery/oven.py',
  '+++ b/bakery/oven.py',
  '@@ -1,3 +1,3 @@ def heat():',
  ' def heat():',
  '-    return 180',
  '+    return 200',
  ' ',
);
const NEW = lines(
  'diff --git a/try_oven.py b/try_oven.py',
  'new file mode 100644',
  'index 0000000..1234567',
  '--- /dev/null',
  '+++ b/try_oven.py',
  '@@ -0,0 +1,2 @@',
  '+from bakery.oven import heat',
  '+print(heat())',
);

test('a changed and a new file', () => {
  expect(diffedFiles(lines('', CHANGED, NEW, ''))).toEqual([
    { path: 'bakery/oven.py', isNew: false, isDeleted: false, added: ['    return 200'], removed: ['    return 180'] },
    {
      path: 'try_oven.py',
      isNew: true,
      isDeleted: false,
      added: ['from bakery.oven import heat', 'print(heat())'],
      removed: [],
    },
  ]);
});

test.each([
  ['no git headers', lines('--- a/x.c\t2026-01-02', '+++ b/x.c\t2026-01-03', '@@ -1 +1 @@', '-a', '+b'), ['x.c']],
  [
    'two files without git headers',
    lines('--- x.c', '+++ x.c', '@@ -1 +1 @@', '-a', '+b', '--- y.c', '+++ y.c'),
    ['x.c', 'y.c'],
  ],
  [
    'a removed line that looks like a header',
    lines('--- a/x.sql', '+++ b/x.sql', '@@ -1,2 +1 @@', '--- a note', ' select 1', 'done'),
    ['x.sql'],
  ],
  ['a binary file', 'diff --git a/logo.png b/logo.png\nnew file mode 100644\nBinary files differ', ['logo.png']],
  ['Windows line endings', CHANGED.replaceAll('\n', '\r\n'), ['bakery/oven.py']],
  ['no diff', 'The difference is small: - one + two', []],
])('%s', (_, text, paths) => {
  expect(diffedFiles(text).map(({ path }) => path)).toEqual(paths);
});

test('a deleted file', () => {
  const text = lines(
    'diff --git a/x b/x',
    'deleted file mode 100644',
    '--- a/x',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '-a',
  );
  expect(diffedFiles(text)).toEqual([{ path: 'x', isNew: false, isDeleted: true, added: [], removed: ['a'] }]);
});

test('a diff that is truncated in a hunk keeps the lines before', () => {
  const [file] = diffedFiles(lines('--- a/x', '+++ b/x', '@@ -1,9 +1,9 @@', '+a', '[cut]', '+b'));
  expect(file!.added).toEqual(['a']);
});
