import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { eachField, effective, frameworkName, proposed, thresholdsChange } from './threshold-change.ts';
import { DEFAULT_THRESHOLD_RECORD, THRESHOLD_NAMES, type ThresholdName, thresholdFields } from './threshold-fields.ts';

const READ = { kind: 'tenant', scope: 'read' } as const;
const WRITE = { kind: 'tenant', scope: 'write' } as const;

const own = z
  .object(
    eachField<{ [Name in ThresholdName]: z.ZodOptional<(typeof thresholdFields)[Name]> }>((field) => field.optional()),
  )
  .meta({ id: 'OwnThresholds' });

const values = z.object(effective).meta({ id: 'ThresholdValues' });

const thresholds = z
  .object({
    ...effective,
    global: own.describe('The tenant’s values for all its traces'),
    frameworks: z.record(frameworkName, own).describe('The tenant’s values for traces of one framework'),
  })
  .meta({ id: 'Thresholds' });

const frameworkQuery = z.object({
  framework: frameworkName.optional().describe('Of traces of this framework'),
});

export const getThresholdsOperation = defineOperation({
  id: 'thresholds.get',
  method: 'GET',
  path: '/tenants/{tenant_id}/settings/thresholds',
  summary: 'Detection thresholds: effective values at the top, the tenant’s own values in `global` and `frameworks`',
  access: READ,
  params: tenantParams,
  query: frameworkQuery,
  output: thresholds,
  status: 200,
  run: (services, input) => services.thresholds.get(input.tenant_id, input.framework ?? null),
});

export const putThresholdsOperation = defineOperation({
  id: 'thresholds.change',
  method: 'PUT',
  path: '/tenants/{tenant_id}/settings/thresholds',
  summary: 'Sets thresholds; null resets a field, others are kept, flat fields mean `global`',
  access: WRITE,
  params: tenantParams,
  body: thresholdsChange,
  output: thresholds,
  status: 200,
  run: (services, { tenant_id, ...body }) => services.thresholds.change(tenant_id, body),
});

export const resetThresholdsOperation = defineOperation({
  id: 'thresholds.reset',
  method: 'DELETE',
  path: '/tenants/{tenant_id}/settings/thresholds',
  summary: 'Resets all thresholds, or those of one framework, to the defaults',
  access: WRITE,
  params: tenantParams,
  query: z.object({ framework: frameworkName.optional().describe('Resets only the values of this framework') }),
  output: z.null(),
  status: 204,
  async run(services, { tenant_id, framework }) {
    await services.thresholds.reset(tenant_id, framework ?? null);
    return null;
  },
});

const defaults = z
  .object({
    ...effective,
    bounds: z
      .record(z.string(), z.object({ min: z.number(), max: z.number(), whole: z.boolean() }))
      .describe('Lowest and highest value of each field'),
  })
  .meta({ id: 'DefaultThresholds' });

const DEFAULTS = { ...DEFAULT_THRESHOLD_RECORD, bounds: boundsOfFields() };

export const getDefaultThresholdsOperation = defineOperation({
  id: 'thresholds.defaults',
  method: 'GET',
  path: '/settings/thresholds/defaults',
  summary: 'Default thresholds with their bounds',
  access: { kind: 'public' },
  output: defaults,
  status: 200,
  run: async () => DEFAULTS,
});

export const getTenantDefaultThresholdsOperation = defineOperation({
  id: 'thresholds.tenant-defaults',
  method: 'GET',
  path: '/tenants/{tenant_id}/settings/thresholds/defaults',
  summary: 'Default thresholds with their bounds, the same for every tenant',
  access: { kind: 'public' },
  params: tenantParams,
  output: defaults,
  status: 200,
  run: async () => DEFAULTS,
});

const firing = z.object({
  trace_id: z.string(),
  detection_type: z.string(),
  subtype: z.string(),
  severity: z.string(),
  confidence: z.number(),
});
const difference = z
  .object({
    total: z.number(),
    by_detector: z.array(z.object({ detector: z.string(), count: z.number() })),
    examples: z.array(firing).describe('The first of them, newest traces first'),
  })
  .meta({ id: 'ThresholdDifference' });

export const previewThresholdsOperation = defineOperation({
  id: 'thresholds.preview',
  method: 'GET',
  path: '/tenants/{tenant_id}/settings/thresholds/preview',
  summary: 'Previews the effect of thresholds: analyzes recent traces with the current and with the proposed values',
  access: READ,
  params: tenantParams,
  query: z.object({
    ...proposed,
    framework: frameworkName.optional().describe('Only traces of this framework'),
  }),
  output: z.object({
    framework: z.string().nullable(),
    current: values,
    thresholds: values.describe('With the proposed thresholds'),
    sampled: z.object({
      traces: z.number().describe('Newest first; each was analyzed twice'),
      skipped: z.number().describe('Traces that were skipped because they are too long'),
      of: z.number().describe('Traces stored in that time'),
      from: z.iso.datetime(),
      to: z.iso.datetime(),
      is_complete: z.boolean(),
    }),
    fires_more: difference,
    fires_less: difference,
  }),
  status: 200,
  run: (services, { tenant_id, framework, ...fields }) =>
    services.thresholds.preview(tenant_id, framework ?? null, fields),
});

export const thresholdOperations = [
  getThresholdsOperation,
  putThresholdsOperation,
  resetThresholdsOperation,
  getDefaultThresholdsOperation,
  getTenantDefaultThresholdsOperation,
  previewThresholdsOperation,
];

function boundsOfFields(): Record<string, { min: number; max: number; whole: boolean }> {
  return Object.fromEntries(
    THRESHOLD_NAMES.map((name) => {
      const { minValue, maxValue, isInt } = thresholdFields[name];
      return [name, { min: minValue!, max: maxValue!, whole: isInt }];
    }),
  );
}
