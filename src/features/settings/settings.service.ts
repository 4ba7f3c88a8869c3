import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import type { Tier } from '../../core/detection.ts';
import { isWithin } from '../../core/elapsed.ts';
import { isSetByTenant } from '../../core/thresholds.ts';
import type { MaturityLevel } from '../../detectors/_kit/maturity.ts';
import { type FiringOverrides, overrideOf } from '../../detectors/_runner/firing-override.ts';
import { FACT_CONFIDENCE, maturityLevel, subtypeTier } from '../../detectors/_runner/maturity-limit.ts';
import { adaptedFiring, firingConfidence, isEnabled } from '../../detectors/_runner/run.ts';
import { tierOf } from '../../detectors/detector-scores.ts';
import { DETECTORS, type RegisteredDetector } from '../../detectors/registry.ts';
import type { Db } from '../../store/connection.ts';
import type { Database } from '../../store/schema.ts';
import { readSetting, writeSetting } from '../../store/setting.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { TenantDetection } from '../analysis/tenant-detection.ts';
import { readCalibrationSettings, readCalibrationState } from '../calibration/calibration.service.ts';
import { adaptedFirings, trafficReferences } from '../calibration/calibration-state.ts';
import { readThresholdSettings } from './threshold.service.ts';

/** A change to a map of settings: a named entry is set, null resets it to its default, others are unchanged. */
export type Change<Value> = Readonly<Record<string, Value | null | undefined>>;

export interface SubtypeSwitch {
  subtype: string;
  maturity: MaturityLevel;
  tier: Tier;
  /** Whether it is reported; otherwise it is an observation, or the detector does not run. */
  reported: boolean;
}

export interface DetectorSwitch {
  detector: string;
  title: string;
  enabled: boolean;
  /** True when the tenant switched the detector on: subtypes in preview are reported, not only kept as observations. */
  reports_previews: boolean;
  tier: Tier;
  subtypes: SubtypeSwitch[];
}

/** Firing thresholds: the tenant's, the calibrated one, and the effective one. */
interface FiringThresholds {
  override: number | null;
  calibrated: number;
  effective: number;
  source: 'override' | 'calibrated';
}

/** Thresholds of one detector; `subtypes` has the effective ones of each subtype that `adapted` does not name. */
export interface DetectorOverride extends FiringThresholds {
  subtypes: Record<string, FiringThresholds>;
  /** Kinds of detections with another threshold in traces of a framework; empty under an override. */
  adapted: { framework: string; subtype: string; effective: number }[];
}

const SWITCHES = 'detectors';
/** Name of the setting with the firing thresholds by detector. */
export const OVERRIDES = 'detector_overrides';
/** Maximum delay until a change by another process is noticed. */
const TTL_MS = 5_000;

interface SettingsServiceOptions {
  db: Kysely<Database>;
  clock: Clock;
  tenantNoOf(tenantId: string): Promise<number>;
}

/** Detector switches and threshold overrides of tenants, and a cache of the settings that analyses use. */
export class SettingsService {
  readonly #options: SettingsServiceOptions;
  readonly #cache = new Map<number, { detection: TenantDetection; cachedAt: number }>();

  constructor(options: SettingsServiceOptions) {
    this.#options = options;
  }

