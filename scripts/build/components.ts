import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAllowedLicense } from './license-policy.ts';
import { bundledDependencies, type LockedPackages, packageNameOf, readLockedPackages } from './locked-packages.ts';
import { missingLicenseText } from './missing-license-texts.ts';

/** A third party's work that is part of the executable. */
export interface Component {
  name: string;
  version: string;
  /** SPDX expression. */
  license: string;
  /** Full text of its licence and notices. */
  text: string;
  /** Package URL; identifies the component. */
  purl: string;
  /** `sha512-<base64>` of its npm archive; null if it has none. */
  integrity: string | null;
  /** Name by which vulnerability databases know it; null if its purl is enough. */
  cpe: string | null;
  /** Package URLs of the components that it depends on. */
  dependsOn: readonly string[];
}

const LICENSE_FILES = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/**
 * The npm packages of these folders.
 * @param folders as the lockfile names them, such as `node_modules/koa`
 * @throws Error that names the package if it has no licence, no licence text or a licence that is not allowed
 */
export function readPackageComponents(root: string, folders: readonly string[]): Component[] {
  const packages = readLockedPackages(root);
  const bundled = new Set(folders);
  const mitText = readFileSync(join(root, 'LICENSE'), 'utf8');
  const components = folders.map((folder) => {
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { license?: unknown };
    const name = packageNameOf(folder);
    return requireLicense({
      name,
      version: packages[folder]?.version ?? '',
      license: typeof manifest.license === 'string' ? manifest.license : '',
      text: licenseTextOf(join(root, folder)) || missingLicenseText(name, mitText),
      purl: packagePurl(packages, folder),
      integrity: packages[folder]?.integrity ?? null,
      cpe: null,
      dependsOn: bundledDependencies(packages, folder, bundled).map((each) => packagePurl(packages, each)),
    });
  });
  // Two folders can hold the same version of a package.
  return [...new Map(components.map((component) => [component.purl, component])).values()];
}

/** Package URLs of the components that the project itself depends on. */
export function directDependencies(root: string, folders: readonly string[]): string[] {
  const packages = readLockedPackages(root);
  return bundledDependencies(packages, '', new Set(folders)).map((folder) => packagePurl(packages, folder));
}

export function packagePurl(packages: LockedPackages, folder: string): string {
  return `pkg:npm/${packageNameOf(folder).replace('@', '%40')}@${packages[folder]?.version}`;
}

/** The licence and notice files of a folder, joined; empty if the folder has none. */
export function licenseTextOf(folder: string): string {
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && LICENSE_FILES.test(entry.name),
  );
  const names = files.map(({ name }) => name).sort();
  return names.map((name) => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n');
}

/** @throws Error that names the component if its licence is missing or not allowed */
export function requireLicense(component: Component): Component {
  const { name, version, license, text } = component;
  if (license === '') throw new Error(`${name} ${version} names no licence`);
  if (!isAllowedLicense(license))
    throw new Error(
      `${name} ${version} has the licence ${license}, which scripts/build/license-policy.ts does not allow`,
    );
  if (text === '')
    throw new Error(`${name} ${version} has no licence file: add its text to scripts/build/missing-license-texts.ts`);
  return component;
}
