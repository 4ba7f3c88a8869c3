import { z } from 'zod';
import { AppError } from '../../core/app-error.ts';
import { defineOperation } from '../_kit/operation.ts';
import { dateQuery, inOrder, pageOf, pageQuery, toPageRequest } from '../_kit/page.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { traceStatus } from '../_kit/vocabulary.ts';
import { operationJobRecord } from './operation-job.record.ts';
import { retentionDays, retentionRecord } from './retention.ts';

const jobParams = tenantParams.extend({ job_id: z.string() });

export const deleteTraceOperation = defineOperation({
  id: 'traces.delete',
  method: 'DELETE',
  path: '/tenants/{tenant_id}/traces/{trace_id}',
  summary: 'Permanently delete a trace with its detections and all derived data',
  access: { kind: 'tenant', scope: 'write' },
  params: tenantParams.extend({ trace_id: z.string() }),
  output: z.null(),
  status: 204,
  async run(services, { tenant_id, trace_id }) {
    await services.deletion.deleteTrace(tenant_id, trace_id);
    return null;
  },
});

export const deleteTracesOperation = defineOperation({
  id: 'traces.delete-matching',
  method: 'DELETE',
  path: '/tenants/{tenant_id}/traces',
  summary: 'Delete every matching trace in the background; at least one condition is required',
  access: { kind: 'tenant', scope: 'write' },
  params: tenantParams,
  query: inOrder(
    z.object({
      agent_id: z.string().optional().describe('Only traces this agent took part in'),
      status: traceStatus.optional(),
      framework: z.string().optional(),
      date_from: dateQuery.optional().describe('Started at or after'),
      date_to: dateQuery.optional().describe('Started before'),
    }),
    'date_from',
    'date_to',
  ),
  output: operationJobRecord,
  status: 202,
  run: (services, { tenant_id, agent_id, status, framework, date_from, date_to }) => {
    const conditions = [agent_id, status, framework, date_from, date_to];
    if (conditions.every((condition) => condition === undefined)) throw noCondition();
    return services.deletion.deleteMatching(tenant_id, {
      agentId: agent_id ?? null,
      status: status ?? null,
      framework: framework ?? null,
      from: date_from ?? null,
      to: date_to ?? null,
      receivedBefore: null,
    });
  },
});

/** A request without a condition is more likely a mistake than an intent to delete everything. */
function noCondition(): AppError {
  return new AppError('invalid_query', 'At least one condition is required.', {
    errors: [{ pointer: '?date_to', message: 'or date_from, status, agent_id, framework' }],
  });
}

export const listJobsOperation = defineOperation({
  id: 'jobs.list',
  method: 'GET',
  path: '/tenants/{tenant_id}/jobs',
  summary: 'Deletion jobs, newest first',
  access: { kind: 'tenant', scope: 'read' },
  params: tenantParams,
  query: pageQuery,
  output: pageOf(operationJobRecord),
  status: 200,
  run: (services, input) => services.deletion.jobs(input.tenant_id, toPageRequest(input)),
});

export const getJobOperation = defineOperation({
  id: 'jobs.get',
  method: 'GET',
  path: '/tenants/{tenant_id}/jobs/{job_id}',
  summary: 'Progress of a deletion job',
  access: { kind: 'tenant', scope: 'read' },
  params: jobParams,
  output: operationJobRecord,
  status: 200,
  run: (services, { tenant_id, job_id }) => services.deletion.job(tenant_id, job_id),
});

export const deleteJobOperation = defineOperation({
  id: 'jobs.delete',
  method: 'DELETE',
  path: '/tenants/{tenant_id}/jobs/{job_id}',
  summary: 'Cancel an open job, or delete the record of a finished one; deleted traces are not restored',
  access: { kind: 'tenant', scope: 'write' },
  params: jobParams,
  output: z.null(),
  status: 204,
  async run(services, { tenant_id, job_id }) {
    await services.deletion.removeJob(tenant_id, job_id);
    return null;
  },
});

export const getRetentionOperation = defineOperation({
  id: 'retention.get',
  method: 'GET',
  path: '/tenants/{tenant_id}/settings/retention',
  summary: 'How long traces are kept',
  access: { kind: 'tenant', scope: 'read' },
  params: tenantParams,
  output: retentionRecord,
  status: 200,
  run: (services, { tenant_id }) => services.deletion.retention(tenant_id),
});

export const setRetentionOperation = defineOperation({
  id: 'retention.set',
  method: 'PUT',
  path: '/tenants/{tenant_id}/settings/retention',
  summary: 'Set the retention of traces; older ones are deleted every night',
  access: { kind: 'tenant', scope: 'admin' },
  params: tenantParams,
  body: z.strictObject({
    retention_days: z
      .union([retentionDays, z.null(), z.literal('default')])
      .describe('Days; null: forever; `default`: the instance’s setting'),
  }),
  output: retentionRecord,
  status: 200,
  errorCodes: ['quota_exceeded'],
  run: (services, { tenant_id, retention_days }) => services.deletion.setRetention(tenant_id, retention_days),
});

export const deletionOperations = [
  deleteTraceOperation,
  deleteTracesOperation,
  listJobsOperation,
  getJobOperation,
  deleteJobOperation,
  getRetentionOperation,
  setRetentionOperation,
];
