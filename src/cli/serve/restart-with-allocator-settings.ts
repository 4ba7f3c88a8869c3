import { accessSync, constants } from 'node:fs';
import { isSea } from 'node:sea';

/**
 * Settings of glibc's allocator for a process with many threads and large buffers (`man 3 mallopt`). By default each thread
 * gets an arena of its own and freed buffers stay in it: after many large bodies several hundred MB are never returned.
 */
const ALLOCATOR_SETTINGS = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/**
 * Replaces this process by the same program with `ALLOCATOR_SETTINGS`: glibc reads them only when a process starts. The
 * process id stays. Returns if one of them is set already, or if this process cannot be replaced.
 */
export function restartWithAllocatorSettings(): void {
  if (process.platform !== 'linux' || process.execve === undefined) return;
  // The IPC channel of `node --watch` would be lost.
  if (process.send !== undefined || !isExecutable(process.execPath)) return;
  if (Object.keys(ALLOCATOR_SETTINGS).some((name) => process.env[name] !== undefined)) return;
  const own = isSea() ? process.argv.slice(2) : [...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, [process.argv0, ...own], { ...process.env, ...ALLOCATOR_SETTINGS });
}

/** A failing `execve` ends the process, for instance if the file was deleted since the start. */
function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
