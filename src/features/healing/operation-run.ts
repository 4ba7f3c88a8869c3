import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import { type Clock, toRfc3339 } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
import { TargetNotEnabledError } from '../../platforms/healing/target-not-enabled-error.ts';
import { moveHealingOperation } from '../../store/healing.store.ts';
import type { HealingOperationTable } from '../../store/healing-tables.ts';
import type { Database } from '../../store/schema.ts';
import { inTransaction } from '../../store/transaction.ts';
import { addAuditDetails, digestOf } from '../audit/audit-details.ts';
import {
  type ChangeTarget,
  type ExecutionResult,
  executeChange,
  type FoundContent,
  readTarget,
} from './execute-change.ts';
import type { Executors } from './executors.ts';
import { type HealingAction, type HealingStatus, statusAtEnd, stepFrom } from './healing-state.ts';
import { LEASE_MS, type LeaseHolder } from './lease.ts';
import { endedAs, markFix } from './operation-end.ts';
import { loadOperation, type OperationSteps } from './operation-steps.ts';

/** Executes operations, rolls them back, and checks their targets. */
export class OperationRun {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #steps: OperationSteps;
  readonly #executors: Executors;
  readonly #thisProcess: LeaseHolder;
  readonly #redactText: (text: string) => string;
  readonly #onChanged: (row: HealingOperationTable) => void;

  constructor(options: {
    db: Kysely<Database>;
    clock: Clock;
    random: Random;
    steps: OperationSteps;
    executors: Executors;
    /** Holder of the leases of this process. */
    thisProcess: LeaseHolder;
    redactText(text: string): string;
    /** Called after the commit. */
    onChanged(row: HealingOperationTable): void;
  }) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#steps = options.steps;
    this.#executors = options.executors;
    this.#thisProcess = options.thisProcess;
    this.#redactText = options.redactText;
    this.#onChanged = options.onChanged;
  }

  /** Executes or rolls back under a lease; a manual operation only starts. */
  async begin(tenantId: string, operationId: string, action: HealingAction): Promise<HealingOperationTable> {
    const name = action === 'apply' ? 'execute' : 'rollback';
    const row = await this.#steps.perform(tenantId, operationId, name, (before) => {
      const isManual = this.#executors.of(before) === null;
      const now = this.#clock.now();
      return { action, error: null, started_at: now, ...(isManual ? {} : this.#newLease(now)) };
    });
    const target = this.#targetOf(tenantId, row);
    if (target === null) return row;
    return this.#finish(row, await executeChange(target, action === 'apply' ? 'after' : 'before'));
  }

  /** @throws AppError `conflict` for a manual operation, and if this process may not access the target */
  async check(tenantId: string, operationId: string): Promise<HealingOperationTable> {
    const row = await this.#steps.load(tenantId, operationId);
    stepFrom('check', row.status as HealingStatus);
    const target = this.#targetOf(tenantId, row);
    if (target === null) throw new AppError('conflict', 'Manual operations cannot be checked automatically.');
    const { found, problem } = await readTarget(target);
    if (problem instanceof TargetNotEnabledError) throw problem;
    return this.#steps.perform(tenantId, operationId, 'check', () => ({ verification: this.#verification(found) }));
  }

  #newLease(now: number) {
    return {
      lease_token: newId('lease', this.#clock, this.#random),
      lease_holder: JSON.stringify(this.#thisProcess),
      leased_until: now + LEASE_MS,
    };
  }

  #targetOf(tenantId: string, row: HealingOperationTable): ChangeTarget | null {
    const executor = this.#executors.of(row);
    if (executor === null) return null;
    const scope = { tenantId, tenantNo: row.tenant_no };
    const target = this.#executors.targetOf(row);
    return { executor, scope, target, before: row.content_before!, after: row.content_after! };
  }

  async #finish(row: HealingOperationTable, result: ExecutionResult): Promise<HealingOperationTable> {
    const action = row.action as HealingAction;
    const status = statusAtEnd(action, result.outcome);
    recordDigests(action === 'apply' ? row.content_before : row.content_after, result.content);
    const values = {
      ...endedAs(status, action, this.#clock.now()),
      error: result.problem === null ? null : this.#redactText(result.problem.message),
      ...(result.found === null ? {} : { verification: this.#verification(result.found) }),
      // A platform may store the content in its own notation: a rollback begins from that.
      ...(status === 'applied' && action === 'apply' ? { content_after: result.content } : {}),
    };
    const after = await inTransaction(this.#db, async (transaction) => {
      const isClaimed = await moveHealingOperation(transaction, row, values);
      if (!isClaimed) return loadOperation(transaction, row.tenant_no, row.operation_id);
      await markFix(transaction, { ...row, ...values }, this.#clock.now());
      return { ...row, ...values };
    });
    this.#onChanged(after);
    if (result.outcome === 'undone' && result.problem !== null) throw result.problem;
    return after;
  }

  #verification(found: FoundContent): string {
    return JSON.stringify({ checked_at: toRfc3339(this.#clock.now()), found });
  }
}

function recordDigests(before: string | null, after: string | null): void {
  addAuditDetails({
    digestBefore: before === null ? null : digestOf(before),
    digestAfter: after === null ? null : digestOf(after),
  });
}
