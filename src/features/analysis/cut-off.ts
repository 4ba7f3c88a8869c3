import { constants, createContext, Script } from 'node:vm';

/** A realm that holds nothing but what is to be run next; made when first needed, for it takes a millisecond. */
let realm: { run: (() => void) | null } | null = null;
const CALL = new Script('run()');

/**
 * Runs it, and ends it after so many milliseconds of the wall clock, wherever it is: in a loop that asks nobody, in an
 * expression that tries for ever, in a `catch` of its own. What it holds open stays as it was: `finally` is not run.
 *
 * @returns whether it came to its end
 */
export function runWithin(ms: number, run: () => void): boolean {
  realm ??= createContext(constants.DONT_CONTEXTIFY) as { run: null };
  realm.run = run;
  try {
    CALL.runInContext(realm, { timeout: Math.max(1, Math.round(ms)), displayErrors: false });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  } finally {
    realm.run = null;
  }
}
