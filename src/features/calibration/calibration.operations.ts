import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { calibrationRecord } from './calibration.record.ts';

const path = '/tenants/{tenant_id}/settings/calibration';
const WRITE = { kind: 'tenant', scope: 'write' } as const;

export const getCalibrationOperation = defineOperation({
  id: 'calibration.get',
  method: 'GET',
  path,
  summary: "What the tenant's own traffic has moved, from what, since when, with the defaults beside it",
  access: { kind: 'tenant', scope: 'read' },
  params: tenantParams,
  output: calibrationRecord,
  status: 200,
  run: (services, input) => services.calibration.get(input.tenant_id),
});

export const putCalibrationOperation = defineOperation({
  id: 'calibration.change',
  method: 'PUT',
  path,
  summary: 'Switches self-calibration, and sets how many traces may carry a warning; what is left out stays',
  access: WRITE,
  params: tenantParams,
  body: z.strictObject({
    enabled: z.boolean().optional(),
    target_alert_rate: z.number().min(0.001).max(0.5).optional(),
  }),
  output: calibrationRecord,
  status: 200,
  run: (services, { tenant_id, enabled, target_alert_rate }) =>
    services.calibration.change(tenant_id, {
      ...(enabled === undefined ? {} : { enabled }),
      ...(target_alert_rate === undefined ? {} : { targetAlertRate: target_alert_rate }),
    }),
});

export const resetCalibrationOperation = defineOperation({
  id: 'calibration.reset',
  method: 'DELETE',
  path,
  summary: 'Forgets what was learned of the traffic and gives the settings their defaults back',
  access: WRITE,
  params: tenantParams,
  output: z.null(),
  status: 204,
  async run(services, { tenant_id }) {
    await services.calibration.reset(tenant_id);
    return null;
  },
});

export const calibrationOperations = [getCalibrationOperation, putCalibrationOperation, resetCalibrationOperation];
