import { z } from 'zod';
import type { DetectionType } from '../../core/detection.ts';
import { DETECTORS } from '../../detectors/registry.ts';
import { unknownMembers } from '../_kit/field-errors.ts';
import { defineOperation } from '../_kit/operation.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { detectorTier } from '../_kit/vocabulary.ts';

const NAMES = DETECTORS.map((registered) => registered.detector.type);

/** A map by detector; a name that no detector has is refused with those that there are. */
function byDetector<Value extends z.ZodType>(value: Value) {
  const shape = Object.fromEntries(NAMES.map((name) => [name, value.optional()]));
  return z.strictObject(shape as Record<DetectionType, z.ZodOptional<Value>>, unknownMembers('detector', NAMES));
}

/** The same; members may also be subtypes, as `loop/cyclic`, which the type leaves out: they are too many to list. */
function byDetectorOrSubtype<Value extends z.ZodType>(value: Value) {
  const shape = Object.fromEntries(NAMES.map((name) => [name, value.optional()]));
  const schema = z
    .object(shape)
    .catchall(value)
    .superRefine((given, context) => {
      for (const name of Object.keys(given).filter((key) => !KINDS.has(key)))
        context.addIssue({ code: 'custom', path: [name], message: unknownKind(name) });
    });
  return schema as unknown as z.ZodObject<Record<DetectionType, z.ZodOptional<Value>>>;
}

const KINDS = new Set(
  DETECTORS.flatMap(({ detector: { type, subtypes } }) => [
    type,
    ...Object.keys(subtypes).map((subtype) => `${type}/${subtype}`),
  ]),
);

function unknownKind(name: string): string {
  const detector = NAMES.find((known) => name.startsWith(`${known}/`));
  const kinds = [...KINDS].filter((kind) => kind.startsWith(`${detector}/`));
  return detector === undefined
    ? `unknown detector ${JSON.stringify(name)}; there are ${NAMES.join(', ')}`
    : `unknown subtype ${JSON.stringify(name)}; there are ${kinds.join(', ')}`;
}

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
            'True after you switched the detector on: its subtypes in preview are reported. By default they are kept as observations',
          ),
        tier: detectorTier,
        subtypes: z.array(
          z.object({
            subtype: z.string(),
            maturity: z
              .enum(['fact', 'measured', 'preview'])
              .describe('What the subtype has shown: a preview is kept as an observation by default'),
            reported: z.boolean().describe('Reported as `info` or worse, as things are set now'),
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
    effective: z.number().describe('The one that counts where `adapted` names no other'),
    source: z.enum(['override', 'calibrated']),
  })
  .meta({ id: 'FiringThresholds' });

const overrides = z
  .record(
    z.string(),
    firingThresholds.extend({
      subtypes: z.record(z.string(), firingThresholds).describe('What counts for each subtype'),
      adapted: z
        .array(z.object({ framework: z.string(), subtype: z.string(), effective: z.number() }))
        .describe("Kinds of finding that fire otherwise, adapted to the tenant's traffic of a framework"),
    }),
  )
  .meta({ id: 'DetectorOverrides' });

export const getDetectorsOperation = defineOperation({
  id: 'settings.detectors',
  method: 'GET',
  path: '/tenants/{tenant_id}/settings/detectors',
  summary: 'Which detectors are on',
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
  summary: 'Switches detectors on or off; null gives one its default back; others stay',
  access: WRITE,
  params: tenantParams,
  body: byDetector(z.boolean().nullable()),
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
    'Sets firing thresholds, 0 to 1, of a detector (`loop`) or a subtype (`loop/cyclic`); null resets one; others stay. Counts from the next ingested trace',
  access: WRITE,
  params: tenantParams,
  body: byDetectorOrSubtype(z.number().min(0).max(1).nullable()),
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
