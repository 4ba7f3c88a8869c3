import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { detectorTier, interval } from '../_kit/vocabulary.ts';
import { benchmarks, detectorStatus } from './benchmark.ts';

const share = z.number().min(0).max(1).nullable();
const maybeInterval = interval.nullable();

const source = {
  data_set: z.string().nullable().describe('Null where no labelled data exist'),
  basis: z
    .enum(['as shipped', 'out-of-fold', 'set left out', 'never fitted', 'in-sample'])
    .nullable()
    .describe('Whether the data is held out: `as shipped` means that the detector may have been fitted to it'),
  counted_as_real: z
    .string()
    .nullable()
    .describe('Which labels count as the fault, and which detections as reporting it'),
  unit: z.enum(['run', 'text']).nullable(),
  sample_count: z.number().int().describe('Labelled runs or texts'),
  positive_count: z.number().int().describe('Of these, the ones with the fault'),
  found_count: z.number().int().describe('Of those, the ones that were reported: the numerator of recall'),
  reported_count: z.number().int().describe('Runs or texts that were reported, with or without the fault'),
};

const figures = {
  f1: share,
  f1_interval: maybeInterval,
  precision: share,
  precision_interval: maybeInterval,
  recall: share,
  recall_interval: maybeInterval,
  ...source,
};

const flagRate = z
  .object({
    rate: z.number(),
    interval: maybeInterval,
    sample_count: z.number().int().describe('Runs on which a reported subtype of the detector could fire'),
    is_sample_count_minimum: z
      .boolean()
      .describe('Whether `sample_count` is a lower bound, from the subtype that could fire on most runs'),
    flagged_count: z.number().int(),
  })
  .meta({ id: 'FlagRate' })
  .nullable()
  .describe(
    'Share of runs with a detection of `warning` or higher, of those on which the detector could fire; null without such runs',
  );

const fired = z
  .object({ fired: z.number().int(), could_fire: z.number().int() })
  .meta({ id: 'FiredRuns' })
  .describe('Runs with a detection of the subtype, of those that contain what it needs');

const subtypeStatus = z
  .object({
    subtype: z.string(),
    title: z.string(),
    maturity: z
      .enum(['fact', 'measured', 'preview'])
      .describe('Previews are stored as observations unless you enable the detector'),
    fact_because: z.string().nullable().describe('Why a `fact` can be read in the trace; null for other subtypes'),
    counted_against: z
      .enum(['outcome', 'attacks'])
      .nullable()
      .describe(
        'Whether a failing run is one that missed its goal, or one that was attacked; null where nothing was counted.',
      ),
    rule_chosen_on: z
      .array(z.string())
      .nullable()
      .describe('Run sources that were looked at while the rule was chosen; null where that was not recorded'),
    left_out_healthy: fired.nullable().describe('Healthy runs of all other sources'),
    left_out_failing: fired.nullable(),
    outcome_precision: share.describe('Share of failing runs among the left-out runs with the detection'),
    outcome_precision_interval: maybeInterval,
    base_rate: share.describe('What that share would be if it fired regardless of the outcome'),
    not_measured_because: z.string().nullable().describe('Why a preview is not `measured`'),
  })
  .meta({ id: 'SubtypeStatus' });

const measured = {
  measured_at: z.string().nullable().describe('Day of the evaluation'),
  split: z.string().describe('Part of the public sets that was measured'),
  total: z.number().int(),
};

export const benchmarksOperation = defineOperation({
  id: 'benchmarks.list',
  method: 'GET',
  path: '/benchmarks',
  summary: 'How many faults of each of the 16 failure modes are found; null where no labelled data exist',
  access: { kind: 'public' },
  output: z.object({
    ...measured,
    items: z.array(
      z.object({
        mode: z.string(),
        name: z.string(),
        mast_codes: z.array(z.string()),
        detectors: z.array(z.string()),
        tier: detectorTier,
        detection_rate: share.describe('Recall of the detectors together'),
        interval: maybeInterval,
        ...source,
      }),
    ),
  }),
  status: 200,
  run: async () => benchmarks(),
});

export const detectorStatusOperation = defineOperation({
  id: 'diagnostics.detector-status',
  method: 'GET',
  path: '/diagnostics/detector-status',
  summary: 'Measured quality of each detector: F1, precision, recall, flag rates, and the tier derived from them',
  access: { kind: 'tenant', scope: 'read' },
  output: z.object({
    ...measured,
    items: z.array(
      z.object({
        detector: z.string(),
        tier: detectorTier,
        ...figures,
        further: z.array(z.object(figures)).describe('The same on other data'),
        healthy_flag_rate: flagRate,
        failing_flag_rate: flagRate,
        subtypes: z.array(subtypeStatus),
      }),
    ),
  }),
  status: 200,
  run: async () => detectorStatus(),
});

export const benchmarkOperations = [benchmarksOperation, detectorStatusOperation];
