import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/** A copy of the running Node without symbols, cached between builds. Without `strip` the copy is larger. */
export function strippedNode(cacheFolder: string): string {
  const file = join(cacheFolder, `node-${process.version}-${process.platform}-${process.arch}-stripped`);
  if (existsSync(file)) return file;
  mkdirSync(cacheFolder, { recursive: true });
  const draft = `${file}.${process.pid}`;
  copyFileSync(process.execPath, draft);
  try {
    execFileSync('strip', ['--strip-all', draft], { stdio: 'ignore' });
  } catch {
    console.error('build: `strip` is missing, so the executable keeps its symbols (18 MB more)');
  }
  renameSync(draft, file);
  return file;
}
