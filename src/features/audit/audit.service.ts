import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import { type Clock, toRfc3339 } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
import {
  type AuditFilter,
  completeAuditEntry,
  countAuditEntries,
  INSTANCE_NO,
  insertAuditEntry,
  listAuditEntries,
} from '../../store/audit.store.ts';
import type { AuditLogTable } from '../../store/healing-tables.ts';
import type { Database } from '../../store/schema.ts';
import { isTransient } from '../../store/storage-failure.ts';
import { onFirstCommit } from '../../store/transaction.ts';
import { toPage, toRange } from '../_kit/cursor.ts';
import type { Page, PageRequest } from '../_kit/page.ts';
import type { AuditRecord } from './audit.record.ts';
import { type AuditDetails, collectAuditDetails } from './audit-details.ts';

/** A change that is about to be made. */
export interface LoggedChange {
  /** Null: it concerns no tenant, or a tenant that is being deleted. */
  tenantNo: number | null;
  actor: string;
  action: string;
  fields: readonly string[];
  requestId: string | null;
  /** Digest of the current content; null if unknown. */
  readDigest(): Promise<string | null>;
  objectOf(result: unknown): string | null;
}

export interface AuditService {
  /** Newest first. */
  list(tenantId: string, filter: AuditFilter, page: PageRequest): Promise<Page<AuditRecord>>;
  /** Entries that concern no tenant, or a deleted one. */
  listInstance(filter: AuditFilter, page: PageRequest): Promise<Page<AuditRecord>>;
  /**
   * Runs a change. The log entry is written in the first transaction that commits in it, so that no change is unlogged;
   * the outcome is added afterwards. A request that is rejected before any change, or finds nothing to change, leaves no entry.
   */
  during<Result>(change: LoggedChange, work: () => Promise<Result>): Promise<Result>;
}

export function createAuditService(options: {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  tenantNoOf(tenantId: string): Promise<number>;
}): AuditService {
  const { db, clock, random, tenantNoOf } = options;

  function toRow(change: LoggedChange, digestBefore: string | null): AuditLogTable {
    return {
      tenant_no: change.tenantNo ?? INSTANCE_NO,
      audit_id: newId('aud', clock, random),
      at: clock.now(),
      actor: change.actor,
      action: change.action,
      object_id: null,
      fields: JSON.stringify(change.fields),
      digest_before: digestBefore,
      digest_after: null,
      outcome: 'committed',
      request_id: change.requestId,
    };
  }

  async function page(tenantNo: number, filter: AuditFilter, request: PageRequest): Promise<Page<AuditRecord>> {
    const rows = await listAuditEntries(db, tenantNo, filter, toRange(request));
    return toPage(rows, await countAuditEntries(db, tenantNo, filter), request, {
      toItem: toAuditRecord,
      positionOf: (row) => ({ at: row.at, id: row.audit_id }),
    });
  }

  return {
    list: async (tenantId, filter, request) => page(await tenantNoOf(tenantId), filter, request),
    listInstance: (filter, request) => page(INSTANCE_NO, filter, request),
    async during(change, work) {
      const row = toRow(change, await change.readDigest());
      const note: Partial<AuditDetails> = {};
      const auditWrite = onFirstCommit((transaction) => insertAuditEntry(transaction, row));

      async function end(outcome: string, objectId: string | null, digestAfter: string | null): Promise<void> {
        const values = {
          outcome,
          action: note.action ?? row.action,
          object_id: note.objectId ?? objectId,
          digest_before: note.digestBefore ?? row.digest_before,
          digest_after: note.digestAfter ?? digestAfter,
        };
        await completeAuditEntry(db, { ...row, ...values });
      }

      try {
        const result = await auditWrite.during(() => collectAuditDetails(note, work));
        if (note.isUnchanged && !auditWrite.isCommitted()) return result;
        await end('done', change.objectOf(result), await change.readDigest()).catch(acceptIf(auditWrite.isCommitted()));
        return result;
      } catch (error) {
        if (auditWrite.isCommitted())
          await end(error instanceof AppError ? error.code : 'internal', change.objectOf(null), null).catch(
            acceptIf(true),
          );
        throw error;
      }
    },
  };
}

/** The change is committed with an entry: a disk that is full afterwards must not make it look failed. */
function acceptIf(hasEntry: boolean): (error: unknown) => void {
  return (error) => {
    if (!hasEntry || !isTransient(error)) throw error;
  };
}

function toAuditRecord(row: AuditLogTable): AuditRecord {
  return {
    audit_id: row.audit_id,
    at: toRfc3339(row.at),
    actor: row.actor,
    action: row.action,
    object_id: row.object_id,
    fields: JSON.parse(row.fields) as string[],
    digest_before: row.digest_before,
    digest_after: row.digest_after,
    outcome: row.outcome,
    request_id: row.request_id,
  };
}
