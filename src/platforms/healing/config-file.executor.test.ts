import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import fc from 'fast-check';
import fastJsonPatch from 'fast-json-patch';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createConfigFileExecutor } from './config-file.executor.ts';
import type { Change } from './executor.ts';
import { parseHealingRoot } from './healing-root.ts';

const ONE = { tenantId: 'ten_00000000000000000000000001', tenantNo: 1 };
const OTHER = { tenantId: 'ten_00000000000000000000000002', tenantNo: 2 };
const LIMIT: Change = { format: 'json-patch', before: null, after: '[{"op":"replace","path":"/limit","value":6}]' };

let folder: string;
let root: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-heal-'));
  root = join(folder, 'agents');
  mkdirSync(join(root, 'deep'), { recursive: true });
  writeFileSync(join(root, 'planner.json'), '{\n  "limit": 24\n}\n');
  writeFileSync(join(folder, 'outside.json'), '{"limit": 24}');
});
afterEach(() => rmSync(folder, { recursive: true }));

const executor = (roots = [root]) => createConfigFileExecutor(roots.map(parseHealingRoot));
const target = (overrides: object) => executor().target.parse(overrides);
const PLANNER = { path: 'planner.json', pointer: '' };
const text = () => readFileSync(join(root, 'planner.json'), 'utf8');

describe('a configuration file', () => {
  it('is changed and restored byte for byte; its mode is kept and no other file remains', async () => {
    chmodSync(join(root, 'planner.json'), 0o640);
    const one = executor();
    const before = await one.read(ONE, PLANNER);
    const planned = one.plan(PLANNER, before.content, [LIMIT]);
    await one.write(ONE, PLANNER, planned, before);
    expect(text()).toBe('{\n  "limit": 6\n}\n');
    await executor().write(ONE, PLANNER, before.content, { content: planned, version: null });
    expect(text()).toBe('{\n  "limit": 24\n}\n');
    expect(statSync(join(root, 'planner.json')).mode & 0o7777).toBe(0o640);
    expect(readdirSync(root).sort()).toEqual(['deep', 'planner.json']);
  });

  it('that was changed since it was read is not written', async () => {
    const before = await executor().read(ONE, PLANNER);
    writeFileSync(join(root, 'planner.json'), '{"limit": 12}');
    await expect(executor().write(ONE, PLANNER, '{}', before)).rejects.toMatchObject({ code: 'conflict' });
    expect(text()).toBe('{"limit": 12}');
    expect(readdirSync(root).sort()).toEqual(['deep', 'planner.json']);
  });

  it('may be in a subfolder or behind a link that stays inside the folder', async () => {
    writeFileSync(join(root, 'deep', 'clerk.yaml'), 'limit: 24\n');
    symlinkSync(join('deep', 'clerk.yaml'), join(root, 'linked.yaml'));
    const link = { path: 'linked.yaml', pointer: '' };
    await executor().write(ONE, link, 'limit: 6\n', await executor().read(ONE, link));
    expect(readFileSync(join(root, 'deep', 'clerk.yaml'), 'utf8')).toBe('limit: 6\n');
    expect(readdirSync(root).sort()).toEqual(['deep', 'linked.yaml', 'planner.json']);
  });

  it('may have an explicit format', async () => {
    writeFileSync(join(root, 'settings.conf'), 'limit: 24 # far\n');
    const planned = async (overrides: object) => {
      const one = executor();
      const to = target({ path: 'settings.conf', ...overrides });
      return one.plan(to, (await one.read(ONE, to)).content, [LIMIT]);
    };
    expect(await planned({ format: 'yaml' })).toBe('limit: 6 # far\n');
    await expect(planned({})).rejects.toThrow('cannot be made');
    await expect(planned({ format: 'text', pointer: '/limit' })).rejects.toThrow('cannot be made');
    await expect(planned({ format: 'json' })).rejects.toThrow('cannot be made');
  });

  it('that already has the change is rejected', async () => {
    const one = executor();
    await one.read(ONE, PLANNER);
    expect(() => one.plan(PLANNER, '{"limit": 6}', [LIMIT])).toThrow('changes nothing');
  });
});