  async detectors(tenantId: string): Promise<DetectorSwitch[]> {
    return toSwitches(await this.#read(tenantId));
  }

  /** Takes effect on the next trace that is analyzed. */
  async switchDetectors(tenantId: string, change: Change<boolean>): Promise<DetectorSwitch[]> {
    return toSwitches(await this.#change(tenantId, SWITCHES, change));
  }

  async overrides(tenantId: string): Promise<Record<string, DetectorOverride>> {
    return toOverrides(await this.#read(tenantId));
  }

  async changeOverrides(tenantId: string, change: Change<number>): Promise<Record<string, DetectorOverride>> {
    return toOverrides(await this.#change(tenantId, OVERRIDES, change));
  }

  /** Settings that the analysis of the tenant's traces uses, by the id of the tenant. */
  async ofTenant(tenantId: string): Promise<TenantDetection> {
    return this.detectionOf(await this.#options.tenantNoOf(tenantId));
  }

  /** The same by number. */
  async detectionOf(tenantNo: number): Promise<TenantDetection> {
    const { db, clock } = this.#options;
    const cached = this.#cache.get(tenantNo);
    if (cached && isWithin(cached.cachedAt, clock.now(), TTL_MS)) return cached.detection;
    const detection = await readDetection(db, tenantNo);
    this.#cache.set(tenantNo, { detection, cachedAt: clock.now() });
    return detection;
  }

  /** Clears the cached settings of a tenant after a change. */
  forget(tenantNo: number): void {
    this.#cache.delete(tenantNo);
  }

  async #read(tenantId: string): Promise<TenantDetection> {
    return readDetection(this.#options.db, await this.#options.tenantNoOf(tenantId));
  }

  async #change<Value extends boolean | number>(
    tenantId: string,
    name: string,
    changes: Change<Value>,
  ): Promise<TenantDetection> {
    const { db, clock, tenantNoOf } = this.#options;
    const tenantNo = await tenantNoOf(tenantId);
    const detection = await inTransaction(db, async (transaction) => {
      const before = ((await readSetting(transaction, tenantNo, name)) ?? {}) as Record<string, Value>;
      const after = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null);
      await writeSetting(transaction, tenantNo, name, Object.fromEntries(after) as Record<string, Value>, clock.now());
      return readDetection(transaction, tenantNo);
    });
    this.forget(tenantNo);
    return detection;
  }
}

async function readDetection(db: Db, tenantNo: number): Promise<TenantDetection> {
  const enabled = ((await readSetting(db, tenantNo, SWITCHES)) ?? {}) as TenantDetection['enabled'];
  const overrides = ((await readSetting(db, tenantNo, OVERRIDES)) ?? {}) as FiringOverrides;
  const calibration = await readCalibrationSettings(db, tenantNo);
  const state = await readCalibrationState(db, tenantNo);
  return {
    thresholds: await readThresholdSettings(db, tenantNo),
    enabled,
    overrides,
    adapted: adaptedFirings(calibration, state),
    references: trafficReferences(calibration, state),
  };
}

function toSwitches({ enabled, overrides }: TenantDetection): DetectorSwitch[] {
  return DETECTORS.map((registered) => ({
    detector: registered.detector.type,
    title: registered.detector.title,
    enabled: isEnabled(registered, { enabled }),
    reports_previews: enabled[registered.detector.type] === true,
    tier: tierOf(registered.detector.type),
    subtypes: Object.keys(registered.detector.subtypes).map((subtype) =>
      toSubtypeSwitch(registered, subtype, { enabled, overrides }),
    ),
  }));
}

function toSubtypeSwitch(
  registered: RegisteredDetector,
  subtype: string,
  { enabled, overrides }: Pick<TenantDetection, 'enabled' | 'overrides'>,
): SubtypeSwitch {
  const level = maturityLevel(registered, subtype, enabled[registered.detector.type] === true);
  // A fact has a fixed confidence. A threshold above it makes the fact an observation.
  const isSilenced = level === 'fact' && firingConfidence(registered, { overrides }, subtype) > FACT_CONFIDENCE;
  return {
    subtype,
    maturity: maturityLevel(registered, subtype),
    tier: subtypeTier(registered, subtype),
    reported: isEnabled(registered, { enabled }) && level !== 'preview' && !isSilenced,
  };
}

function toOverrides(detection: TenantDetection): Record<string, DetectorOverride> {
  const { overrides } = detection;
  const entryOf = (registered: RegisteredDetector): [string, DetectorOverride] => {
    const { type, subtypes } = registered.detector;
    const firings = Object.keys(subtypes).map((subtype) => [subtype, toFirings(registered, overrides, subtype)]);
    return [
      type,
      {
        ...toFirings(registered, overrides),
        subtypes: Object.fromEntries(firings) as DetectorOverride['subtypes'],
        adapted: adaptedOf(detection, registered),
      },
    ];
  };
  return Object.fromEntries(DETECTORS.map(entryOf));
}

function toFirings(registered: RegisteredDetector, overrides: FiringOverrides, subtype?: string): FiringThresholds {
  const { type } = registered.detector;
  return {
    override: overrides[subtype === undefined ? type : `${type}/${subtype}`] ?? null,
    calibrated: firingConfidence(registered, { overrides: {} }, subtype),
    effective: firingConfidence(registered, { overrides }, subtype),
    source: overrideOf(overrides, type, subtype) === undefined ? 'calibrated' : 'override',
  };
}

function adaptedOf(tenant: TenantDetection, registered: RegisteredDetector): DetectorOverride['adapted'] {
  const { subtypes } = registered.detector;
  return Object.keys(tenant.adapted)
    .filter((framework) => !isSetByTenant(tenant.thresholds, framework, 'confidenceScaling'))
    .flatMap((framework) =>
      Object.keys(subtypes).flatMap((subtype) => {
        const firing = adaptedFiring(registered, subtype, { ...tenant, adapted: tenant.adapted[framework]! });
        return firing === undefined ? [] : [{ framework, subtype, effective: firing.firing }];
      }),
    );
}
