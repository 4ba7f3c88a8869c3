import { closeSync, constants, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Creates an empty file that only its owner can read, so that SQLite gives its companion files the same mode. */
export function createOwnerFile(file: string): void {
  closeSync(openSync(file, constants.O_CREAT | constants.O_RDWR | (constants.O_NOFOLLOW ?? 0), 0o600));
}

/** Replaces the file atomically: readers see the old or the new content, also after a power failure. */
export function replaceOwnerFile(file: string, text: string): void {
  const draft = `${file}.new`;
  const flags = constants.O_CREAT | constants.O_TRUNC | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(draft, flags, 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, file);
  syncFolder(dirname(file));
}

/** Windows cannot open a folder, and needs no such call. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
