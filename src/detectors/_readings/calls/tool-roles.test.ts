import { describe, expect, it } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { toolUses } from './calls.ts';

function commandsIn(lines: string): (string | null)[] {
  return toolUses(parseTrace(`agent dev\n${lines}`)).map(({ command }) => command);
}

describe('a shell recognized by its name and a command argument', () => {
  it.each([
    ['bash {"command":"ls"}', 'ls'],
    ['Bash {"command":"weave --all"}', 'weave --all'],
    ['shell {"command":["ls","-la"]}', 'ls -la'],
    ['shell {"command":["bash","-lc","ls -la && pwd"]}', 'ls -la && pwd'],
    ['shell {"command":["bash","run.sh","-c"]}', 'bash run.sh -c'],
    ['run_commands {"commands":["npm test","ls -la"]}', 'npm test\nls -la'],
    ['run_commands {"commands":[{"command":"npm test"},7]}', 'npm test'],
    ['run_commands {"commands":[]}', null],
    ['terminal [{"keystrokes":"npm test\\n","duration":5},{"keystrokes":"","duration":9}]', 'npm test'],
    [
      'terminal "[{\\"keystrokes\\":\\"ls -R /root\\\\n\\"},{\\"keystrokes\\":\\"pip list\\\\n\\"}]"',
      'ls -R /root\npip list',
    ],
    ['bash_command {"keystrokes":"git status\\n","is_blocking":true}', 'git status'],
    ['terminal [{"keystrokes":"C-c"}]', null],
    ['bash {"restart":true}', null],
    ['execute {"order":"two teas"}', null],
  ])('%s', (call, expected) => expect(commandsIn(`tool ${call} -> "ok"`)).toEqual([expected]));
});

describe('a shell recognized by its arguments, with any name', () => {
  it.each([
    'Bash_v2 {"command":"npm test"}',
    'befehl_ausfuehren {"command":"git status"}',
    'ejecutar {"cmd":"make all"}',
    '実行 {"command":"sudo systemctl restart nginx"}',
    'qkokon {"command":"FOO=1 ./mill --grind"}',
    'qkokon {"commands":["cd /srv","ls"]}',
    'run_remote {"command":"Get-ChildItem -Recurse"}',
    'run_remote {"command":"for f in *.txt; do wc -l $f; done"}',
  ])('%s', (call) => expect(commandsIn(`tool ${call} -> "ok"`)).not.toContain(null));

  it('two commands in an argument of any name, or as plain text', () => {
    const lines = (first: string, second: string) => `tool ${first} -> "x"\ntool ${second} -> "y"`;
    const german = lines('konsole {"befehl":"grep -rn fare src | head"}', 'konsole {"befehl":"ls -la /srv"}');
    expect(commandsIn(german)).toEqual(['grep -rn fare src | head', 'ls -la /srv']);
    expect(commandsIn(lines('uruchom "ls -la /srv"', 'uruchom "cat /srv/a.txt"'))).not.toContain(null);
    expect(commandsIn(lines('suche {"query":"ls -la /srv"}', 'suche {"query":"cat /srv/a.txt"}'))).toEqual([
      null,
      null,
    ]);
    expect(commandsIn('tool uruchom "ls -la /srv" -> "x"')).toEqual([null]);
  });

  it('an unknown program with an exit code', () => {
    expect(commandsIn('tool uruchom {"command":"weave --all"} exit 3 -> "no loom"')).toEqual(['weave --all']);
    expect(commandsIn('tool uruchom {"command":"weave --all"} -> "exit code: 3"')).toEqual(['weave --all']);
  });

  it('not a shell if one of its calls is not a command', () => {
    const calls = 'tool robot {"command":"touch ./button"} -> "ok"\ntool robot {"command":"turn left"} -> "ok"';
    expect(commandsIn(calls)).toEqual([null, null]);
  });
});

describe('not a shell', () => {
  it.each([
    'robot {"command":"move forward"}',
    'robot {"command":"open door"}',
    'game {"command":"go to desk 1"}',
    'game {"command":"find the key"}',
    'search {"query":"find hotels in Oslo"}',
    'search {"query":"docker"}',
    'suche {"anfrage":"docker run --privileged nsenter"}',
    'search {"query":"git rebase"}',
    'ask {"text":"cat or dog?"}',
    'str_replace_editor {"command":"view","path":"/srv/a.py"}',
    'editor {"command":"create","path":"/srv/a.py","file_text":"x"}',
    'slack {"command":"remind me"}',
    'qkokon {"command":"*** Begin Patch\\n*** Update File: a.py\\n"}',
    'note "echo of the past"',
  ])('%s', (call) => expect(commandsIn(`tool ${call} -> "ok"`)).toEqual([null]));
});
