import type { HealingOperationTable } from '../../store/healing-tables.ts';
import type { PlannedOperation } from './propose.ts';

/** An operation that waits for approval. */
export function newOperation(
  planned: PlannedOperation,
  { tenantNo, operationId, by, now }: { tenantNo: number; operationId: string; by: string | null; now: number },
): HealingOperationTable {
  return {
    tenant_no: tenantNo,
    operation_id: operationId,
    ...planned,
    policy: 'manual',
    status: 'pending_approval',
    action: null,
    approvals: '[]',
    verification: null,
    error: null,
    note: null,
    lease_token: null,
    lease_holder: null,
    leased_until: null,
    created_by: by,
    created_at: now,
    updated_at: now,
    started_at: null,
    applied_at: null,
    rolled_back_at: null,
  };
}
