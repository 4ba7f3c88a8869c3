import type { z } from 'zod';
import type { FixChange } from '../../core/detection.ts';

/** What is to be changed, as the fix says it. */
export type Change = Pick<FixChange, 'format' | 'before' | 'after'>;

/** Whose operation it is. */
export interface ExecutorScope {
  tenantId: string;
  tenantNo: number;
}

/** What stands at a target now. */
export interface Current {
  /** All that a write replaces, and nothing that changes by itself (times, version numbers); JSON as `spellJson` spells it. */
  content: string;
  /** What a write can be made conditional on, such as an ETag; null where there is nothing of the kind. */
  version: string | null;
}

/**
 * Changes one kind of thing: a file, a setting, a workflow on a platform.
 *
 * The service in `features/healing` does everything else, in this order: `read` and `plan` when the operation is made;
 * `read` again when it is executed, which refuses (409) where the content is no longer the one that was planned on; `write`;
 * `read` once more, to see that it took. To roll back it writes the recorded content of before. So the inverse is exact for
 * every executor, and none needs to keep anything of its own.
 *
 * An executor is registered by name: `app/open-app.ts` adds it to the list it gives to `HealingService`. Its name is
 * then what `executor` in `POST …/healing/operations` takes, and `target` there is parsed by its schema. One that
 * needs the store, such as for the address and key of a registered instance, stands in `src/features` and gets its
 * dependencies from its factory; one that only talks to the outside stands in `src/platforms`.
 */
export interface Executor<Target extends object> {
  /** In lower case with underscores, as `config_file`. */
  readonly name: string;
  /** A strict object; what it refuses is answered with 422, pointers beginning with `/target`. */
  readonly target: z.ZodType<Target>;
  /** One line for lists and logs, without secrets. */
  describe(target: Target): string;
  /** The target as users may see it; left out where it holds no secrets. */
  masked?(target: Target): object;
  /** Changes nothing. @throws AppError that says why it cannot be read */
  read(scope: ExecutorScope, target: Target): Promise<Current>;
  /** The content with the changes made. Pure. @throws AppError `invalid_body` for a change that does not apply or changes nothing */
  plan(target: Target, content: string, changes: readonly Change[]): string;
  /**
   * Puts `content` where `expected` stands, as atomically as the place allows.
   * @throws AppError `conflict` where something else stands there by now: then nothing was written. After any other error the
   * service looks again, and calls the outcome unknown where it cannot tell.
   */
  write(scope: ExecutorScope, target: Target, content: string, expected: Current): Promise<void>;
  /** Whether what was read is what was written, for places that spell it in their own way; else the texts must be equal. */
  isSame?(read: string, written: string): boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of executors of all targets
export type AnyExecutor = Executor<any>;
