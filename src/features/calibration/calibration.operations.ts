import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { calibrationRecord } from './calibration.record.ts';
import { calibrationChange, toSettings } from './calibration-change.ts';

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
  body: calibrationChange,
  output: calibrationRecord,
  status: 200,
  run: (services, { tenant_id, ...body }) => services.calibration.change(tenant_id, toSettings(body)),
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
