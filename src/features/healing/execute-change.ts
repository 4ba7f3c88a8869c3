import { AppError } from '../../core/app-error.ts';
import type { AnyExecutor, Current, ExecutorScope } from '../../platforms/healing/executor.ts';
import { TargetNotEnabledError } from '../../platforms/healing/target-not-enabled-error.ts';
import { toStorageError } from '../../store/storage-failure.ts';
import type { HealingOutcome } from './healing-state.ts';

/** The target's content at a read. */
export type FoundContent = 'before' | 'after' | 'other' | 'unreadable';

interface Read {
  found: FoundContent;
  content: string | null;
  problem: AppError | null;
}

/** A target, and the two contents that an operation knows. */
export interface ChangeTarget {
  executor: AnyExecutor;
  scope: ExecutorScope;
  target: object;
  before: string;
  after: string;
}

export interface ExecutionResult {
  outcome: HealingOutcome;
  /** The last read; null if there was none. */
  found: FoundContent | null;
  /** The target's current content, if it was read. */
  content: string | null;
  problem: AppError | null;
}

/**
 * Replaces one content by the other, and verifies the write. If the outcome cannot be determined, the result is
 * `interrupted`, whatever the executor reported.
 */
export async function executeChange(target: ChangeTarget, to: 'after' | 'before'): Promise<ExecutionResult> {
  const from = to === 'after' ? 'before' : 'after';
  const current = await attempt(() => target.executor.read(target.scope, target.target));
  if (current instanceof AppError) {
    // An access that the settings of this process forbid says nothing about the target.
    const found = current instanceof TargetNotEnabledError ? null : 'unreadable';
    return { outcome: 'undone', found, content: null, problem: current };
  }
  const found = contentState(target, current);
  if (found !== from) return { outcome: 'undone', found, content: current.content, problem: changedSince() };
  const problem = await attempt(async () => {
    await target.executor.write(target.scope, target.target, target[to], current);
    return null;
  });
  if (problem?.code === 'conflict') return { outcome: 'undone', found: null, content: null, problem };
  return toResult(await readTarget(target), to, problem);
}

function toResult({ found, content }: Read, to: FoundContent, problem: AppError | null): ExecutionResult {
  const seen = { found, content };
  if (seen.found === to) return { ...seen, outcome: 'done', problem: null };
  if (seen.found === 'unreadable' || seen.found === 'other')
    return { ...seen, outcome: 'interrupted', problem: problem ?? new AppError('conflict', CONTENT_DIFFERS) };
  return { ...seen, outcome: 'failed', problem: problem ?? new AppError('conflict', 'The change had no effect.') };
}

const CONTENT_DIFFERS = 'After the change the content differs from what was written.';

/** Reads the target's current content. `problem` is the reason if it is unreadable. */
export async function readTarget(target: ChangeTarget): Promise<Read> {
  const current = await attempt(() => target.executor.read(target.scope, target.target));
  if (current instanceof AppError) return { found: 'unreadable', content: null, problem: current };
  return { found: contentState(target, current), content: current.content, problem: null };
}

function contentState({ executor, before, after }: ChangeTarget, { content }: Current): FoundContent {
  const isSame = executor.isSame?.bind(executor) ?? ((read: string, written: string) => read === written);
  if (content === before) return 'before';
  if (content === after || isSame(content, after)) return 'after';
  return isSame(content, before) ? 'before' : 'other';
}

async function attempt<Result>(work: () => Promise<Result>): Promise<Result | AppError> {
  try {
    return await work();
  } catch (error) {
    const known = toStorageError(error) ?? error;
    if (known instanceof AppError) return known;
    return new AppError('unavailable', (error as Error).message, { cause: error });
  }
}

function changedSince(): AppError {
  return new AppError('conflict', 'The content differs from the plan; nothing was changed.');
}
