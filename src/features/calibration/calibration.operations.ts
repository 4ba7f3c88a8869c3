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
  summary: "Thresholds adapted to the tenant's traffic, with their defaults, reasons and start times",
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
  summary:
    'Enables or disables adaptation, and sets the target share of traces with a warning; omitted members are kept',
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
  summary: 'Deletes the collected data and restores the default settings',
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
