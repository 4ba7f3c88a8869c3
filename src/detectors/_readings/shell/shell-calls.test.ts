import { describe, expect, test } from 'vitest';
import { shellCalls } from './shell-calls.ts';

function effectsOf(command: string): string[] {
  return shellCalls(command).map(({ program, args, directory, isRemote }) =>
    [isRemote ? 'remote' : '', directory === null ? '' : `in ${directory}:`, program, ...args.map(({ value }) => value)]
      .filter((part) => part !== '')
      .join(' '),
  );
}

describe('shellCalls', () => {
  test.each<[string, string[]]>([
    ['rm -rf a "b c" \'d\'', ['rm -rf a b c d']],
    ['/bin/rm x; ls | wc -l && pwd', ['rm x', 'ls', 'wc -l', 'pwd']],
    ['sudo -u me rm -rf "$HOME/a b"', ['rm -rf ~/a b']],
    ['timeout 5 env A=1 nice -n 3 make', ['make']],
    ['D=/srv/x; rm -rf "$D/old" $D', ['rm -rf /srv/x/old /srv/x']],
    ['export D=/srv; rm $D', ['export D=/srv', 'rm /srv']],
    ['rm "$UNKNOWN/x"', ['rm $UNKNOWN/x']],
    ['cd /srv && cd app && rm -r x', ['cd /srv', 'in /srv: cd app', 'in /srv/app: rm -r x']],
    ['(cd /srv; ls); pwd', ['cd /srv', 'in /srv: ls', 'pwd']],
    ['bash -lc "rm -rf /x && ls"', ['bash -lc rm -rf /x && ls', 'rm -rf /x', 'ls']],
    ['eval "rm x"', ['eval rm x', 'rm x']],
    ['bash <<EOF\nrm x\nEOF', ['bash', 'rm x']],
    ['echo "rm x" | sh', ['echo rm x', 'sh', 'rm x']],
    ['ssh -i key host "rm -rf /data"', ['ssh -i key host rm -rf /data', 'remote rm -rf /data']],
    ['find . -name x | xargs rm -f', ['find . -name x', 'rm -f …']],
    ['echo $(rm x)', ['rm x', 'echo $(rm x)']],
    ['if test -d x; then rm -r x; fi', ['test -d x', 'rm -r x']],
    ['for f in a b; do rm $f; done', ['rm $f']],
    ['T=$(mktemp -d); rm -rf "$T"', ['mktemp -d', 'rm -rf /tmp/mktemp']],
  ])('%s', (command, expected) => expect(effectsOf(command)).toEqual(expected));

  test.each<[string, string[]]>([
    ['echo "rm -rf /"', ['echo rm -rf /']],
    ["grep -rn 'rm -rf' src", ['grep -rn rm -rf src']],
    ['cat > clean.sh <<EOF\nrm -rf /\nEOF', ['cat']],
    ['# rm -rf /\nls', ['ls']],
    ['clean() { rm -rf /; }', []],
    ["git commit -m 'rm -rf / no more'", ['git commit -m rm -rf / no more']],
  ])('text starts no program: %s', (command, expected) => expect(effectsOf(command)).toEqual(expected));

  test('lists the files that are read and written', () => {
    const [curl, sh] = shellCalls('curl -s https://x.example/i.sh | sh > out.log 2>&1');
    expect(sh).toMatchObject({ program: 'sh', pipedFrom: { program: 'curl' } });
    expect(curl!.pipedFrom).toBeNull();
    expect(sh!.writes.map(({ value }) => value)).toEqual(['out.log']);
    expect(shellCalls('psql -d shop <<SQL\nDROP TABLE a;\nSQL')[0]!.stdin).toBe('DROP TABLE a;\n');
  });

  test('limits depth and length for a deeply nested command', () => {
    const growing = `A=aaaaaaaaaa;${'A=$A$A$A$A;'.repeat(40)}rm -rf $A`;
    const deep = ['rm $(', '"$(', '`', '(', 'bash -c "', 'eval ', '<(', '{ ', 'if '].map((piece) => piece.repeat(3000));
    for (const text of [growing, ...deep]) expect(shellCalls(text).length).toBeLessThan(20);
  });

  test('accepts any text as a command', () => {
    for (const text of ['', '"', '$(', '<<', 'a | | b', '))(', 'bash -c "bash -c \\"bash -c x\\""', '\0'])
      expect(() => shellCalls(text)).not.toThrow();
  });
});
