import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundle } from './bundle.ts';
import { sourceDate, toCycloneDx } from './cyclonedx.ts';
import { type ExecutableComponents, readExecutableComponents } from './executable-components.ts';
import { packageNameOf, readLockedPackages } from './locked-packages.ts';
import { toNotices } from './notices.ts';

const root = resolve(import.meta.dirname, '../..');

interface Bom {
  serialNumber: string;
  metadata: { timestamp?: string; component: { 'bom-ref': string } };
  components: {
    'bom-ref': string;
    name: string;
    version: string;
    purl: string;
    licenses: object[];
    hashes?: object[];
  }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

/** The official schema, as the CycloneDX library ships it. */
function schemaValidator(): ValidateFunction {
  const library = dirname(createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json'));
  const schemaOf = (name: string) =>
    JSON.parse(readFileSync(join(library, 'res/schema', `${name}.SNAPSHOT.schema.json`), 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true });
  (addFormats as unknown as (ajv: Ajv) => void)(ajv);
  ajv.addFormat('iri-reference', /^[^\s<>"{}|\\^`]*$/).addFormat('idn-email', /^\S+@\S+$/);
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema(schemaOf(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  return ajv.compile(schemaOf('bom-1.6'));
}

describe('the bill of materials of the bundled packages', () => {
  let folders: string[];
  let contents: ExecutableComponents;
  let text: string;
  let bom: Bom;
  beforeAll(async () => {
    folders = (await bundle('1.2.3')).packages;
    contents = readExecutableComponents(root, folders);
    text = toCycloneDx('1.2.3', contents, null);
    bom = JSON.parse(text);
  });

  it('and the notices name every bundled package, Node.js and SQLite, with a licence text', () => {
    const packages = readLockedPackages(root);
    const expected = folders.map((folder) => `${packageNameOf(folder)} ${packages[folder]?.version}`);
    expect(folders).toEqual(expect.arrayContaining(['node_modules/koa', 'node_modules/better-sqlite3']));
    const notices = toNotices('1.2.3', 'our licence', contents.components);
    const titles = notices.map(({ name, version }) => `${name} ${version}`);
    expect(titles).toEqual(expect.arrayContaining([...expected, `node ${process.versions.node}`]));
    expect(titles[0]).toBe('misstep 1.2.3');
    expect(notices.filter(({ text }) => text.length < 11)).toEqual([]);
    expect(notices.find(({ name }) => name === 'node')?.text).toContain('OpenSSL');
    expect(notices.find(({ name }) => name === 'sqlite')?.text).toContain('public domain');
    expect(bom.components.map(({ purl }) => purl).sort()).toEqual(contents.components.map(({ purl }) => purl).sort());
    expect(bom.components).toHaveLength(notices.length - 1);
  });

  it('is valid by the schema of CycloneDX 1.6', () => {
    const validate = schemaValidator();
    expect(validate(bom), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true);
    expect(
      validate({ ...bom, components: [{ ...bom.components[0], licenses: [{ license: { id: 'No-Such-Id' } }] }] }),
    ).toBe(false);
    expect(validate({ ...bom, serialNumber: 'urn:uuid:1' })).toBe(false);
  });

  it('has a licence for each component, and the hash of the lockfile for each package', () => {
    expect(bom.components.filter(({ licenses }) => licenses.length === 0)).toEqual([]);
    const packages = bom.components.filter(({ purl }) => purl.startsWith('pkg:npm/'));
    expect(packages.filter(({ hashes }) => hashes?.length !== 1).map(({ purl }) => purl)).toEqual([]);
    const koa = readLockedPackages(root)['node_modules/koa']?.integrity?.slice('sha512-'.length) ?? '';
    const content = Buffer.from(koa, 'base64').toString('hex');
    expect(packages.find(({ name }) => name === 'koa')?.hashes).toEqual([{ alg: 'SHA-512', content }]);
  });

  it('has a graph in which every component can be reached from misstep', () => {
    const graph = new Map(bom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn ?? []]));
    const reached = new Set<string>();
    const visit = (ref: string): void => {
      if (reached.has(ref)) return;
      reached.add(ref);
      for (const next of graph.get(ref) ?? []) visit(next);
    };
    visit(bom.metadata.component['bom-ref']);
    expect(bom.components.map((component) => component['bom-ref']).filter((ref) => !reached.has(ref))).toEqual([]);
    expect([...graph.keys()]).toHaveLength(bom.components.length + 1);
    expect(graph.get(bom.components.find(({ name }) => name === 'better-sqlite3')!['bom-ref'])?.join()).toContain(
      'sqlite@',
    );
  });

  it('is the same for two runs and differs for other content', () => {
    expect(toCycloneDx('1.2.3', readExecutableComponents(root, folders.toReversed()), null)).toBe(text);
    const other = JSON.parse(toCycloneDx('1.2.4', contents, null)) as Bom;
    expect(other.serialNumber).not.toBe(bom.serialNumber);
    expect(bom.metadata.timestamp).toBeUndefined();
  });

  it('has the time of SOURCE_DATE_EPOCH if it is set', () => {
    const date = sourceDate({ SOURCE_DATE_EPOCH: '1700000000' });
    expect((JSON.parse(toCycloneDx('1.2.3', contents, date)) as Bom).metadata.timestamp).toBe(
      '2023-11-14T22:13:20.000Z',
    );
  });
});

it.each([[{}], [{ SOURCE_DATE_EPOCH: '' }]])('without SOURCE_DATE_EPOCH there is no time: %j', (environment) => {
  expect(sourceDate(environment)).toBeNull();
});

it.each(['now', '-1', '1.5', '999999999999'])('SOURCE_DATE_EPOCH=%s is rejected', (value) => {
  expect(() => sourceDate({ SOURCE_DATE_EPOCH: value })).toThrow('SOURCE_DATE_EPOCH');
});
