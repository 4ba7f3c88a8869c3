import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Component, licenseTextOf, requireLicense } from './components.ts';
import { readLockedPackages } from './locked-packages.ts';

/** Node.js, which runs this; its licence file includes the licences of its libraries. */
export function nodeComponent(root: string): Component {
  const version = process.version.slice(1);
  const folder = `node_modules/node-${process.platform}-${process.arch}`;
  const isPinned = existsSync(join(root, folder));
  return requireLicense({
    name: 'node',
    version,
    license: 'MIT',
    text: isPinned ? licenseTextOf(join(root, folder)) : installedNodeLicense(),
    purl: `pkg:generic/node@${version}`,
    integrity: (isPinned && readLockedPackages(root)[folder]?.integrity) || null,
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    dependsOn: [],
  });
}

/** SQLite, which better-sqlite3's native part contains. */
export function sqliteComponent(root: string): Component {
  const version = sqliteVersion(root);
  return requireLicense({
    name: 'sqlite',
    version,
    license: 'blessing',
    text: SQLITE_BLESSING,
    purl: `pkg:generic/sqlite@${version}`,
    integrity: null,
    cpe: `cpe:2.3:a:sqlite:sqlite:${version}:*:*:*:*:*:*:*`,
    dependsOn: [],
  });
}

/** An archive of nodejs.org has the file above `bin`, on Windows next to `node.exe`. */
function installedNodeLicense(): string {
  const folder = dirname(process.execPath);
  const text = [join(folder, '..'), folder].map(licenseTextOf).find((found) => found !== '');
  if (text === undefined)
    throw new Error(`no LICENSE next to ${process.execPath}: build with a Node.js archive of nodejs.org`);
  return text;
}

/** Queried from the native module, because that module is shipped. */
function sqliteVersion(root: string): string {
  const Database = createRequire(join(root, 'package.json'))('better-sqlite3');
  const database = new Database(':memory:');
  try {
    return database.prepare('select sqlite_version()').pluck().get();
  } finally {
    database.close();
  }
}

/** Source: the header of sqlite3.c. */
const SQLITE_BLESSING = `SQLite is in the public domain.

The author disclaims copyright to this source code.  In place of
a legal notice, here is a blessing:

   May you do good and not evil.
   May you find forgiveness for yourself and forgive others.
   May you share freely, never taking more than you give.`;
