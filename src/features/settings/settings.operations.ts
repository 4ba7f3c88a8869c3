import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { detectorTier } from '../_kit/vocabulary.ts';
import { overridesChange, switchesChange } from './settings-change.ts';

const READ = { kind: 'tenant', scope: 'read' } as const;
const WRITE = { kind: 'tenant', scope: 'write' } as const;

const switches = z
  .object({
    items: z.array(
      z.object({
        detector: z.string(),
        title: z.string(),
        enabled: z.boolean(),
        reports_previews: z
          .boolean()
          .describe(
            'True if you enabled the detector explicitly: its subtypes in preview are reported. By default they are observations',
          ),
        tier: detectorTier,
        subtypes: z.array(
          z.object({
            subtype: z.string(),
            maturity: z
              .enum(['fact', 'measured', 'preview'])
              .describe('Maturity of the subtype; a preview is an observation by default'),
            tier: detectorTier,
            reported: z.boolean().describe('Reported as `info` or higher with the current settings'),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'DetectorSwitches' });

const firingThresholds = z
  .object({
    override: z.number().nullable(),
    calibrated: z.number().describe('Firing threshold without an override'),
    effective: z.number().describe('The effective threshold, unless `adapted` has another one'),
    source: z.enum(['override', 'calibrated']),
  })
  .meta({ id: 'FiringThresholds' });

const overrides = z
  .record(
    z.string(),
    firingThresholds.extend({
      subtypes: z.record(z.string(), firingThresholds).describe('Effective thresholds of each subtype'),
      adapted: z
        .array(z.object({ framework: z.string(), subtype: z.string(), effective: z.number() }))
        .describe("Thresholds adapted to the tenant's traffic of a framework"),
    }),
  )
  .meta({ id: 'DetectorOverrides' });

export const getDetectorsOperation = defineOperation({
  id: 'settings.detectors',
  method: 'GET',
  path: '/tenants/{tenant_id}/settings/detectors',
  summary: 'Detectors, and whether they are enabled',
  access: READ,
  params: tenantParams,
  output: switches,
  status: 200,
  run: async (services, input) => ({ items: await services.settings.detectors(input.tenant_id) }),
});

export const putDetectorsOperation = defineOperation({
  id: 'settings.switch-detectors',
  method: 'PUT',
  path: '/tenants/{tenant_id}/settings/detectors',
  summary: 'Enables or disables detectors; null restores the default of one; others are kept',
  access: WRITE,
  params: tenantParams,
  body: switchesChange,
  output: switches,
  status: 200,
  run: async (services, { tenant_id, ...change }) => ({
    items: await services.settings.switchDetectors(tenant_id, change),
  }),
});

export const getOverridesOperation = defineOperation({
  id: 'settings.overrides',
  method: 'GET',
  path: '/tenants/{tenant_id}/settings/detector-overrides',
  summary: 'Firing thresholds by detector and subtype',
  access: READ,
  params: tenantParams,
  output: overrides,
  status: 200,
  run: (services, input) => services.settings.overrides(input.tenant_id),
});

export const putOverridesOperation = defineOperation({
  id: 'settings.change-overrides',
  method: 'PUT',
  path: '/tenants/{tenant_id}/settings/detector-overrides',
  summary:
    'Sets firing thresholds, 0 to 1, of a detector (`loop`) or a subtype (`loop/cyclic`); null resets one; others are kept. Applies from the next ingested trace',
  access: WRITE,
  params: tenantParams,
  body: overridesChange,
  output: overrides,
  status: 200,
  run: (services, { tenant_id, ...change }) => services.settings.changeOverrides(tenant_id, change),
});

export const settingsOperations = [
  getDetectorsOperation,
  putDetectorsOperation,
  getOverridesOperation,
  putOverridesOperation,
];
