import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import type { Db } from '../../store/connection.ts';
import { moveHealingOperation, readHealingOperation } from '../../store/healing.store.ts';
import type { HealingOperationTable } from '../../store/healing-tables.ts';
import type { Database } from '../../store/schema.ts';
import { inTransaction } from '../../store/transaction.ts';
import { addAuditDetails } from '../audit/audit-details.ts';
import { type HealingStatus, type HealingStep, stepFrom } from './healing-state.ts';

/** @throws AppError `not_found` */
export async function loadOperation(db: Db, tenantNo: number, operationId: string): Promise<HealingOperationTable> {
  const row = await readHealingOperation(db, tenantNo, operationId);
  if (row === null) throw new AppError('not_found', `There is no healing operation ${operationId}.`);
  return row;
}

/** Moves operations from one state to the next. */
export class OperationSteps {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #tenantNoOf: (tenantId: string) => Promise<number>;
  readonly #settleInterrupted: () => Promise<number>;
  readonly #onChanged: (row: HealingOperationTable) => void;

  constructor(options: {
    db: Kysely<Database>;
    clock: Clock;
    tenantNoOf(tenantId: string): Promise<number>;
    settleInterrupted(): Promise<number>;
    /** Called after the commit. */
    onChanged(row: HealingOperationTable): void;
  }) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#tenantNoOf = options.tenantNoOf;
    this.#settleInterrupted = options.settleInterrupted;
    this.#onChanged = options.onChanged;
  }

  /** An operation, after operations whose process has ended were marked. */
  async load(tenantId: string, operationId: string): Promise<HealingOperationTable> {
    await this.#settleInterrupted();
    return loadOperation(this.#db, await this.#tenantNoOf(tenantId), operationId);
  }

  /**
   * Performs one step. The row is read, checked and written in one transaction, so that of two concurrent steps one is
   * rejected.
   *
   * @param inSameTransaction runs in the same transaction
   */
  async perform(
    tenantId: string,
    operationId: string,
    name: HealingStep,
    change: (row: HealingOperationTable, next: HealingStatus) => Partial<HealingOperationTable>,
    inSameTransaction: (transaction: Db, after: HealingOperationTable) => Promise<void> = async () => {},
  ): Promise<HealingOperationTable> {
    await this.#settleInterrupted();
    const tenantNo = await this.#tenantNoOf(tenantId);
    addAuditDetails({ objectId: operationId });
    const changed = await inTransaction(this.#db, async (transaction) => {
      const row = await loadOperation(transaction, tenantNo, operationId);
      const next = stepFrom(name, row.status as HealingStatus);
      const values = { status: next, updated_at: this.#clock.now(), ...change(row, next) };
      await moveHealingOperation(transaction, row, values);
      const after = { ...row, ...values };
      await inSameTransaction(transaction, after);
      return after;
    });
    this.#onChanged(changed);
    return changed;
  }
}
