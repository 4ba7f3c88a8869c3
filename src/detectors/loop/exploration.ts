import { isJsonObject } from '../../core/json.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { namedPath } from '../_readings/coding/file-reads.ts';

const MISSING = /does not exist|not found|no such (?:file|directory)|cannot find|ENOENT/i;
const READ_CHARACTERS = 500;

/** Whether failed calls searched for different things that do not exist: neither a wrong call nor a retry. */
export function isExploration(calls: readonly ToolUse[]): boolean {
  return triesPaths(calls) || triesValues(calls);
}

function triesPaths(calls: readonly ToolUse[]): boolean {
  const paths = new Set(calls.map(namedPath));
  return (
    !paths.has(null) &&
    paths.size === calls.length &&
    calls.every(({ failure }) => failure !== null && MISSING.test(failure.message.slice(0, READ_CHARACTERS)))
  );
}

/** Whether the argument names are the same and the values differ each time, and each error names the value. */
function triesValues(calls: readonly ToolUse[]): boolean {
  const names = new Set(
    calls.map(({ arguments: args }) => (isJsonObject(args) ? Object.keys(args).sort().join() : '')),
  );
  if (names.size > 1 || new Set(calls.map(({ argumentsText }) => argumentsText)).size < calls.length) return false;
  return calls.every(({ arguments: args, failure }) => {
    if (!isJsonObject(args) || failure === null) return false;
    const message = failure.message.slice(0, READ_CHARACTERS);
    return Object.values(args).some(
      (value) => ['string', 'number'].includes(typeof value) && message.includes(`${value}`),
    );
  });
}
