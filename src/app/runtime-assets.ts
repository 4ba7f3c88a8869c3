import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Set by the build to true inside the executable. */
declare const MISSTEP_IS_EXECUTABLE: boolean | undefined;

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

/** Code of the analysis worker: text inside the executable, a file in the sources. */
export function workerEntry(): { code?: string; url?: URL } {
  if (isExecutable()) return { code: loadAsset('worker.js').toString() };
  return { url: new URL('../jobs/worker-main.ts', import.meta.url) };
}

/**
 * Where better-sqlite3 finds its native part; undefined in the sources, where the package finds its own. The system's
 * loader takes files only, so the embedded part is written once to a private folder under its hash.
 */
export function addonPath(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  if (!isExecutable()) return undefined;
  const { name, size } = JSON.parse(loadAsset('addon.json').toString()) as { name: string; size: number };
  const problems: string[] = [];
  for (const folder of cacheFolders(environment)) {
    try {
      return unpackOnce(folder, name, size);
    } catch (error) {
      problems.push(`${folder}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(`nowhere to unpack the SQLite library: ${problems.join('; ')}`);
}

function cacheFolders(environment: NodeJS.ProcessEnv): string[] {
  const home = environment.HOME || homedir();
  const user = process.getuid?.() ?? 0;
  return [
    join(environment.XDG_CACHE_HOME || join(home, '.cache'), 'misstep'),
    join(environment.TMPDIR || tmpdir(), `misstep-${user}`),
    `/dev/shm/misstep-${user}`,
  ];
}

function unpackOnce(folder: string, name: string, size: number): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  refuseForeign(folder);
  const file = join(folder, name);
  if (existsSync(file) && statSync(file).size === size) return file;
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, loadAsset('addon.node'), { mode: 0o600 });
  renameSync(draft, file);
  return file;
}

/** Code is loaded from here: a folder that somebody else owns or may write to is not trusted. */
function refuseForeign(folder: string): void {
  const { uid, mode } = statSync(folder);
  if (process.getuid && uid !== process.getuid()) throw new Error('belongs to another user');
  if ((mode & 0o022) !== 0) chmodSync(folder, 0o700);
}
