import { AppError } from '../../core/app-error.ts';
import type { AnyExecutor, Current, ExecutorScope } from '../../platforms/healing/executor.ts';
import { toStorageError } from '../../store/storage-failure.ts';
import type { HealingOutcome } from './healing-state.ts';

/** What stood at the target when somebody looked. */
export type Found = 'before' | 'after' | 'other' | 'unreadable';

/** A target, and the two contents that an operation knows of. */
export interface Place {
  executor: AnyExecutor;
  scope: ExecutorScope;
  target: object;
  before: string;
  after: string;
}

export interface CarriedOut {
  outcome: HealingOutcome;
  /** The last look; null where nobody looked. */
  found: Found | null;
  /** What stands there now, where that was read. */
  content: string | null;
  problem: AppError | null;
}

/**
 * Puts one content in the other's place, and looks whether it took. Where it cannot tell what happened it says
 * `interrupted`, whatever the executor said.
 */
export async function carryOut(place: Place, to: 'after' | 'before'): Promise<CarriedOut> {
  const from = to === 'after' ? 'before' : 'after';
  const current = await attempt(() => place.executor.read(place.scope, place.target));
  if (current instanceof AppError) return { outcome: 'undone', found: 'unreadable', content: null, problem: current };
  const found = whatIs(place, current);
  if (found !== from) return { outcome: 'undone', found, content: current.content, problem: changedSince() };
  const problem = await attempt(async () => {
    await place.executor.write(place.scope, place.target, place[to], current);
    return null;
  });
  if (problem?.code === 'conflict') return { outcome: 'undone', found: null, content: null, problem };
  return judge(await look(place), to, problem);
}

function judge(seen: { found: Found; content: string | null }, to: Found, problem: AppError | null): CarriedOut {
  if (seen.found === to) return { ...seen, outcome: 'done', problem: null };
  if (seen.found === 'unreadable' || seen.found === 'other')
    return { ...seen, outcome: 'interrupted', problem: problem ?? new AppError('conflict', NOT_AS_WRITTEN) };
  return { ...seen, outcome: 'failed', problem: problem ?? new AppError('conflict', 'The change had no effect.') };
}

const NOT_AS_WRITTEN = 'After the change something else stands there than was written.';

/** What stands at the target now. */
export async function look(place: Place): Promise<{ found: Found; content: string | null }> {
  const current = await attempt(() => place.executor.read(place.scope, place.target));
  if (current instanceof AppError) return { found: 'unreadable', content: null };
  return { found: whatIs(place, current), content: current.content };
}

function whatIs({ executor, before, after }: Place, { content }: Current): Found {
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
  return new AppError('conflict', 'Something else stands there than when this was planned; nothing was changed.');
}
