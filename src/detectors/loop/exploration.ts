import { namedPath } from '../_coding/file-reads.ts';
import type { ToolUse } from '../_kit/calls.ts';

const MISSING = /does not exist|not found|no such (?:file|directory)|cannot find|ENOENT/i;
const READ_CHARACTERS = 500;

/** Looking for different files that are not there is no mistake in calling the tool, and no retry. */
export function isExploration(calls: readonly ToolUse[]): boolean {
  const paths = new Set(calls.map(namedPath));
  return (
    !paths.has(null) &&
    paths.size === calls.length &&
    calls.every(({ failure }) => failure !== null && MISSING.test(failure.message.slice(0, READ_CHARACTERS)))
  );
}
