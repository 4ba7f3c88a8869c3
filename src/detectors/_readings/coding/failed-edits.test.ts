import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { failedEdits } from './failed-edits.ts';

test.each([
  ['tool Edit {"file_path":"/srv/a.ts"} flag error -> "String to replace not found"', [['/srv/a.ts', false, false]]],
  ['tool Edit {"file_path":"/srv/a.ts"} flag ok -> "error: not found is now handled"', []],
  ['tool Edit {"file_path":"/srv/a.ts"} refused user "no" -> "rejected"', []],
  [
    'tool apply_patch "*** Begin Patch\\n*** Update File: a.py\\n" exit 1 -> "apply_patch verification failed: Failed to find expected lines"',
    [['a.py', true, false]],
  ],
  [
    'tool apply_patch "*** Begin Patch\\n*** Update File: a.py\\n*** Update File: docs/b.md\\n" exit 1 -> "apply_patch verification failed: Failed to find expected lines in /srv/docs/b.md:\\nx = 1"',
    [['/srv/docs/b.md', true, false]],
  ],
  [
    'tool apply_patch "*** Begin Patch\\n*** Update File: a.py\\n*** Update File: b.py\\n" exit 1 -> "apply_patch verification failed: invalid hunk at line 28, Update hunk does not contain any lines"',
    [[null, true, true]],
  ],
  ['tool Bash {"command":"git apply fix.diff"} exit 1 -> "error: patch does not apply"', [[null, true, false]]],
  ['tool Bash {"command":"git apply --help"} exit 1 -> "usage"', []],
])('%s', (line, expected) => {
  expect(
    failedEdits(parseTrace(`agent dev\n${line}`)).map(({ path, isPatch, isMalformed }) => [path, isPatch, isMalformed]),
  ).toEqual(expected);
});
