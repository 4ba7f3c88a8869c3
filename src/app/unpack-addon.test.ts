import {
  chmodSync,
  existsSync,
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
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cacheFolders } from './runtime-assets.ts';
import { type EmbeddedAddon, unpackAddon } from './unpack-addon.ts';

const CONTENT = 'machine code';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'misstep-unpack-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function addon(isRefused: (file: string) => boolean = () => false) {
  const calls = { reads: 0 };
  const embedded: EmbeddedAddon = {
    name: 'addon-1234.node',
    size: CONTENT.length,
    read: () => {
      calls.reads += 1;
      return Buffer.from(CONTENT);
    },
    load: (file) => {
      if (isRefused(file) || readFileSync(file, 'utf8') !== CONTENT) throw new Error('failed to map segment');
    },
  };
  return { embedded, calls };
}

describe('unpacking the addon', () => {
  it('writes the addon once, into a folder that only its owner can access', () => {
    const { embedded, calls } = addon();
    const folder = join(root, 'a', 'b');
    const files = [unpackAddon([folder], embedded), unpackAddon([folder], embedded)];
    expect(files).toEqual([join(folder, embedded.name), join(folder, embedded.name)]);
    expect(calls.reads).toBe(1);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder)).toEqual([embedded.name]);
  });

  it.each([
    ['a file in its way', () => writeFileSync(join(root, 'first'), '')],
    ['a link to a file in its way', () => symlinkSync('/dev/null', join(root, 'first'))],
  ])('uses the next folder if the first contains %s', (_title, block) => {
    block();
    const { embedded } = addon();
    expect(unpackAddon([join(root, 'first'), join(root, 'second')], embedded)).toBe(
      join(root, 'second', embedded.name),
    );
  });

  it.runIf(existsSync('/proc/self'))(
    'uses the next folder after /proc, where creating a folder recursively never ends',
    () => {
      const { embedded } = addon();
      expect(unpackAddon(['/proc/.cache/misstep', join(root, 'b')], embedded)).toBe(join(root, 'b', embedded.name));
    },
  );

  it('skips a volume from which no code can be loaded, and leaves no file there', () => {
    const { embedded } = addon((file) => file.startsWith(join(root, 'noexec')));
    const file = unpackAddon([join(root, 'noexec'), join(root, 'good')], embedded);
    expect(file).toBe(join(root, 'good', embedded.name));
    expect(readdirSync(join(root, 'noexec'))).toEqual([]);
  });

  it.each([
    ['torn', 'machine'],
    ['of the right size with other content', 'xxxxxxxxxxxx'],
  ])('replaces a file that is %s', (_title, content) => {
    const { embedded } = addon();
    writeFileSync(join(root, embedded.name), content);
    expect(readFileSync(unpackAddon([root], embedded), 'utf8')).toBe(CONTENT);
  });

  it('removes write access of others from its folder', () => {
    mkdirSync(join(root, 'open'));
    chmodSync(join(root, 'open'), 0o777);
    unpackAddon([join(root, 'open')], addon().embedded);
    expect(statSync(join(root, 'open')).mode & 0o777).toBe(0o700);
  });

  it('reports the error of every folder', () => {
    writeFileSync(join(root, 'file'), '');
    const folders = [join(root, 'file', 'in'), join(root, 'noexec')];
    const refused = addon(() => true).embedded;
    expect(() => unpackAddon(folders, refused)).toThrow(/file\/in: .*; .*noexec: failed to map segment/);
  });
});

describe('cacheFolders', () => {
  it.each([
    ['home', {}, '/home/a', '/home/a/.cache/misstep'],
    ['XDG_CACHE_HOME before home', { XDG_CACHE_HOME: '/c' }, '/home/a', '/c/misstep'],
    ['no home', { TMPDIR: '/t' }, null, '/t/misstep-7'],
  ])('%s', (_title, environment, home, first) => {
    const folders = cacheFolders(environment, home, 7);
    expect(folders[0]).toBe(first);
    expect(folders.at(-1)).toBe('/dev/shm/misstep-7');
  });
});
