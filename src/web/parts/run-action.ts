import { showFailure, showToast } from './toasts.tsx';

/**
 * Runs an action of the user. A toast shows `successMessage`, or why the action failed.
 * @returns undefined if it failed
 */
export async function runAction<Result>(
  failure: string,
  run: () => Promise<Result>,
  successMessage?: string,
): Promise<Result | undefined> {
  try {
    const result = await run();
    if (successMessage !== undefined) showToast(successMessage);
    return result;
  } catch (error) {
    showFailure(failure, error);
    return undefined;
  }
}
