import { z } from 'zod';
import { toRfc3339 } from '../../core/clock.ts';
import type { OperationJobTable } from '../../store/background.schema.ts';

/** Input of a deletion job; times are Unix milliseconds. */
export interface DeletionInput {
  agentId: string | null;
  status: string | null;
  framework: string | null;
  from: number | null;
  to: number | null;
  receivedBefore: number | null;
}

export const operationJobRecord = z
  .object({
    job_id: z.string().describe('`job_…`'),
    kind: z.enum(['delete_traces', 'retention']),
    status: z.enum(['queued', 'processing', 'completed', 'failed', 'cancelled']),
    filter: z.object({
      agent_id: z.string().nullable(),
      status: z.string().nullable(),
      framework: z.string().nullable(),
      date_from: z.iso.datetime().nullable(),
      date_to: z.iso.datetime().nullable(),
      received_before: z.iso.datetime().nullable(),
    }),
    deleted: z.number().int().describe('Deleted traces'),
    failure: z.string().nullable(),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Job' });
export type OperationJobRecord = z.output<typeof operationJobRecord>;

export function toOperationJobRecord(row: OperationJobTable): OperationJobRecord {
  const input = JSON.parse(row.input) as DeletionInput;
  return {
    job_id: row.job_id,
    kind: row.kind as OperationJobRecord['kind'],
    status: row.status as OperationJobRecord['status'],
    filter: {
      agent_id: input.agentId,
      status: input.status,
      framework: input.framework,
      date_from: timeOf(input.from),
      date_to: timeOf(input.to),
      received_before: timeOf(input.receivedBefore),
    },
    deleted: row.done,
    failure: row.failure,
    created_at: toRfc3339(row.created_at),
    started_at: timeOf(row.started_at),
    finished_at: timeOf(row.finished_at),
  };
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : toRfc3339(ms);
}

/** Matches every trace. */
export const ALL_TRACES: DeletionInput = {
  agentId: null,
  status: null,
  framework: null,
  from: null,
  to: null,
  receivedBefore: null,
};
