/** File names in the data folder, in one place: the check of modes and owners covers exactly these. */
export const DATABASE_FILE = 'misstep.db';
export const MARKER_FILE = 'store-id';
export const SERVER_FILE = 'server.json';
export const LOCK_FILE = 'server.lock';
export const RESERVE_FILE = 'reserve';
export const HOOK_CALLS_FOLDER = 'hook-calls';

/** Files next to the database that SQLite or a migration creates, by suffix. */
const DATABASE_COMPANION = /^(?:-wal|-shm|-journal|\.before-[^/]+\.bak(?:\.part)?(?:-journal|-wal|-shm)?)?$/;

const FILES: readonly string[] = [
  MARKER_FILE,
  `${MARKER_FILE}.new`,
  SERVER_FILE,
  `${SERVER_FILE}.new`,
  LOCK_FILE,
  'operator-token',
  'secret-key',
  'known-tenants.json',
  RESERVE_FILE,
  `${RESERVE_FILE}.part`,
];

/** A secret that is being written, or the remainder of a crash. */
const PART_OF_FILE = /^(?:operator-token|secret-key)\.[0-9a-f]+\.part$/;

/** Uploads, spools for the store and for servers, undo logs of `hooks install`, calls of running sessions, times of hook calls. */
const FOLDERS: readonly string[] = ['imports', 'spool', 'spool-remote', 'hooks', 'feedback', HOOK_CALLS_FOLDER];

/** The type of an entry that Misstep creates; null for other entries. */
export function kindOfEntry(name: string): 'file' | 'folder' | null {
  if (FOLDERS.includes(name)) return 'folder';
  if (FILES.includes(name) || PART_OF_FILE.test(name)) return 'file';
  return name.startsWith(DATABASE_FILE) && DATABASE_COMPANION.test(name.slice(DATABASE_FILE.length)) ? 'file' : null;
}

/** Entries that may exist in a data folder although Misstep did not create them: caches of a home folder, and the file system's own. */
export function isNeutralEntry(name: string): boolean {
  return name.startsWith('.') || name === 'lost+found';
}
