/** Reports whether another connection, such as the command line's, has written to the store since the last call. */
export type HasStoreChanged = () => boolean;

/**
 * Each cache needs its own.
 * @param othersMark changes after each commit by another connection
 */
export function createStoreChanges(othersMark: () => string): HasStoreChanged {
  let seen = markOrNull(othersMark);
  return () => {
    const mark = markOrNull(othersMark);
    // If the store cannot be read, all cached entries are invalid.
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
