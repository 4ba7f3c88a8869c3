import { randomBytes } from 'node:crypto';
import { systemClock } from '../core/clock.ts';
import { systemRandom } from '../core/id.ts';
import { WebAddress } from '../core/web-address.ts';
import { createPreferenceStore } from '../features/alerts/preference-store.ts';
import { createInThreadExecutor } from '../features/analysis/executor.ts';
import { createTenantPlan } from '../features/billing/tenant-plan.ts';
import { createTraceQuota } from '../features/billing/trace-quota.ts';
import { createIdentity } from '../features/identity/create-identity.ts';
import { systemTimer } from '../features/ingest/commit-queue.ts';
import { createInThreadPrepare } from '../features/ingest/prepare-executor.ts';
import { ClockMonitor } from '../features/leases/clock-monitor.ts';
import { LeaseManager } from '../features/leases/lease-manager.ts';
import { thisProcess } from '../features/leases/process-identity.ts';
import { createInThreadRunner } from '../features/offload/task-runner.ts';
import { SettingsService } from '../features/settings/settings.service.ts';
import { createDataDisk } from '../features/storage/data-disk.ts';
import { StorageGuard } from '../features/storage/storage-guard.ts';
import { createEventHub } from '../features/streams/event-hub.ts';
import { TenantEvents } from '../features/streams/tenant-events.ts';
import { TenantNotices } from '../features/streams/tenant-notices.ts';
import { TraceCache } from '../features/traces/trace-cache.ts';
import { createModelCatalog } from '../formats/model-catalog/catalog.ts';
import { createRedactor } from '../formats/redaction/redactor.ts';
import { readOrCreateInstanceValue, writeInstanceValue } from '../store/instance.store.ts';
import { type OpenedStore, openStore } from '../store/open-store.ts';
import type { AppDependencies } from './app-dependencies.ts';
import { billingEnabledSince } from './billing.ts';
import { createCheckpointLog } from './checkpoint-log.ts';
import { type AppConfig, databaseFileOf } from './config.ts';
import { openCipher } from './open-cipher.ts';
import { addonPath } from './runtime-assets.ts';

/** An MCP session reads the same trace several times. */
const TRACE_LIFETIME_MS = 30_000;

/** The store, and the guard that rejects writes while nothing can be stored. */
export interface GuardedStore {
  store: OpenedStore;
  storage: StorageGuard;
}

/** Opens the store of the data folder. */
export async function openGuardedStore(config: AppConfig, dependencies: AppDependencies): Promise<GuardedStore> {
  const clock = dependencies.clock ?? systemClock;
  const storage: StorageGuard = new StorageGuard({
    disk: dependencies.dataDisk ?? createDataDisk(config.dataFolder),
    floorBytes: config.minFreeBytes,
    tryWrite: () => writeInstanceValue(store.db, 'storage_check', String(clock.now())),
    monotonicMs: dependencies.monotonicMs ?? systemTimer.now,
    onChange: dependencies.onStorageChange ?? (() => {}),
  });
  const store = await openStore(
    {
      file: databaseFileOf(config.dataFolder),
      durability: config.durability,
      addonPath: addonPath(),
      isHeld: dependencies.isHeld,
      hasCheckpointThread: dependencies.checkpointThread !== undefined,
      onError: (error) => void storage.recordFailure(error),
    },
    clock,
  );
  return { store, storage };
}

/** Components that most services depend on. */
export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/** Builds the components that most services depend on: time, keys, identity, leases, redaction, workers and events. */
export async function openFoundation(
  config: AppConfig,
  dependencies: AppDependencies,
  { store, storage }: GuardedStore,
) {
  const clock = dependencies.clock ?? systemClock;
  const random = dependencies.random ?? systemRandom;
  const models = dependencies.models ?? createModelCatalog();
  const { db } = store;
  const salt = await readOrCreateInstanceValue(db, 'redaction_salt', () => randomBytes(16).toString('hex'));
  const redaction = { ...config.redaction, salt };
  const cipher = openCipher(config, random);
  const plan = createTenantPlan({ billingEnabledSince: config.payment && (await billingEnabledSince(db, clock)) });
  const leases = new LeaseManager({ db, me: thisProcess(), monotonicNow: () => performance.now() });
  const { othersChangeMark } = store;
  const identity = createIdentity({ db, clock, random, cipher, leases, othersChangeMark, seatsOf: plan.seatsOf });
  const { tenantNoOf } = identity.tenants;
  const streams = createEventHub({ clock });
  const redactor = createRedactor(redaction);
  return {
    ...{ config, dependencies, store, storage, db, clock, random, models, cipher, plan, leases, identity, tenantNoOf },
    ...{ streams, redactor, redactText: redactor.redactText },
    checkpointLog: createCheckpointLog(store, dependencies.checkpointThread),
    executor: dependencies.executor ?? createInThreadExecutor(models),
    tasks: dependencies.tasks ?? createInThreadRunner({ db, models, traces: new TraceCache(TRACE_LIFETIME_MS) }),
    prepare: (dependencies.createPrepare ?? createInThreadPrepare)(redaction),
    clockWatch: new ClockMonitor({ db, clock, monotonicNow: dependencies.monotonicMs ?? systemTimer.now }),
    webAddress: new WebAddress(config.webAddress),
    preferences: createPreferenceStore(cipher),
    quota: config.payment === null ? null : createTraceQuota({ db, clock }),
    /** For data that leaves the machine: stored data may hold secrets. */
    redactOutbound: createRedactor({ ...redaction, secrets: true }).redactText,
    notices: new TenantNotices(new TenantEvents({ hub: streams })),
    settings: new SettingsService({ db, clock, tenantNoOf }),
    onProblem: dependencies.onProblem ?? (() => {}),
  };
}
