import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import type { AppDependencies } from '../../app/app-dependencies.ts';
import { type AppConfig, databaseFileOf } from '../../app/config.ts';
import type { MemoryPlan } from '../../app/memory-plan.ts';
import { type App, openApp } from '../../app/open-app.ts';
import { addonPath, workerEntry } from '../../app/runtime-assets.ts';
import type { Clock } from '../../core/clock.ts';
import type { StorageState } from '../../features/storage/storage-guard.ts';
import { createHttpApp } from '../../http/create-http-app.ts';
import { createMetricsApp } from '../../http/create-metrics-app.ts';
import type { HttpConfig } from '../../http/http-config.ts';
import { type Listener, listen } from '../../http/listen.ts';
import { collectProcessMetrics } from '../../http/process-metrics.ts';
import type { PublicUrl } from '../../http/public-url.ts';
import { createAnalysisPool } from '../../jobs/analysis-pool.ts';
import { CheckpointThread } from '../../jobs/checkpoint-thread.ts';
import { createIngestPool } from '../../jobs/ingest-pool.ts';
import { TaskPool } from '../../jobs/task-pool.ts';
import { healingRootText } from '../../platforms/healing/healing-root.ts';
import { checkDataFolder, type FolderCorrection } from '../../store/data-folder/check-data-folder.ts';
import { FolderLock } from '../../store/data-folder/folder-lock.ts';
import { type BackgroundWork, startBackgroundWork } from './background-work.ts';
import { watchHealth } from './health-metrics.ts';
import { isStorageFailure } from './is-storage-failure.ts';
import { reclaimWork } from './reclaim-work.ts';
import { watchStorage } from './storage-metrics.ts';
import { watchWork } from './work-metrics.ts';

export interface RunningServer {
  /** `http://host:port`. */
  url: string;
  /** Address of the dashboard. */
  webAddress: string;
  /** Address of the listener that serves only metrics. */
  metricsUrl: string | null;
  app: App;
  /** Rejects new requests, finishes running ones, then closes the store. */
  close(): Promise<void>;
}

export interface ServerConfig {
  app: AppConfig;
  http: HttpConfig;
  /** Address on which metrics are served without authentication; null: no such listener. */
  metricsListen?: { host: string; port: number } | null;
  memory: Pick<MemoryPlan, 'workers' | 'workerHeapMb'>;
}

/** Above the time limit of all detectors (features/analysis/time-limit.ts), below the lease of the job. */
const ANALYSIS_TIMEOUT_MS = 100_000;
/** Much longer than the largest body takes. */
const PREPARE_TIMEOUT_MS = 60_000;

export const CORRECTED = 'an entry of the data folder was open to other users; its mode is corrected';

const LOST_SECRETS =
  'stored secrets were sealed with another secret key: put it back (MISSTEP_SECRET_KEY, or the file secret-key in the data folder), or enter these secrets again';
/**
 * Locks the data folder, so that no second server uses it, then opens the store, the workers and the socket.
 * @throws StoreFault
 */
