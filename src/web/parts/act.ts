import { showFailure, showToast } from './toasts.tsx';

/**
 * Runs an action of a person. A toast says `done` after it, or why it failed.
 * @returns undefined if it failed
 */
export async function act<Result>(
  failure: string,
  work: () => Promise<Result>,
  done?: string,
): Promise<Result | undefined> {
  try {
    const result = await work();
    if (done !== undefined) showToast(done);
    return result;
  } catch (error) {
    showFailure(failure, error);
    return undefined;
  }
}
