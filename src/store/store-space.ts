/** What the database file and its write-ahead log take on the disk. */
export interface StoreSpace {
  pageBytes: number;
  pages: number;
  /** Pages that hold nothing, because what they held was deleted. */
  freePages: number;
  /** Free pages can be given back to the file system without rewriting the file. */
  canShrink: boolean;
  /** Size of the write-ahead log. */
  logBytes: number;
}

export interface StoreSpaceControl {
  read(): StoreSpace;
  /** Gives up to `pages` free pages back; the file gets shorter with the next checkpoint. */
  release(pages: number): void;
  /**
   * Writes the log into the file without waiting for readers and, with `truncate`, empties it where nobody reads.
   * A full disk or another process's lock changes nothing.
   * @returns whether all of it was written
   */
  checkpoint(truncate: boolean): boolean;
  /**
   * For a store with a checkpoint thread. @param isOn commits checkpoint a log above 64 MiB, as from the start; false: commits
   * never do, so that the event loop does not write what piled up behind a reader
   */
  setFallback(isOn: boolean): void;
}
