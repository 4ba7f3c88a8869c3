import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package in the lockfile. */
export interface LockedPackage {
  version: string;
  license?: string;
  /** `sha512-<base64>` of the package's archive. */
  integrity?: string;
  dev?: boolean;
  dependencies?: Readonly<Record<string, string>>;
  optionalDependencies?: Readonly<Record<string, string>>;
  peerDependencies?: Readonly<Record<string, string>>;
}

/** By folder, such as `node_modules/koa`; the project itself has the empty folder. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

export function readLockedPackages(root: string): LockedPackages {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
}

/** The folder of the package that a file belongs to, as the lockfile names it; null for a file of the project. */
export function packageFolderOf(path: string): string | null {
  // Greedy, because packages are nested if versions differ; the text before it is the path of a linked node_modules.
  return /node_modules\/.*(?<=(?:^|\/)node_modules\/)(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? null;
}

/** `@scope/name` or `name`. */
export function packageNameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/**
 * The packages among `bundled` that the package in this folder depends on, sorted. A dependency without bundled code is
 * replaced by its own dependencies.
 */
export function bundledDependencies(packages: LockedPackages, folder: string, bundled: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  const visit = (from: string): void => {
    for (const dependency of dependenciesOf(packages, from)) {
      if (seen.has(dependency)) continue;
      seen.add(dependency);
      if (bundled.has(dependency)) found.add(dependency);
      else visit(dependency);
    }
  };
  visit(folder);
  return [...found].sort();
}

function dependenciesOf(packages: LockedPackages, folder: string): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = packages[folder] ?? {};
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  return names.flatMap((name) => resolvedFolder(packages, folder, name) ?? []);
}

/** Node's rule: the nearest `node_modules` upwards that has the name. */
function resolvedFolder(packages: LockedPackages, from: string, name: string): string | null {
  for (let at = from; ; at = parentOf(at)) {
    const candidate = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (packages[candidate]) return candidate;
    if (at === '') return null;
  }
}

function parentOf(folder: string): string {
  return folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')));
}
