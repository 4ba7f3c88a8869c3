/** Reports whether another connection, such as the command line's, has written to the store since the last call. */
export type HasStoreChanged = () => boolean;

/**
 * Each cache needs its own.
 * @param othersChangeMark changes after each commit by another connection
 */
export function createStoreChanges(changeMark: () => string): HasStoreChanged {
  let seen = markOrNull(changeMark);
  return () => {
    const mark = markOrNull(changeMark);
    // If the store cannot be read, all cached entries are invalid.
    const hasChanged = mark === null || mark !== seen;
    seen = mark;
    return hasChanged;
  };
}

function markOrNull(changeMark: () => string): string | null {
  try {
    return changeMark();
  } catch {
    return null;
  }
}
