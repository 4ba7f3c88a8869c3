import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { dashboardRecord, vendorDashboard } from './vendor-dashboard.ts';

export const flushVendorOperation = defineOperation({
  id: 'metrics.flush-vendor',
  method: 'POST',
  path: '/metrics/vendor/flush',
  summary: 'Sends the growth of the figures to Datadog: the tenant’s own, for the operator those of the instance',
  access: { kind: 'tenant', scope: 'write' },
  output: z.object({
    series: z.int().describe('Accepted by the vendor'),
    requests: z.int(),
    unanswered: z.int().describe('Sent more than 50 minutes ago without a response; not sent again'),
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
