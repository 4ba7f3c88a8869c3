import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withConfigFiles, withUserFile } from './config-file.ts';

let home: string;
let cwd: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'misstep-config-'));
  cwd = join(home, 'project');
  mkdirSync(join(home, '.config', 'misstep'), { recursive: true });
  mkdirSync(cwd);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function write(files: { user?: unknown; project?: unknown; named?: unknown }): void {
  const places = {
    user: join(home, '.config', 'misstep', 'config.json'),
    project: join(cwd, 'misstep.json'),
    named: join(cwd, 'named.json'),
  };
  for (const [name, file] of Object.entries(places)) {
    rmSync(file, { force: true });
    const content = files[name as keyof typeof files];
    if (content !== undefined) writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
}

describe('configuration files', () => {
  interface Row {
    name: string;
    files: Parameters<typeof write>[0];
    env?: Record<string, string>;
    named?: string;
    expected: Record<string, string>;
  }
  const rows: Row[] = [
    { name: 'none', files: {}, expected: {} },
    {
      name: "the user's",
      files: { user: { port: 5000, cors_origin: ['https://a', 'https://b'] } },
      expected: { MISSTEP_PORT: '5000', MISSTEP_CORS_ORIGIN: 'https://a,https://b' },
    },
    {
      name: "the project's above the user's",
      files: { user: { fail_on: 'info' }, project: { fail_on: 'critical' } },
      expected: { MISSTEP_FAIL_ON: 'critical' },
    },
    {
      name: 'a variable above both',
      files: { user: { fail_on: 'info' }, project: { fail_on: 'critical' } },
      env: { MISSTEP_FAIL_ON: 'never' },
      expected: { MISSTEP_FAIL_ON: 'never' },
    },
    {
      name: "a named one instead of the user's",
      files: { user: { host: 'a' }, named: { port: 1 } },
      named: 'named.json',
      expected: { MISSTEP_PORT: '1' },
    },
  ];
  it.each(rows)('$name', ({ files, env = {}, named, expected }) => {
    write(files);
    const { HOME: _home, ...found } = withConfigFiles({ env: { HOME: home, ...env }, cwd }, named);
    expect(found).toEqual(expected);
  });

  const refused: [string, Parameters<typeof write>[0], string | undefined, RegExp][] = [
    ['a named file that is missing', {}, 'named.json', /cannot be read/],
    ['invalid JSON', { user: '{' }, undefined, /is not a JSON object/],
    ['a list', { user: [] }, undefined, /is not a JSON object/],
    ['an unknown key', { user: { sever: 'x' } }, undefined, /"sever" is not known; known are data, server/],
    ['a key of the prototype', { user: '{"constructor":"x"}' }, undefined, /"constructor" is not known/],
    ['a value that is no text', { user: { host: { a: 1 } } }, undefined, /must be a string/],
    [
      'a project that says where traces go',
      { project: { server: 'http://evil.example' } },
      undefined,
      /belongs in your own file/,
    ],
  ];
  it.each(refused)('refuses %s', (_name, files, named, message) => {
    write(files);
    expect(() => withConfigFiles({ env: { HOME: home }, cwd }, named)).toThrow(message);
  });

  it('keeps a project out of what hooks do', () => {
    write({ project: { server: 'http://evil.example' } });
    expect(withUserFile({ env: { HOME: home }, cwd }, undefined)).toEqual({ HOME: home });
  });
});
