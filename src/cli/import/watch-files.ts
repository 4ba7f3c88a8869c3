import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { watch } from 'chokidar';
import { isImportable } from './import-files.ts';

export interface FileWatch {
  close(): Promise<void>;
}

/** A file is complete when it has not grown for this long. */
const STABLE_MS = 1_000;
const POLL_INTERVAL_MS = 200;

/** Reports files that are added or changed from now on, once they are complete. */
export async function watchFiles(
  cwd: string,
  named: readonly string[],
  onFile: (path: string) => void,
): Promise<FileWatch> {
  const paths = named.map((name) => resolve(cwd, name));
  const watcher = watch(paths, {
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: STABLE_MS, pollInterval: POLL_INTERVAL_MS },
  });
  const notice = (path: string) => {
    if ((paths.includes(path) || isImportable(path)) && statSync(path, { throwIfNoEntry: false })?.isFile())
      onFile(path);
  };
  watcher.on('add', notice).on('change', notice);
  await new Promise<void>((ready) => watcher.once('ready', () => ready()));
  return { close: () => watcher.close() };
}
