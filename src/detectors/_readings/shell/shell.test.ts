import { describe, expect, it } from 'vitest';
import { isReadOnlyCommand } from './shell.ts';

describe('isReadOnlyCommand', () => {
  it.each([
    'ls -F',
    'cat a.txt | grep -n x | head -5',
    'cd src && git status && git diff HEAD~1',
    'sed -n "1,20p" a.py',
    'find . -name "*.py" 2>/dev/null',
    'grep "a > b" x.c',
    'LANG=C sort a | uniq -c',
    'timeout 5 cat big.log',
  ])('reads: %s', (command) => expect(isReadOnlyCommand(command)).toBe(true));

  it.each([
    'rm x',
    'echo hi > a.txt',
    'sed -i s/a/b/ a.py',
    'find . -name x -delete',
    'cat <<EOF > a\nx\nEOF',
    'git commit -m x',
    'pytest -q',
    'ls && python run.py',
    'cat $(make out)',
  ])('changes: %s', (command) => expect(isReadOnlyCommand(command)).toBe(false));
});
