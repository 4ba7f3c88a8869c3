import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { pageOf, pageQuery, toPageRequest } from '../_kit/page.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { alertChannel } from '../_kit/vocabulary.ts';
import { ALERT_STATES, alertRecord } from './alert.record.ts';
import { preferencesChange, preferencesRecord } from './preferences.record.ts';

const PATH = '/tenants/{tenant_id}/preferences/notifications';

export const getPreferencesOperation = defineOperation({
  id: 'alerts.preferences',
  method: 'GET',
  path: PATH,
  summary: 'Notification preferences: channels, minimum severities, quiet hours and digest; secrets are masked',
  access: { kind: 'tenant', scope: 'read' },
  params: tenantParams,
  output: preferencesRecord,
  status: 200,
  run: (services, input) => services.alerts.preferences(input.tenant_id),
});

export const putPreferencesOperation = defineOperation({
  id: 'alerts.change-preferences',
  method: 'PUT',
  path: PATH,
  summary: 'Sets the given members; others are kept, null resets one; a mask keeps the masked value',
  access: { kind: 'tenant', scope: 'write' },
  params: tenantParams,
  body: preferencesChange,
  output: preferencesRecord,
  status: 200,
  run: (services, { tenant_id, ...change }) => services.alerts.changePreferences(tenant_id, change),
});

export const testAlertsOperation = defineOperation({
  id: 'alerts.test',
  method: 'POST',
  path: `${PATH}/test`,
  summary: 'Sends a test message on every enabled channel, and returns the outcome of each',
  access: { kind: 'tenant', scope: 'write' },
  params: tenantParams,
  output: z.object({
    results: z.array(
      z.object({
        channel: alertChannel,
        target: z.string().nullable().describe('Address of a mail'),
        delivered: z.boolean(),
        problem: z.string().nullable(),
      }),
    ),
  }),
  status: 200,
  run: async (services, input) => ({ results: await services.alerts.test(input.tenant_id) }),
});

export const listAlertsOperation = defineOperation({
  id: 'alerts.list',
  method: 'GET',
  path: '/tenants/{tenant_id}/alerts',
  summary: 'Alerts, newest first, with the outcome of each channel',
  access: { kind: 'tenant', scope: 'read' },
  params: tenantParams,
  query: pageQuery.extend({ state: z.enum(ALERT_STATES).optional(), issue_id: z.string().optional() }),
  output: pageOf(alertRecord),
  status: 200,
  run: (services, input) =>
    services.alerts.list(
      input.tenant_id,
      { state: input.state ?? null, issueId: input.issue_id ?? null },
      toPageRequest(input),
    ),
});

export const alertOperations = [
  getPreferencesOperation,
  putPreferencesOperation,
  testAlertsOperation,
  listAlertsOperation,
];
