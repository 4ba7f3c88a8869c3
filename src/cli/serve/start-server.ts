import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import type { AppDependencies } from '../../app/app-dependencies.ts';
import { type AppConfig, databaseFileOf } from '../../app/config.ts';
import type { MemoryPlan } from '../../app/memory-plan.ts';
import { type App, openApp } from '../../app/open-app.ts';
import { addonPath, workerEntry } from '../../app/runtime-assets.ts';
import { localTenantId } from '../../client/local-tenant.ts';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import { systemTimer } from '../../features/ingest/commit-queue.ts';
import { drainIntoStore } from '../../features/spool/drain-into-store.ts';
import { spoolFolderOf } from '../../features/spool/spool-name.ts';
import { claudeFolder, readTranscriptFile } from '../../features/spool/transcript-file.ts';
import { SpaceManager } from '../../features/storage/space-manager.ts';
import type { StorageState } from '../../features/storage/storage-guard.ts';
import { whileStorable } from '../../features/storage/while-storable.ts';
import { createHttpApp } from '../../http/create-http-app.ts';
import { createMetricsApp } from '../../http/create-metrics-app.ts';
import type { HttpConfig } from '../../http/http-config.ts';
import { listen } from '../../http/listen.ts';
import { collectProcessMetrics } from '../../http/process-metrics.ts';
import type { PublicUrl } from '../../http/public-url.ts';
import { createAnalysisPool } from '../../jobs/analysis-pool.ts';
import { startCalibrationSchedule } from '../../jobs/calibration-schedule.ts';
import { CheckpointThread } from '../../jobs/checkpoint-thread.ts';
import { createIngestPool } from '../../jobs/ingest-pool.ts';
import { startIntegrityCheck } from '../../jobs/integrity-check.ts';
import { startLeaseWatch } from '../../jobs/lease-watch.ts';
import { startMinuteSchedule } from '../../jobs/minute-schedule.ts';
import { startRetentionSchedule } from '../../jobs/retention-schedule.ts';
import { startSpoolWatcher } from '../../jobs/spool-watcher.ts';
import { startStorageMaintenance } from '../../jobs/storage-maintenance.ts';
import { startStoreChangePoller } from '../../jobs/store-change-poller.ts';
import { TaskPool } from '../../jobs/task-pool.ts';
import { type DueWork, startWorkLoop, type WorkLoop } from '../../jobs/work-loop.ts';
import { checkDataFolder, type FolderCorrection } from '../../store/data-folder/check-data-folder.ts';
import { FolderLock } from '../../store/data-folder/folder-lock.ts';
import { CHECKED_AT_OPEN_BYTES } from '../../store/open-database-file.ts';
import { storageFailureOf } from '../../store/storage-failure.ts';
import { watchHealth } from './health-metrics.ts';
import { watchStorage } from './storage-metrics.ts';
import { watchWork } from './work-metrics.ts';

export interface RunningServer {
  /** `http://host:port`. */
  url: string;
  /** Where people open the dashboard. */
  webAddress: string;
  /** Of the listener for figures alone. */
  metricsUrl: string | null;
  app: App;
  /** Rejects new requests, finishes running ones, then closes the store. */
  close(): Promise<void>;
}

export interface ServerConfig {
  app: AppConfig;
  http: HttpConfig;
  /** Where the instance's metrics are served without authentication; null: nowhere. */
  metricsListen?: { host: string; port: number } | null;
  memory: Pick<MemoryPlan, 'workers' | 'workerHeapMb'>;
}

/** Above the time limit of all detectors (features/analysis/time-limit.ts), below the lease of the job. */
const ANALYSIS_TIMEOUT_MS = 100_000;
/** Far above what the largest body takes. */
const PREPARE_TIMEOUT_MS = 60_000;

const LOG_EVERY_MS = 200;
const INTEGRITY_EVERY_MS = 6 * 3_600_000;

const LONG_LOG =
  'the write-ahead log is above 256 MiB: a read of the database (another program, a copy, the check for damage) lasts long; nothing is lost, and the log shrinks when the read ends';

export const CORRECTED = 'an entry of the data folder was open to other users; its mode is corrected';

const LOST_SECRETS =
  'stored secrets were sealed with another secret key: put it back (MISSTEP_SECRET_KEY, or the file secret-key in the data folder), or enter these secrets again';
/**
 * Locks the data folder, so that no second server uses it, then opens the store, the workers and the socket.
 * @throws StoreFault
 */
export async function startServer(config: ServerConfig, outside: ServerSurroundings): Promise<RunningServer> {
  const { dataFolder } = config.app;
  const onCorrection = (correction: FolderCorrection) => outside.logger.warn(correction, CORRECTED);
  for (const correction of checkDataFolder(dataFolder)) onCorrection(correction);
  const hold = FolderLock.take(dataFolder, outside.clock.now(), addonPath());
  try {
    const server = await startHeldServer(config, { ...outside, onCorrection });
    hold.announce(server.url, server.webAddress);
    return {
      ...server,
      async close() {
        await server.close();
        hold.release();
      },
    };
  } catch (error) {
    hold.release();
    throw error;
  }
}

