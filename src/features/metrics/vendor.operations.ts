import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { dashboardRecord, vendorDashboard } from './vendor-dashboard.ts';

export const flushVendorOperation = defineOperation({
  id: 'metrics.flush-vendor',
  method: 'POST',
  path: '/metrics/vendor/flush',
  summary: 'Sends what the figures have grown by to Datadog: a tenant’s own, for the operator the instance’s',
  access: { kind: 'tenant', scope: 'write' },
  output: z.object({
    series: z.int().describe('Taken by the vendor'),
    requests: z.int(),
    unanswered: z.int().describe('Sent more than 50 minutes ago without an answer; not sent again'),
  }),
  status: 200,
  run: (services, _input, caller) => services.vendor.flush(caller.tenantId),
});

export const vendorDashboardOperation = defineOperation({
  id: 'metrics.vendor-dashboard',
  method: 'GET',
  path: '/metrics/vendor/dashboard',
  summary: 'A dashboard of these figures, as Datadog’s dashboard API takes it',
  access: { kind: 'tenant', scope: 'read' },
  output: dashboardRecord,
  status: 200,
  run: async (_services, _input, caller) => vendorDashboard(caller.tenantId),
});

export const vendorOperations = [flushVendorOperation, vendorDashboardOperation];
