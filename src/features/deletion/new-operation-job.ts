import type { OperationJobTable } from '../../store/background.schema.ts';
import type { DeletionInput } from './operation-job.record.ts';

/** A queued job that deletes traces. */
export function newOperationJob(
  job: { tenantNo: number; jobId: string; kind: string; input: DeletionInput },
  now: number,
): OperationJobTable {
  return {
    tenant_no: job.tenantNo,
    job_id: job.jobId,
    kind: job.kind,
    status: 'queued',
    input: JSON.stringify(job.input),
    position: '',
    looked_at: 0,
    done: 0,
    failure: null,
    lease_token: null,
    leased_until: 0,
    lease_owner: null,
    created_at: now,
    started_at: null,
    finished_at: null,
    updated_at: now,
  };
}