interface ServerSurroundings {
  clock: Clock;
  logger: Logger;
}

/** Opens the store, the workers and the socket, in this order; after an error everything open is closed. */
async function startHeldServer(
  { app: appConfig, http, metricsListen, memory }: ServerConfig,
  { clock, logger, onCorrection }: ServerSurroundings & Pick<AppDependencies, 'onCorrection'>,
): Promise<RunningServer> {
  let loop: WorkLoop | null = null;
  const { workers, workerHeapMb } = memory;
  const entry = { ...workerEntry(), maxHeapMb: workerHeapMb };
  const app = await openApp(appConfig, {
    clock,
    tasks: new TaskPool({
      size: workers,
      entry,
      store: { file: databaseFileOf(appConfig.dataFolder), addonPath: addonPath() },
      onDamage: (detail) => void app.store.state.reportDamage(detail),
    }),
    checkpointThread: new CheckpointThread({
      entry,
      store: { file: databaseFileOf(appConfig.dataFolder), addonPath: addonPath() },
      onDamage: (detail) => void app.store.state.reportDamage(detail),
    }),
    executor: createAnalysisPool({ size: workers, entry, timeoutMs: ANALYSIS_TIMEOUT_MS }),
    createPrepare: (redaction) =>
      createIngestPool({
        size: workers,
        entry,
        redaction,
        timeoutMs: PREPARE_TIMEOUT_MS,
      }),
    onTracesChanged: () => loop?.wake(),
    onProblem: (subject, problem) => logger.warn({ subject }, problem),
    onStorageChange: (state) => logStorageChange(logger, state),
    onCorrection,
    isHeld: true,
  });
  app.store.state.onFault((fault) => logger.fatal({ reason: fault.reason, path: fault.path }, fault.message));
  try {
    const { storage } = app.services;
    // The storage guard logs once that nothing can be stored.
    const onError = (err: unknown) => void (isStorageFailure(err) || logger.error({ err }, 'background work failed'));
    const storable = (work: DueWork) => whileStorable(work, storage, () => clock.now());
    const { lost } = await app.services.sealing.run();
    if (lost.length > 0) logger.warn({ lost }, LOST_SECRETS);
    await takeOver(app, logger);
    const metrics = new Registry();
    collectProcessMetrics(metrics);
    watchWork(metrics, app.services);
    watchHealth(metrics, app.services);
    watchStorage(metrics, app.services, app.store.space);
    // Starts the checkpoint thread: without it the first commits would checkpoint on the event loop.
    void app.checkpointLog(false).catch(onError);
    const httpApp = createHttpApp(app.services, http, { clock, logger, metrics });
    const listener = await listen(httpApp, http);
    app.services.webAddress.moveTo(webAddressOf(http.publicUrl, listener.url));
    const metricsListener = metricsListen
      ? await listen(
          createMetricsApp(app.services, metrics, metricsListen.host, { clock, logger }),
          metricsListen,
        ).catch(async (error) => {
          await listener.close(0);
          throw error;
        })
      : null;
    const space = new SpaceManager({
      space: app.store.space,
      checkpointLog: (truncates) => app.checkpointLog(truncates),
      changeMark: () => app.store.changeMark(),
      monotonicMs: systemTimer.now,
      nextTurn: () => new Promise(setImmediate),
      onLongLog: (bytes, isLong) => logLongLog(logger, bytes, isLong),
    });
    const keeper = startStorageMaintenance({ steps: [() => storage.maintain(), () => space.step()], onError });
    const checkpoints = startStorageMaintenance({
      steps: [() => space.keepLogShort()],
      onError,
      everyMs: LOG_EVERY_MS,
    });
    const feed = {
      runDue: () => app.services.analysis.feed(),
      nextDueAt: () => app.services.analysis.nextDueAt(),
    };
    const analysis = startWorkLoop({ work: storable(feed), now: () => clock.now(), onError });
    loop = analysis;
    const abandoned = { scheduleDue: () => app.services.analysis.scheduleAbandoned() };
    const abandonedSchedule = startMinuteSchedule(abandoned, logger, onError);
    const calibration = startCalibrationSchedule({ calibration: app.services.calibration, onError });
    const ranks = startWorkLoop({ work: storable(app.services.failureRanks), now: () => clock.now(), onError });
    const judge = startWorkLoop({ work: storable(app.services.judge), now: () => clock.now(), onError });
    const imports = startWorkLoop({ work: storable(app.services.imports), now: () => clock.now(), onError });
    const deletion = startWorkLoop({ work: app.services.deletion, now: () => clock.now(), onError });
    const heldRuns = startWorkLoop({ work: storable(app.services.heldRuns), now: () => clock.now(), onError });
    const { platforms } = app.services;
    const platformLoops = platforms.works.map((work) =>
      startWorkLoop({ work: storable(work), now: () => clock.now(), onError }),
    );
    const syncSchedules = platforms.syncs.map((sync) => startMinuteSchedule(sync, logger, onError));
    const retention = startRetentionSchedule(app.services.deletion, logger, onError);
    const alertWork = {
      runDue: (limit: number) => app.services.alerts.feed(limit),
      nextDueAt: () => app.services.alerts.nextDueAt(),
    };
    const alerts = startWorkLoop({ work: storable(alertWork), now: () => clock.now(), onError });
    const loops = [analysis, ranks, judge, imports, deletion, heldRuns, ...platformLoops, alerts];
    const leaseWatch = startLeaseWatch({
      tick: () => takeOver(app, logger),
      onReleased() {
        for (const one of loops) one.wake();
      },
      onError,
    });
    const pulse = startStoreChangePoller({
      changeMark: () => app.store.changeMark(),
      onChange() {
        for (const one of loops) one.wake();
      },
      onError,
    });
    const figures = app.services.analytics.catchUp().then((added) => {
      if (added > 0) logger.info({ traces: added }, 'added traces of an earlier version to the figures');
    }, onError);
    const folder = spoolFolderOf(appConfig.dataFolder);
    const watcher = startSpoolWatcher({ folder, drain: () => drainSpool(app, folder, clock, logger), onError });
    const file = databaseFileOf(appConfig.dataFolder);
    const integrity = startIntegrityCheck({
      entry,
      store: { file, addonPath: addonPath() },
      state: app.store.state,
      // A smaller one was checked when it was opened.
      firstMs: statSync(file).size > CHECKED_AT_OPEN_BYTES ? 0 : INTEGRITY_EVERY_MS,
      everyMs: INTEGRITY_EVERY_MS,
      onError,
    });
    return {
      url: listener.url,
      webAddress: app.services.webAddress.base,
      metricsUrl: metricsListener?.url ?? null,
      app,
      async close() {
        // An open stream would keep its listener open.
        app.services.streams.close();
        await listener.close();
        await metricsListener?.close();
        await watcher.stop();
        pulse.stop();
        await integrity.stop();
        await keeper.stop();
        await checkpoints.stop();
        await leaseWatch.stop();
        abandonedSchedule.stop();
        app.services.analysis.close();
        await analysis.stop();
        await calibration.stop();
        await ranks.stop();
        app.services.judge.close();
        await judge.stop();
        app.services.imports.close();
        await imports.stop();
        await heldRuns.stop();
        for (const schedule of syncSchedules) schedule.stop();
        platforms.close();
        for (const platformLoop of platformLoops) await platformLoop.stop();
        retention.stop();
        app.services.deletion.close();
        await deletion.stop();
        app.services.analytics.close();
        await figures;
        app.services.alerts.close();
        await alerts.stop();
        await app.services.alerts.idle();
        await app.close();
      },
    };
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** A browser on this machine reaches a listener on all addresses by the loopback address. */
function webAddressOf(publicUrl: PublicUrl | null, listenerUrl: string): string {
  if (publicUrl !== null) return `${publicUrl.origin}${publicUrl.basePath}`;
  return listenerUrl.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

/** Frees the work of processes that have ended, or that a step of the clock would delay. @returns how much */
async function takeOver({ services }: App, logger: Logger): Promise<number> {
  const interrupted = await services.healing.settleInterrupted();
  if (interrupted > 0)
    logger.warn({ operations: interrupted }, 'healing operations were interrupted: check their outcome');
  const shifted = await services.clockWatch.tick();
  if (shifted > 0) logger.warn({ shifted }, 'the system clock stepped backwards: pending work keeps its delays');
  const released = await services.leases.tick();
  if (released > 0) logger.info({ released }, 'released the leases of a process that has ended');
  return shifted + released;
}

function isStorageFailure(error: unknown): boolean {
  return storageFailureOf(error) !== null || (error instanceof AppError && error.code === 'storage_unavailable');
}

function logStorageChange(logger: Logger, { trouble, code, freeBytes, floorBytes }: StorageState): void {
  const fields = { trouble, code, free_bytes: freeBytes, min_free_bytes: floorBytes };
  if (trouble === null) logger.info(fields, 'everything can be stored again');
  else logger.error(fields, 'nothing can be stored: writes get 503');
}

function logLongLog(logger: Logger, bytes: number, isLong: boolean): void {
  if (isLong) logger.warn({ bytes }, LONG_LOG);
  else logger.info({ bytes }, 'the write-ahead log is below the limit again');
}

/** Spooled records stay in the spool while nothing can be stored. */
async function drainSpool({ services }: App, folder: string, clock: Clock, logger: Logger): Promise<void> {
  if (!services.storage.isWritable()) return;
  const report = await drainIntoStore(folder, {
    ingest: services.ingest,
    tenantIdOf: (named) => localTenantId(services.tenants, named),
    now: () => clock.now(),
    readTranscript: (path) => readTranscriptFile(path, claudeFolder(homedir(), process.env)),
  });
  const { files, entries, spans, torn, refused, refusals, failures } = report;
  if (files > 0) logger.info({ entries, spans }, 'stored records from the spool');
  if (torn + refused + refusals.length > 0)
    logger.warn({ torn, refused, refusals: refusals.slice(0, 5) }, 'records in the spool were lost');
  for (const { file, error } of failures)
    if (!isStorageFailure(error)) logger.warn({ file, err: error }, 'a spool file could not be ingested');
}
