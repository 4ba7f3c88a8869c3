/** Differences between the detections of a run in two forms, as `type/subtype severity`. */
export interface LineDifference {
  lost: string[];
  gained: string[];
  /** The same detection at another step. */
  moved: string[];
}

/** Compares lines of the form `type/subtype severity @step`. */
export function lineDifference(before: readonly string[], after: readonly string[]): LineDifference {
  const [onlyBefore, onlyAfter] = unmatched(before, after);
  const [lost, gained] = unmatched(onlyBefore.map(withoutStep), onlyAfter.map(withoutStep));
  const moved = unmatched(onlyBefore.map(withoutStep), lost)[0];
  return { lost, gained, moved };
}

/** Items of each list that have no equal in the other one; equal items are matched once. */
function unmatched(one: readonly string[], other: readonly string[]): [string[], string[]] {
  const left = [...other];
  const only = one.filter((item) => {
    const at = left.indexOf(item);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [only, left];
}

function withoutStep(line: string): string {
  return line.slice(0, line.indexOf(' @'));
}