export async function startServer(config: ServerConfig, outside: ServerEnvironment): Promise<RunningServer> {
  const { dataFolder } = config.app;
  const onCorrection = (correction: FolderCorrection) => outside.logger.warn(correction, CORRECTED);
  for (const correction of checkDataFolder(dataFolder)) onCorrection(correction);
  const hold = FolderLock.acquire(dataFolder, outside.clock.now(), addonPath());
  try {
    const server = await startHeldServer(config, { ...outside, onCorrection });
    hold.announce({
      url: server.url,
      webAddress: server.webAddress,
      healingRoots: config.app.healingRoots.map(healingRootText),
    });
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

interface ServerEnvironment {
  clock: Clock;
  logger: Logger;
}

type HeldEnvironment = ServerEnvironment & Pick<AppDependencies, 'onCorrection'>;

/** Opens the store, the workers and the socket, in this order; after an error everything open is closed. */
async function startHeldServer(config: ServerConfig, environment: HeldEnvironment): Promise<RunningServer> {
  // The store may report changed traces before the background work begins.
  let wakeAnalysis = () => {};
  const app = await openServerApp(config, environment, () => wakeAnalysis());
  try {
    const { server, work } = await serveApp(app, config, environment);
    wakeAnalysis = () => work.wakeAnalysis();
    return server;
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** The store and the workers. */
async function openServerApp(
  { app: config, memory: { workers, workerHeapMb } }: ServerConfig,
  { clock, logger, onCorrection }: HeldEnvironment,
  onTracesChanged: () => void,
): Promise<App> {
  const thread = {
    entry: { ...workerEntry(), maxHeapMb: workerHeapMb },
    store: { file: databaseFileOf(config.dataFolder), addonPath: addonPath() },
    onDamage: (detail: string) => void app.store.state.reportDamage(detail),
  };
  const pool = { size: workers, entry: thread.entry };
  const app = await openApp(config, {
    clock,
    tasks: new TaskPool({ size: workers, ...thread }),
    checkpointThread: new CheckpointThread(thread),
    executor: createAnalysisPool({ ...pool, timeoutMs: ANALYSIS_TIMEOUT_MS }),
    createPrepare: (redaction) => createIngestPool({ ...pool, redaction, timeoutMs: PREPARE_TIMEOUT_MS }),
    onTracesChanged,
    onProblem: (subject, problem) => logger.warn({ subject }, problem),
    onStorageChange: (state) => logStorageChange(logger, state),
    onCorrection,
    isHeld: true,
  });
  app.store.state.onFault((fault) => logger.fatal({ reason: fault.reason, path: fault.path }, fault.message));
  return app;
}

/** Reclaims interrupted work, opens the sockets and starts the background work. */
async function serveApp(
  app: App,
  config: ServerConfig,
  { clock, logger }: ServerEnvironment,
): Promise<{ server: RunningServer; work: BackgroundWork }> {
  // The storage guard logs once that nothing can be stored.
  const onError = (err: unknown) => void (isStorageFailure(err) || logger.error({ err }, 'background work failed'));
  const { lost } = await app.services.sealing.run();
  if (lost.length > 0) logger.warn({ lost }, LOST_SECRETS);
  await reclaimWork(app, logger);
  // Starts the checkpoint thread; otherwise the first commits would checkpoint on the event loop.
  void app.checkpointLog(false).catch(onError);
  const { listener, metricsListener } = await openListeners(app, config, { clock, logger });
  app.services.webAddress.moveTo(webAddressOf(config.http.publicUrl, listener.url));
  const entry = { ...workerEntry(), maxHeapMb: config.memory.workerHeapMb };
  const work = startBackgroundWork({ app, dataFolder: config.app.dataFolder, clock, logger, entry, onError });
  const server = {
    url: listener.url,
    webAddress: app.services.webAddress.base,
    metricsUrl: metricsListener?.url ?? null,
    app,
    async close() {
      // An open event stream would keep the listener open.
      app.services.streams.close();
      await listener.close();
      await metricsListener?.close();
      await work.stop();
      await app.close();
    },
  };
  return { server, work };
}

/** The sockets of the API and, if configured, of the metrics; after an error none stays open. */
async function openListeners(
  app: App,
  { http, metricsListen = null }: ServerConfig,
  { clock, logger }: ServerEnvironment,
): Promise<{ listener: Listener; metricsListener: Listener | null }> {
  const metrics = new Registry();
  collectProcessMetrics(metrics);
  watchWork(metrics, app.services);
  watchHealth(metrics, app.services);
  watchStorage(metrics, app.services, app.store.space);
  const listener = await listen(createHttpApp(app.services, http, { clock, logger, metrics }), http);
  if (metricsListen === null) return { listener, metricsListener: null };
  try {
    const metricsApp = createMetricsApp(app.services, metrics, metricsListen.host, { clock, logger });
    return { listener, metricsListener: await listen(metricsApp, metricsListen) };
  } catch (error) {
    await listener.close(0);
    throw error;
  }
}

/** For a listener on all addresses, the loopback address, which a browser on this machine can open. */
function webAddressOf(publicUrl: PublicUrl | null, listenerUrl: string): string {
  if (publicUrl !== null) return `${publicUrl.origin}${publicUrl.basePath}`;
  return listenerUrl.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

function logStorageChange(logger: Logger, { trouble, code, freeBytes, floorBytes }: StorageState): void {
  const fields = { trouble, code, free_bytes: freeBytes, min_free_bytes: floorBytes };
  if (trouble === null) logger.info(fields, 'everything can be stored again');
  else logger.error(fields, 'nothing can be stored: writes get 503');
}
