import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
import { insertAuditEntry } from '../../store/audit.store.ts';
import { leasedHealingOperations, moveHealingOperation } from '../../store/healing.store.ts';
import type { HealingOperationTable } from '../../store/healing-tables.ts';
import type { Database } from '../../store/schema.ts';
import { inTransaction } from '../../store/transaction.ts';
import { type HealingAction, statusAtEnd } from './healing-state.ts';
import { isLapsed, type LeaseHolder } from './lease.ts';
import { endedAs } from './operation-end.ts';

/** Marks operations whose process has ended as `unknown`, and returns how many. */
export function createInterruption(options: {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  thisProcess: LeaseHolder;
  isAlive(pid: number): boolean;
  /** Called after the commit. */
  onChanged(row: HealingOperationTable): void;
}): () => Promise<number> {
  const { db, clock, random, thisProcess, isAlive, onChanged } = options;

  async function interrupt(row: HealingOperationTable): Promise<void> {
    const action = row.action as HealingAction;
    const error = `The process ended during ${action}: check the current content, and record the outcome.`;
    const values = { ...endedAs(statusAtEnd(action, 'interrupted'), action, clock.now()), error };
    const isInterrupted = await inTransaction(db, async (transaction) => {
      if (!(await moveHealingOperation(transaction, row, values))) return false;
      await insertAuditEntry(transaction, {
        tenant_no: row.tenant_no,
        audit_id: newId('aud', clock, random),
        at: clock.now(),
        actor: 'job',
        action: 'healing.interrupted',
        object_id: row.operation_id,
        fields: '[]',
        digest_before: null,
        digest_after: null,
        outcome: 'done',
        request_id: null,
      });
      return true;
    });
    if (isInterrupted) onChanged({ ...row, ...values });
  }

  return async () => {
    const leased = await leasedHealingOperations(db);
    const now = clock.now();
    const lapsed = leased.filter((row) => {
      const holder = JSON.parse(row.lease_holder ?? 'null') as LeaseHolder | null;
      return isLapsed({ holder, until: row.leased_until ?? 0 }, now, thisProcess, isAlive);
    });
    for (const row of lapsed) await interrupt(row);
    return lapsed.length;
  };
}
