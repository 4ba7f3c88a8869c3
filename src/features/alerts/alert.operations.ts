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
  summary: 'Who is alerted of what, when and how; secrets are masked',
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
  summary: 'Sets the members that are named; others stay, null resets one; a mask keeps what it masks',
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
  summary: 'Sends a test on every channel that is on, and says how it went',
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
  summary: 'Alerts, newest first, and how each channel took them',
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
