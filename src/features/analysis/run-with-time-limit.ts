import { constants, createContext, Script } from 'node:vm';

/** A context that holds only the next function to run; created at first use, because that takes a millisecond. */
let realm: { run: (() => void) | null } | null = null;
const CALL = new Script('run()');

/**
 * Runs the function and interrupts it after this many milliseconds of wall-clock time, wherever it is: in a tight loop, in a
 * slow regular expression, in its own `catch`. Its state stays as it was: `finally` is not run.
 *
 * @returns whether it finished
 */
export function runWithTimeLimit(ms: number, run: () => void): boolean {
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
