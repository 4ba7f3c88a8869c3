/** Disk usage of the database file and its write-ahead log. */
export interface StoreSpace {
  pageBytes: number;
  pages: number;
  /** Free pages left by deletions. */
  freePages: number;
  /** Whether free pages can be returned to the file system without rewriting the file. */
  canShrink: boolean;
  /** Size of the write-ahead log. */
  logBytes: number;
}

export interface StoreSpaceControl {
  read(): StoreSpace;
  /** Releases up to `pages` free pages; the file shrinks with the next checkpoint. */
  release(pages: number): void;
  /**
   * Checkpoints the log without waiting for readers and, with `truncate`, empties it if there are no readers.
   * A full disk or another process's lock changes nothing.
   * @returns whether all of it was checkpointed
   */
  checkpoint(truncate: boolean): boolean;
  /**
   * For a store with a checkpoint thread. @param isOn commits checkpoint a log above 64 MiB, as from the start; false: commits
   * never do, so that the event loop does not write what accumulated behind a reader
   */
  setFallback(isOn: boolean): void;
}
