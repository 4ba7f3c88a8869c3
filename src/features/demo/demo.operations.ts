import { defineOperation } from '../_kit/operation.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { exampleRuns } from './demo.record.ts';

export const fillDemoOperation = defineOperation({
  id: 'demo.fill',
  method: 'POST',
  path: '/tenants/{tenant_id}/demo',
  summary: 'Stores seven example runs, one healthy and six with faults; a repeated call on the same day replaces them',
  access: { kind: 'tenant', scope: 'ingest' },
  params: tenantParams,
  output: exampleRuns,
  status: 201,
  run: (services, { tenant_id }) => services.demo.fill(tenant_id),
});

export const demoOperations = [fillDemoOperation];
