import { statSync } from 'node:fs';
import type { Logger } from 'pino';
import { databaseFileOf } from '../../app/config.ts';
import type { App } from '../../app/open-app.ts';
import { addonPath } from '../../app/runtime-assets.ts';
import type { Clock } from '../../core/clock.ts';
import { systemTimer } from '../../features/ingest/commit-queue.ts';
import { spoolFolderOf } from '../../features/spool/spool-name.ts';
import { SpaceManager } from '../../features/storage/space-manager.ts';
import { whileStorable } from '../../features/storage/while-storable.ts';
import { startCalibrationSchedule } from '../../jobs/calibration-schedule.ts';
import { startIntegrityCheck } from '../../jobs/integrity-check.ts';
import { startLeaseWatch } from '../../jobs/lease-watch.ts';
import { startMinuteSchedule } from '../../jobs/minute-schedule.ts';
import { startRetentionSchedule } from '../../jobs/retention-schedule.ts';
import { SpoolWatcher } from '../../jobs/spool-watcher.ts';
import { startStorageMaintenance } from '../../jobs/storage-maintenance.ts';
import { startStoreChangePoller } from '../../jobs/store-change-poller.ts';
import { type DueWork, WorkLoop } from '../../jobs/work-loop.ts';
import type { WorkerEntry } from '../../jobs/worker-thread.ts';
import { CHECKED_AT_OPEN_BYTES } from '../../store/open-database-file.ts';
import { drainSpool } from './drain-spool.ts';
import { reclaimWork } from './reclaim-work.ts';

export interface BackgroundParts {
  app: App;
  dataFolder: string;
  clock: Clock;
  logger: Logger;
  /** The entry point of the worker that checks the database. */
  entry: WorkerEntry;
  onError(error: unknown): void;
}

/** Work of a running server that no request waits for. */
export interface BackgroundWork {
  /** Starts the analysis of traces that just changed. */
  wakeAnalysis(): void;
  /** Finishes running work; nothing starts again. The services that it uses stay open. */
  stop(): Promise<void>;
}

const LOG_EVERY_MS = 200;
const INTEGRITY_EVERY_MS = 6 * 3_600_000;

const LONG_LOG =
  'the write-ahead log is above 256 MiB: a read of the database (another program, a copy, the check for damage) lasts long; nothing is lost, and the log shrinks when the read ends';

export function startBackgroundWork(parts: BackgroundParts): BackgroundWork {
  const { services } = parts.app;
  const storage = startStorageWork(parts);
  const loops = startLoops(parts);
  const schedules = startSchedules(parts);
  const watches = startWatches(parts, () => {
    for (const loop of [loops.analysis, ...loops.others, ...loops.platforms, loops.alerts]) loop.wake();
  });
  const figures = services.analytics.catchUp().then((added) => {
    if (added > 0) parts.logger.info({ traces: added }, 'added traces of an earlier version to the figures');
  }, parts.onError);
  return {
    wakeAnalysis: () => loops.analysis.wake(),
    async stop() {
      // Nothing new is started while the running work ends.
      await watches.stop();
      await storage.stop();
      schedules.stop();
      for (const service of [services.analysis, services.judge, services.imports, services.deletion]) service.close();
      services.platforms.close();
      await loops.analysis.stop();
      await loops.calibration.stop();
      for (const loop of [...loops.others, ...loops.platforms]) await loop.stop();
      services.analytics.close();
      await figures;
      services.alerts.close();
      await loops.alerts.stop();
      await services.alerts.idle();
    },
  };
}

