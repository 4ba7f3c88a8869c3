import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readPackageComponents } from './components.ts';

const FOLDER = 'node_modules/planted';
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'misstep-components-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A project with one package. */
function plant(manifest: object, files: Readonly<Record<string, string>>, folder = FOLDER): void {
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'LICENSE'), 'MIT License\n\nCopyright (c) us\n\nPermission is granted.\n');
  const packages = { '': { version: '1.0.0' }, [folder]: { version: '2.0.0', integrity: 'sha512-AAAA' } };
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
  writeFileSync(join(root, folder, 'package.json'), JSON.stringify(manifest));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, folder, name), text);
}

it.each<[string, object, Record<string, string>, string]>([
  [
    'a licence that is not on the list',
    { license: 'SSPL-1.0' },
    { LICENSE: 'text' },
    'planted 2.0.0 has the licence SSPL-1.0',
  ],
  ['no licence', {}, { LICENSE: 'text' }, 'planted 2.0.0 names no licence'],
  ['a licence in the old form', { license: { type: 'MIT' } }, { LICENSE: 'text' }, 'names no licence'],
  ['no licence file', { license: 'MIT' }, { 'README.md': 'MIT' }, 'planted 2.0.0 has no licence file'],
  ['an empty licence file', { license: 'MIT' }, { LICENSE: '\n' }, 'has no licence file'],
])('a package with %s is rejected', (_name, manifest, files, message) => {
  plant(manifest, files);
  expect(() => readPackageComponents(root, [FOLDER])).toThrow(message);
});

it.each([['LICENSE'], ['LICENCE.md'], ['license.txt'], ['LICENSE-MIT'], ['COPYING']])(
  'the licence is read from %s, together with a notice',
  (file) => {
    plant({ license: 'MIT' }, { [file]: 'the licence\n', NOTICE: 'the notice\n', 'licenses.js': 'code' });
    const [component] = readPackageComponents(root, [FOLDER]);
    expect(component).toMatchObject({ name: 'planted', version: '2.0.0', license: 'MIT', integrity: 'sha512-AAAA' });
    expect(component).toMatchObject({ purl: 'pkg:npm/planted@2.0.0' });
    expect(component?.text.split('\n\n').sort()).toEqual(['the licence', 'the notice']);
  },
);

it('a package without a licence file gets a text with its own copyright line', () => {
  plant({ license: 'MIT' }, {}, 'node_modules/koa-compose');
  const [component] = readPackageComponents(root, ['node_modules/koa-compose']);
  expect(component?.text).toMatch(/^MIT License\n\nCopyright \(c\) 2013 TJ Holowaychuk.*\n\nPermission is granted/);
});
