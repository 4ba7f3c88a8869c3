/** Tells a cache whether another connection, such as the command line's, has written to the store since the last call. */
export type HasStoreChanged = () => boolean;

/**
 * Each cache needs its own.
 * @param othersMark another text after each commit by another connection
 */
export function createStoreChanges(othersMark: () => string): HasStoreChanged {
  let seen = markOrNull(othersMark);
  return () => {
    const mark = markOrNull(othersMark);
    // Where the store cannot be read, nothing cached may count.
    const hasChanged = mark === null || mark !== seen;
    seen = mark;
    return hasChanged;
  };
}

function markOrNull(othersMark: () => string): string | null {
  try {
    return othersMark();
  } catch {
    return null;
  }
}