/** Free space, the write-ahead log and periodic maintenance of the storage. */
function startStorageWork({ app, logger, onError }: BackgroundParts): { stop(): Promise<void> } {
  const space = new SpaceManager({
    space: app.store.space,
    checkpointLog: (truncates) => app.checkpointLog(truncates),
    changeMark: () => app.store.changeMark(),
    monotonicMs: systemTimer.now,
    nextTurn: () => new Promise(setImmediate),
    onLongLog: (bytes, isLong) => logLongLog(logger, bytes, isLong),
  });
  const steps = [() => app.services.storage.maintain(), () => space.step()];
  const maintenance = startStorageMaintenance({ steps, onError });
  const checkpoints = startStorageMaintenance({ steps: [() => space.keepLogShort()], onError, everyMs: LOG_EVERY_MS });
  return {
    async stop() {
      await maintenance.stop();
      await checkpoints.stop();
    },
  };
}

interface Loops {
  analysis: WorkLoop;
  calibration: { stop(): Promise<void> };
  /** In the order in which they stop. */
  others: readonly WorkLoop[];
  platforms: readonly WorkLoop[];
  /** Stops last, because other work may send alerts until it has stopped. */
  alerts: WorkLoop;
}

/** Queued work of the services. While nothing can be stored, only deletion runs. */
function startLoops({ app: { services }, clock, onError }: BackgroundParts): Loops {
  const start = (work: DueWork) => new WorkLoop({ work, now: () => clock.now(), onError });
  const startStorable = (work: DueWork) => start(whileStorable(work, services.storage, () => clock.now()));
  const { analysis, alerts } = services;
  return {
    analysis: startStorable({ runDue: () => analysis.feed(), nextDueAt: () => analysis.nextDueAt() }),
    calibration: startCalibrationSchedule({ calibration: services.calibration, onError }),
    others: [
      startStorable(services.failureRanks),
      startStorable(services.judge),
      startStorable(services.imports),
      startStorable(services.heldRuns),
      start(services.deletion),
    ],
    platforms: services.platforms.works.map(startStorable),
    alerts: startStorable({ runDue: (limit) => alerts.feed(limit), nextDueAt: () => alerts.nextDueAt() }),
  };
}

/** Schedules that queue work at certain times. */
function startSchedules({ app: { services }, logger, onError }: BackgroundParts): { stop(): void } {
  const abandoned = { scheduleDue: () => services.analysis.scheduleAbandoned() };
  const schedules = [
    startMinuteSchedule(abandoned, logger, onError),
    ...services.platforms.syncs.map((sync) => startMinuteSchedule(sync, logger, onError)),
    startRetentionSchedule(services.deletion, logger, onError),
  ];
  return {
    stop() {
      for (const schedule of schedules) schedule.stop();
    },
  };
}

/** Watches for changes by other processes and for damage of the database. */
function startWatches(parts: BackgroundParts, wakeLoops: () => void): { stop(): Promise<void> } {
  const { app, dataFolder, clock, logger, entry, onError } = parts;
  const leases = startLeaseWatch({ tick: () => reclaimWork(app, logger), onReleased: wakeLoops, onError });
  const changes = startStoreChangePoller({ changeMark: () => app.store.changeMark(), onChange: wakeLoops, onError });
  const folder = spoolFolderOf(dataFolder);
  const spool = new SpoolWatcher({ folder, drain: () => drainSpool(app, { folder, clock, logger }), onError });
  const file = databaseFileOf(dataFolder);
  const integrity = startIntegrityCheck({
    entry,
    store: { file, addonPath: addonPath() },
    state: app.store.state,
    // A smaller database was checked when it was opened.
    firstMs: statSync(file).size > CHECKED_AT_OPEN_BYTES ? 0 : INTEGRITY_EVERY_MS,
    everyMs: INTEGRITY_EVERY_MS,
    onError,
  });
  return {
    async stop() {
      await spool.stop();
      changes.stop();
      await integrity.stop();
      await leases.stop();
    },
  };
}

function logLongLog(logger: Logger, bytes: number, isLong: boolean): void {
  if (isLong) logger.warn({ bytes }, LONG_LOG);
  else logger.info({ bytes }, 'the write-ahead log is below the limit again');
}