describe('a path', () => {
  const refused = async (path: string, scope = ONE, roots = [root]) =>
    expect(executor(roots).read(scope, { path, pointer: '' })).rejects.toMatchObject({
      code: 'invalid_body',
      errors: [{ pointer: '/target/path' }],
    });

  it.each([
    '../outside.json',
    'deep/../../outside.json',
    '../agents/planner.json',
    '/etc/hostname',
    'planner.json\0',
    '..',
    '.',
    'none.json',
    'deep',
    '~/x',
  ])('%j is refused', (path) => refused(path));

  it('through links that leave the folder is rejected', async () => {
    symlinkSync(join(folder, 'outside.json'), join(root, 'file.json'));
    symlinkSync(folder, join(root, 'way'));
    await refused('file.json');
    await refused('way/outside.json');
    await refused('way/agents/../outside.json');
  });

  it('that is absolute is rejected', () => refused(join(root, 'planner.json')));

  it('of a device, a pipe or a folder is refused', async () => {
    symlinkSync('/dev/zero', join(root, 'zero'));
    await refused('zero');
  });

  it('into a folder with the same prefix is rejected', async () => {
    mkdirSync(`${root}-other`);
    writeFileSync(join(`${root}-other`, 'a.json'), '{}');
    await refused('../agents-other/a.json');
  });

  it('of a binary or too long file is rejected', async () => {
    writeFileSync(join(root, 'binary'), Buffer.from([0xff, 0xfe, 0x00]));
    writeFileSync(join(root, 'long'), 'x'.repeat(1024 * 1024 + 1));
    await refused('binary');
    await refused('long');
  });

  it('of a hard link is rejected, because its other name may be outside', async () => {
    linkSync(join(folder, 'outside.json'), join(root, 'hard.json'));
    const hard = { path: 'hard.json', pointer: '' };
    await refused('hard.json');
    const expected = { content: '{"limit": 24}', version: null };
    await expect(executor().write(ONE, hard, '{}', expected)).rejects.toMatchObject({ code: 'invalid_body' });
    expect(readFileSync(join(folder, 'outside.json'), 'utf8')).toBe('{"limit": 24}');
  });

  it('is resolved only in folders of its tenant', async () => {
    const roots = [`${ONE.tenantId}=${root}`];
    expect((await executor(roots).read(ONE, PLANNER)).content).toContain('24');
    await expect(executor(roots).read(OTHER, PLANNER)).rejects.toMatchObject({ code: 'conflict' });
    await expect(executor([]).read(ONE, PLANNER)).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('any file', () => {
  const RUNS = { numRuns: 60, seed: 20_260_115 };
  /** Executes and rolls back as the service does. @returns the content on the disk afterwards */
  async function applyAndRollBack(
    path: string,
    content: string,
    change: Change,
  ): Promise<[there: string, back: string]> {
    const file = join(root, path);
    writeFileSync(file, content);
    const to = target({ path });
    const one = executor();
    const before = await one.read(ONE, to);
    await one.write(ONE, to, one.plan(to, before.content, [change]), before);
    const there = await executor().read(ONE, to);
    await executor().write(ONE, to, before.content, there);
    return [there.content, readFileSync(file, 'utf8')];
  }

  it('of JSON is as it was after a patch is rolled back', async () => {
    const member = fc.oneof(fc.integer(), fc.string(), fc.array(fc.integer(), { maxLength: 3 }));
    const document = fc.dictionary(fc.constantFrom('a', 'b', 'c/d', ' '), member);
    const spacing = fc.constantFrom(0, 1, 2, 4, '\t');
    await fc.assert(
      fc.asyncProperty(document, document, spacing, async (one, other, space) => {
        const operations = fastJsonPatch.compare(one, other);
        fc.pre(operations.length > 0);
        const content = JSON.stringify(one, null, space);
        const change: Change = { format: 'json-patch', before: null, after: JSON.stringify(operations) };
        const [there, back] = await applyAndRollBack('any.json', content, change);
        expect(JSON.parse(there)).toEqual(other);
        expect(back).toBe(content);
      }),
      RUNS,
    );
  });

  it('of text is as it was after a diff is rolled back', async () => {
    const line = fc.constantFrom('one', 'two', 'three', '', '  - four', 'ä☃', '--- a', '+++ b', '@@ -1 +1 @@');
    const lines = fc.array(line, { minLength: 1, maxLength: 12 }).map((all) => `${all.join('\n')}\n`);
    await fc.assert(
      fc.asyncProperty(lines, lines, async (one, other) => {
        fc.pre(one !== other);
        const change: Change = {
          format: 'unified-diff',
          before: null,
          after: createTwoFilesPatch('a', 'b', one, other),
        };
        expect(await applyAndRollBack('any.txt', one, change)).toEqual([other, one]);
      }),
      RUNS,
    );
  });
});
