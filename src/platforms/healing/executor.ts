import type { z } from 'zod';
import type { FixChange } from '../../core/detection.ts';

/** What to change, as the fix states it. */
export type Change = Pick<FixChange, 'format' | 'before' | 'after'>;

/** The tenant and operation. */
export interface ExecutorScope {
  tenantId: string;
  tenantNo: number;
}

/** The current content of a target. */
export interface Current {
  /** Everything that a write replaces, without volatile values (times, version numbers); JSON as formatted by `formatJson`. */
  content: string;
  /** A precondition for the write, such as an ETag; null if absent. */
  version: string | null;
}

/**
 * Changes one kind of target: a file, a setting, a workflow on a platform.
 *
 * The service in `features/healing` does everything else, in this order: `read` and `plan` when the operation is created;
 * `read` again when it is executed, which fails (409) if the content has changed since the plan; `write`;
 * `read` once more, to verify the write. A rollback writes the recorded previous content. So the inverse is exact for
 * every executor, and executors keep no state of their own.
 *
 * An executor is registered by name: `app/open-app.ts` adds it to the list that it passes to `HealingService`. The field
 * `executor` of `POST …/healing/operations` then accepts this name, and `target` is parsed by the executor's schema. An
 * executor that needs the store, such as for the address and key of a registered instance, is in `src/features` and gets
 * its dependencies from its factory; one that only calls other services is in `src/platforms`.
 */
export interface Executor<Target extends object> {
  /** In lower case with underscores, as `config_file`. */
  readonly name: string;
  /** A strict object; a schema error is returned as 422, with pointers beginning with `/target`. */
  readonly target: z.ZodType<Target>;
  /** One line for lists and logs, without secrets. */
  describe(target: Target): string;
  /** Names the part at a JSON Pointer for titles; omitted, or undefined for a target: the pointer is the name. */
  nameOf?(target: Target): ((pointer: string) => string) | undefined;
  /** The target as shown to users; omitted if it holds no secrets. */
  masked?(target: Target): object;
  /** Read-only. @throws AppError that says why it cannot be read */
  read(scope: ExecutorScope, target: Target): Promise<Current>;
  /** The content with the changes applied. Pure. @throws AppError `invalid_body` for a change that does not apply or changes nothing */
  plan(target: Target, content: string, changes: readonly Change[]): string;
  /**
   * Replaces `expected` by `content`, as atomically as the target allows.
   * @throws AppError `conflict` if the content differs from `expected`: then nothing was written. After any other error the
   * service reads again, and reports the outcome as unknown if it cannot determine it.
   */
  write(scope: ExecutorScope, target: Target, content: string, expected: Current): Promise<void>;
  /** Whether the content that was read equals the written one, for targets that reformat it; if omitted, the texts must be equal. */
  isSame?(read: string, written: string): boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of executors of all targets
export type AnyExecutor = Executor<any>;
