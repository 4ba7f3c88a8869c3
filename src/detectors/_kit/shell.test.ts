import { describe, expect, it } from 'vitest';
import { isReadOnlyCommand, shellCommand } from './shell.ts';

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

describe('shellCommand', () => {
  it.each([
    ['bash', { command: 'ls' }, 'ls'],
    ['Bash', 'ls', 'ls'],
    ['shell', { command: ['ls', '-la'] }, 'ls -la'],
    ['shell', { command: ['bash', '-lc', 'ls -la && pwd'] }, 'ls -la && pwd'],
    ['shell', { command: ['bash', 'run.sh', '-c'] }, 'bash run.sh -c'],
    ['run_commands', { commands: ['npm test', 'ls -la'] }, 'npm test\nls -la'],
    ['run_commands', { commands: [{ command: 'npm test' }, 7] }, 'npm test'],
    ['run_commands', { commands: [] }, null],
    ['search', { command: 'ls' }, null],
    ['bash', { restart: true }, null],
  ])('%s %j: %s', (tool, args, expected) => expect(shellCommand(tool, args)).toBe(expected));
});
