import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import { countSamples, dropAllSamples, dropSamples, newestSamples } from '../../store/calibration.store.ts';
import type { Db } from '../../store/connection.ts';
import { listValidated, type ValidatedRow } from '../../store/detection.store.ts';
import { failJob, finishJobs, type LeasedJob, leaseJobs } from '../../store/job.store.ts';
import type { CalibrationSampleTable, Database } from '../../store/schema.ts';
import { deleteSetting, readSetting, writeSetting } from '../../store/setting.store.ts';
import { isTransient } from '../../store/storage-failure.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { TenantDetection } from '../analysis/tenant-detection.ts';
import type { LeaseManager } from '../leases/lease-manager.ts';
import { MIN_TRACES } from './adapt-firing.ts';
import { adaptTraffic, type TrafficSample } from './adapt-traffic.ts';
import { type CalibrationRecord, toCalibrationRecord } from './calibration.record.ts';
import {
  CALIBRATION_SETTINGS,
  CALIBRATION_STATE,
  type CalibrationSettings,
  type CalibrationState,
  DEFAULT_CALIBRATION,
  type FrameworkCalibration,
  withStartTimes,
} from './calibration-state.ts';
import { CALIBRATION_JOB } from './record-traffic.ts';
import { adaptableKinds, type TraceSignals } from './traffic.ts';

export interface CalibrationService {
  get(tenantId: string): Promise<CalibrationRecord>;
  /** Omitted members are kept. Recomputed at once. */
  change(tenantId: string, change: Partial<CalibrationSettings>): Promise<CalibrationRecord>;
  /** Restores the defaults and deletes all samples: it starts again with the next trace. */
  reset(tenantId: string): Promise<void>;
  /** Recomputes what is due. @returns how many tenants were processed */
  runDue(limit: number): Promise<number>;
}

/** Maximum traces per framework, and maximum frameworks; senders name frameworks. */
const LAST_TRACES = 1_000;
const MAX_FRAMEWORKS = 20;
const MAX_LABELS = 5_000;
const LEASE_MS = 60_000;
const RETRY_MS = 300_000;

export function createCalibrationService(options: {
  db: Kysely<Database>;
  clock: Clock;
  tenantNoOf(tenantId: string): Promise<number>;
  detectionOf(tenantNo: number): Promise<TenantDetection>;
  /** Invalidates cached settings of a tenant. */
  forget(tenantNo: number): void;
  leases: Pick<LeaseManager, 'owner'>;
  onProblem(subject: string, problem: string): void;
}): CalibrationService {
  const { db, clock, tenantNoOf } = options;

  /** Reads and computes outside a transaction, so that no writer waits. */
  async function compute(tenantNo: number): Promise<void> {
    const { targetAlertRate } = await readCalibrationSettings(db, tenantNo);
    const kinds = adaptableKinds(await options.detectionOf(tenantNo));
    const before = await readCalibrationState(db, tenantNo);
    const labels = Map.groupBy(await listValidated(db, tenantNo, MAX_LABELS), ({ framework }) => framework);
    const counts = await countSamples(db, tenantNo);
    const frameworks: FrameworkCalibration[] = [];
    for (const { framework } of counts.slice(0, MAX_FRAMEWORKS)) {
      const samples = await newestSamples(db, tenantNo, framework, LAST_TRACES);
      await dropOlder(db, tenantNo, samples);
      const { traces, alertRate, adapted, risk } = adaptTraffic({
        kinds,
        samples: samples.map(toSample),
        validated: (labels.get(framework) ?? []).map(toValidated),
        targetAlertRate,
      });
      const known = before?.frameworks.find((each) => each.framework === framework);
      frameworks.push({ framework, traces, alertRate, risk, adapted: withStartTimes(adapted, known, clock.now()) });
    }
    for (const { framework } of counts.slice(MAX_FRAMEWORKS)) await dropSamples(db, tenantNo, framework, null);
    await save(tenantNo, { computedAt: clock.now(), frameworks });
  }

  /** A reset in the meantime takes precedence. */
  async function save(tenantNo: number, state: CalibrationState): Promise<void> {
    await inTransaction(db, async (transaction) => {
      if ((await countSamples(transaction, tenantNo)).length === 0) return;
      await writeSetting(transaction, tenantNo, CALIBRATION_STATE, state as never, clock.now());
    });
    options.forget(tenantNo);
  }

  async function record(tenantNo: number): Promise<CalibrationRecord> {
    const settings = await readCalibrationSettings(db, tenantNo);
    const state = await readCalibrationState(db, tenantNo);
    const { thresholds } = await options.detectionOf(tenantNo);
    const counts = await countSamples(db, tenantNo);
    return toCalibrationRecord({ settings, state, counts, thresholds, minTraces: MIN_TRACES });
  }

  async function runJob(job: LeasedJob): Promise<void> {
    try {
      await compute(job.tenantNo);
      await finishJobs(db, [job]);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const isCounted = !isTransient(error);
      if (isCounted) options.onProblem('calibration', message);
      await failJob(db, job, { error: message, retryAt: clock.now() + RETRY_MS, isCounted });
    }
  }

  return {
    get: async (tenantId) => record(await tenantNoOf(tenantId)),
    async change(tenantId, change) {
      const tenantNo = await tenantNoOf(tenantId);
      await inTransaction(db, async (transaction) => {
        const settings = { ...(await readCalibrationSettings(transaction, tenantNo)), ...change };
        await writeSetting(transaction, tenantNo, CALIBRATION_SETTINGS, { ...settings }, clock.now());
      });
      options.forget(tenantNo);
      await compute(tenantNo);
      return record(tenantNo);
    },
    async reset(tenantId) {
      const tenantNo = await tenantNoOf(tenantId);
      await inTransaction(db, async (transaction) => {
        await dropAllSamples(transaction, tenantNo);
        for (const name of [CALIBRATION_SETTINGS, CALIBRATION_STATE]) await deleteSetting(transaction, tenantNo, name);
      });
      options.forget(tenantNo);
    },
    async runDue(limit) {
      const jobs = await leaseJobs(db, {
        kind: CALIBRATION_JOB,
        now: clock.now(),
        leaseMs: LEASE_MS,
        limit,
        owner: await options.leases.owner(),
      });
      for (const job of jobs) await runJob(job);
      return jobs.length;
    },
  };
}

async function dropOlder(db: Db, tenantNo: number, samples: readonly CalibrationSampleTable[]): Promise<void> {
  const oldest = samples[LAST_TRACES - 1];
  if (oldest === undefined) return;
  await dropSamples(db, tenantNo, oldest.framework, { seenAt: oldest.seen_at, traceId: oldest.trace_id });
}

function toSample({ signals, risk_columns }: CalibrationSampleTable): TrafficSample {
  return {
    signals: JSON.parse(signals) as TraceSignals,
    riskColumns: risk_columns === null ? null : (JSON.parse(risk_columns) as number[]),
  };
}

function toValidated(row: ValidatedRow) {
  const { detection_type, subtype, confidence, is_valid } = row;
  return { key: `${detection_type}/${subtype}`, confidence, isValid: is_valid === 1 };
}

export async function readCalibrationSettings(db: Db, tenantNo: number): Promise<CalibrationSettings> {
  const stored = (await readSetting(db, tenantNo, CALIBRATION_SETTINGS)) as Partial<CalibrationSettings> | null;
  return { ...DEFAULT_CALIBRATION, ...stored };
}

export async function readCalibrationState(db: Db, tenantNo: number): Promise<CalibrationState | null> {
  return (await readSetting(db, tenantNo, CALIBRATION_STATE)) as CalibrationState | null;
}
