// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the scripts are texts with template literals
import { describe, expect, it } from 'vitest';
import type { Json } from '../../core/json.ts';
import { scriptCalls } from './script-calls.ts';

const ROWS: [string, string, [string, Json][]][] = [
  [
    'a command in an object literal',
    'const r = await tools.exec_command({cmd: "npm test", yield_time_ms: 1_000});\ntext(r.output);',
    [['exec_command', { cmd: 'npm test', yield_time_ms: 1000 }]],
  ],
  [
    'quoted keys and escapes',
    String.raw`tools.exec_command({"cmd":"printf 'a\n\u0041'"})`,
    [['exec_command', { cmd: "printf 'a\nA'" }]],
  ],
  [
    'a constant as the whole argument',
    'const patch = "*** Begin Patch\\n+x";\ntext(await tools.apply_patch(patch));',
    [['apply_patch', '*** Begin Patch\n+x']],
  ],
  [
    'a template without expressions',
    'await tools.apply_patch(`*** Begin\n+${"$"}`)',
    [['apply_patch', '*** Begin\n+${"$"}']],
  ],
  ['a raw template', 'await tools.apply_patch(String.raw`a\\n`)', [['apply_patch', 'a\\n']]],
  [
    'a template with a constant',
    'const d = "/srv"; tools.exec_command({cmd: `ls ${d}/ferry`})',
    [['exec_command', { cmd: 'ls /srv/ferry' }]],
  ],
  [
    'an unknown part of a template',
    'tools.exec_command({cmd: `kill ${pid}`})',
    [['exec_command', { cmd: 'kill ${pid}' }]],
  ],
  [
    'an unknown command',
    'tools.exec_command({cmd: build(1, [2]), workdir: "/srv"})',
    [['exec_command', { cmd: '${build(1, [2])}', workdir: '/srv' }]],
  ],
  ['added texts', "tools.exec_command({cmd: 'git ' + 'status'})", [['exec_command', { cmd: 'git status' }]]],
  ['joined lines', 'tools.apply_patch(["a", "b"].join("\\n"))', [['apply_patch', 'a\nb']]],
  [
    'a list that is mapped',
    'const cmds = ["ls", "pwd"];\nawait Promise.all(cmds.map(cmd => tools.exec_command({cmd, workdir: "/srv"})));',
    [
      ['exec_command', { cmd: 'ls', workdir: '/srv' }],
      ['exec_command', { cmd: 'pwd', workdir: '/srv' }],
    ],
  ],
  [
    'a list literal that is mapped with an async function',
    'await Promise.all(["ls", "pwd"].map(async (c) => tools.exec_command({cmd: c})))',
    [
      ['exec_command', { cmd: 'ls' }],
      ['exec_command', { cmd: 'pwd' }],
    ],
  ],
  [
    'a loop over objects',
    'for (const step of [{cmd: "a"}, {cmd: "b"}]) { text((await tools.exec_command({cmd: step.cmd})).output) }',
    [
      ['exec_command', { cmd: 'a' }],
      ['exec_command', { cmd: 'b' }],
    ],
  ],
  [
    'several calls at once',
    'const [a, b] = await Promise.all([tools.exec_command({cmd: "ls"}), tools.mcp__probe__search({query: "x"})]);',
    [
      ['exec_command', { cmd: 'ls' }],
      ['mcp__probe__search', { query: 'x' }],
    ],
  ],
  [
    'no call in a text, a comment or a regular expression',
    '// tools.exec_command({})\ntext("tools.exec_command({})"); /* tools.a() */ x = /tools.b()/;',
    [],
  ],
  ['no call of another object', 'my.tools.exec_command({cmd: "ls"}); tools; tools.list', []],
  [
    'a division, not a regular expression',
    'const n = total / 2; tools.exec_command({cmd: "ls"}); m = 4 / 2;',
    [['exec_command', { cmd: 'ls' }]],
  ],
  [
    'a script that ends in the middle of a text',
    'tools.exec_command({cmd: "ls"}); tools.exec_command({cmd: "rm',
    [
      ['exec_command', { cmd: 'ls' }],
      ['exec_command', {}],
    ],
  ],
  ['a call without arguments', 'tools.list_agents()', [['list_agents', null]]],
];

describe('calls in a script', () => {
  it.each(ROWS)('%s', (_title, script, expected) => {
    expect(scriptCalls(script).map(({ tool, arguments: args }) => [tool, args])).toEqual(expected);
  });

  it.each([
    ['constants in constants', 'const a=['.repeat(40_000)],
    ['regular expressions that never end', '/['.repeat(100_000)],
    ['nested calls', 'tools.a('.repeat(40_000)],
    ['lists before maps', `[${'1,'.repeat(1000)}].map(${'x=>[].map('.repeat(10_000)}`],
    ['nested templates', '`${'.repeat(100_000)],
  ])('takes linear time: %s', (_title, script) => {
    expect(scriptCalls(script).length).toBeLessThanOrEqual(64);
  });
});
