import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { unpackAddon } from './unpack-addon.ts';

/** The build sets this to true inside the executable. */
declare const MISSTEP_IS_EXECUTABLE: boolean | undefined;

/** Path of the bundled worker; defined in tests only. */
declare const MISSTEP_WORKER_FILE: string | undefined;

interface SeaModule {
  getAsset(name: string): ArrayBuffer;
}

export function isExecutable(): boolean {
  return typeof MISSTEP_IS_EXECUTABLE === 'boolean' && MISSTEP_IS_EXECUTABLE;
}

/** A file embedded in the executable. @throws Error outside the executable */
export function loadAsset(name: string): Buffer {
  const sea = createRequire('/')('node:sea') as SeaModule;
  return Buffer.from(sea.getAsset(name));
}

/** Code of the analysis worker: text inside the executable, a file when run from sources. */
export function workerEntry(): { code?: string; url?: URL } {
  if (isExecutable()) return { code: loadAsset('worker.js').toString('latin1') };
  if (typeof MISSTEP_WORKER_FILE === 'string') return { url: pathToFileURL(MISSTEP_WORKER_FILE) };
  return { url: new URL('../jobs/worker-main.ts', import.meta.url) };
}

/** Path of better-sqlite3's native addon; undefined when run from sources, where the package resolves its own. */
export function addonPath(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  if (!isExecutable()) return undefined;
  const { name, size } = JSON.parse(loadAsset('addon.json').toString()) as { name: string; size: number };
  return unpackAddon(cacheFolders(environment, homeOf(environment), process.getuid?.() ?? 0), {
    name,
    size,
    read: () => loadAsset('addon.node'),
    load: (file) => process.dlopen({ exports: {} }, file),
  });
}

/** Folders for the addon, in the order in which they are tried. @param home null if the user has no home folder */
export function cacheFolders(environment: NodeJS.ProcessEnv, home: string | null, user: number): string[] {
  const cache = environment.XDG_CACHE_HOME || (home === null ? null : join(home, '.cache'));
  const own = cache === null ? [] : [join(cache, 'misstep')];
  return [...own, join(environment.TMPDIR || tmpdir(), `misstep-${user}`), `/dev/shm/misstep-${user}`];
}

/** A container may run under a user id without a passwd entry, and so without a home. */
function homeOf(environment: NodeJS.ProcessEnv): string | null {
  try {
    return environment.HOME || homedir();
  } catch {
    return null;
  }
}
