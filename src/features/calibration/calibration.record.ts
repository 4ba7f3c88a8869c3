import { z } from 'zod';
import { isSetByTenant, type ThresholdSettings } from '../../core/thresholds.ts';
import type { TrafficReference } from '../../detectors/_kit/traffic-reference.ts';
import type { CalibrationSettings, CalibrationState, FrameworkCalibration } from './calibration-state.ts';

const adaptedKind = z
  .object({
    detector: z.string(),
    subtype: z.string(),
    direction: z.enum(['lowered', 'raised']),
    default: z.number().describe('Firing confidence without adaptation'),
    firing: z.number().describe('Firing confidence with it'),
    warning: z.number().nullable().describe('Confidence from which it is a warning; null if the usual rule applies'),
    matches: z.number().describe('Sampled traces that reach it'),
    valid: z.number().describe('Validated as real'),
    invalid: z.number().describe('Validated as false'),
    since: z.iso.datetime(),
    reason: z.string(),
  })
  .meta({ id: 'AdaptedKind' });

export const calibrationRecord = z
  .object({
    enabled: z.boolean(),
    target_alert_rate: z.number().describe('Target share of traces with a detection of `warning` or higher'),
    min_traces: z.number().describe('Minimum traces of a framework before thresholds are adapted'),
    computed_at: z.iso.datetime().nullable().describe('Null before the first calculation'),
    frameworks: z.array(
      z.object({
        framework: z.string(),
        traces: z.number().describe('Traces that are sampled, at most the last 1,000'),
        state: z
          .enum(['collecting', 'in_effect', 'off', 'own_scaling'])
          .describe('`own_scaling`: the tenant set confidence_scaling itself, which overrides adaptation'),
        alert_rate: z
          .object({ before: z.number(), after: z.number() })
          .nullable()
          .describe('Share of these traces with a detection of `warning` or higher, without and with adaptation'),
        adapted: z.array(adaptedKind),
        riskiest: z
          .object({
            runs: z.number().describe('Runs that were ranked'),
            share: z.number().describe('Share of them reported as completion/unusual_trouble'),
            warns: z.boolean().describe('False if other alerts leave no room: then they are reported as info'),
          })
          .nullable()
          .describe('The runs with the highest failure rank, ranked without labels; null if none are reported'),
      }),
    ),
  })
  .meta({ id: 'Calibration' });
export type CalibrationRecord = z.output<typeof calibrationRecord>;

export interface CalibrationFacts {
  settings: CalibrationSettings;
  state: CalibrationState | null;
  counts: readonly { framework: string; count: number }[];
  thresholds: ThresholdSettings;
  minTraces: number;
}

export function toCalibrationRecord(facts: CalibrationFacts): CalibrationRecord {
  const { settings, state, counts, minTraces } = facts;
  return {
    enabled: settings.enabled,
    target_alert_rate: settings.targetAlertRate,
    min_traces: minTraces,
    computed_at: state === null ? null : new Date(state.computedAt).toISOString(),
    frameworks: counts.map(({ framework, count }) => {
      const known = state?.frameworks.find((each) => each.framework === framework);
      return {
        framework,
        traces: count,
        state: stateOf(framework, count, facts),
        alert_rate: known && known.traces >= minTraces ? roundedRates(known) : null,
        adapted: (known?.adapted ?? []).map(({ since, ...kind }) => ({
          ...kind,
          since: new Date(since).toISOString(),
        })),
        riskiest: known?.risk ? riskiestOf(known.risk) : null,
      };
    }),
  };
}

function stateOf(framework: string, count: number, { settings, thresholds, minTraces }: CalibrationFacts) {
  if (!settings.enabled) return 'off';
  if (isSetByTenant(thresholds, framework, 'confidenceScaling')) return 'own_scaling';
  return count < minTraces ? 'collecting' : 'in_effect';
}

function riskiestOf({ runs, share, warningFrom }: TrafficReference) {
  return { runs, share, warns: warningFrom !== null };
}

function roundedRates({ alertRate }: FrameworkCalibration) {
  const rounded = (share: number) => Math.round(share * 1e4) / 1e4;
  return { before: rounded(alertRate.before), after: rounded(alertRate.after) };
}
