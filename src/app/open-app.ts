import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '../core/clock.ts';
import { systemRandom } from '../core/id.ts';
import { VERSION } from '../core/version.ts';
import { WebAddress } from '../core/web-address.ts';
import { createPreferenceStore } from '../features/alerts/preference-store.ts';
import { createAnalysisService } from '../features/analysis/analysis.service.ts';
import { createInThreadExecutor } from '../features/analysis/executor.ts';
import { createAuditService } from '../features/audit/audit.service.ts';
import { createBillingService } from '../features/billing/billing.service.ts';
import { createTenantPlan } from '../features/billing/tenant-plan.ts';
import { createTraceQuota } from '../features/billing/trace-quota.ts';
import { createCalibrationService } from '../features/calibration/calibration.service.ts';
import { createCodingAgentService } from '../features/coding-agents/coding-agent.service.ts';
import { createConversationService } from '../features/conversations/conversation.service.ts';
import { DeletionService } from '../features/deletion/deletion.service.ts';
import { createDemoService } from '../features/demo/demo.service.ts';
import { createDetectionService } from '../features/detections/detection.service.ts';
import { createFixService } from '../features/detections/fix.service.ts';
import { createDetectionSaver } from '../features/detections/save-detections.ts';
import { createExportService } from '../features/export/export.service.ts';
import { applyExportedSetting } from '../features/export/exported-settings.ts';
import { createFailureRankService } from '../features/failure-ranks/failure-rank.service.ts';
import { createFeedbackService } from '../features/feedback/feedback.service.ts';
import { analysisWorkersCheck } from '../features/health/analysis-workers.check.ts';
import { databaseCheck } from '../features/health/database.check.ts';
import { createHealthService } from '../features/health/health.service.ts';
import { ingestQueueCheck } from '../features/health/ingest-queue.check.ts';
import { readWorkersCheck } from '../features/health/read-workers.check.ts';
import { createIdentity } from '../features/identity/create-identity.ts';
import { ImportService } from '../features/imports/import.service.ts';
import { systemTimer } from '../features/ingest/commit-queue.ts';
import { createHeldRunsService } from '../features/ingest/held-runs.service.ts';
import { createIngestService } from '../features/ingest/ingest.service.ts';
import { createInThreadPrepare } from '../features/ingest/prepare-executor.ts';
import { RefusalLog } from '../features/ingest/refusal-log.ts';
import { createIssueService } from '../features/issues/issue.service.ts';
import { JudgeService } from '../features/judge/judge.service.ts';
import { createJudgeCache } from '../features/judge/judge-cache.ts';
import { ClockMonitor } from '../features/leases/clock-monitor.ts';
import { LeaseManager } from '../features/leases/lease-manager.ts';
import { thisProcess } from '../features/leases/process-identity.ts';
import { createMetricsService } from '../features/metrics/metrics.service.ts';
import { createVendorService } from '../features/metrics/vendor.service.ts';
import { createInThreadRunner } from '../features/offload/task-runner.ts';
import { createSealingService } from '../features/sealing/sealing.service.ts';
import { createSecurityService } from '../features/security/security.service.ts';
import { createTextChecks } from '../features/security/text-checks.service.ts';
import type { Services } from '../features/services.ts';
import { createSettingsService } from '../features/settings/settings.service.ts';
import { createThresholdService } from '../features/settings/threshold.service.ts';
import { createThresholdPreview } from '../features/settings/threshold-preview.ts';
import { createDataDisk } from '../features/storage/data-disk.ts';
import { storageCheck } from '../features/storage/storage.check.ts';
import { StorageGuard } from '../features/storage/storage-guard.ts';
import { createEventHub } from '../features/streams/event-hub.ts';
import { TenantEvents } from '../features/streams/tenant-events.ts';
import { TenantNotices } from '../features/streams/tenant-notices.ts';
import { TraceCache } from '../features/traces/trace-cache.ts';
import { createWorkflowGroupService } from '../features/workflow-groups/workflow-group.service.ts';
import { createModelCatalog } from '../formats/model-catalog/catalog.ts';
import { createRedactor } from '../formats/redaction/redactor.ts';
import { createSendSeries } from '../platforms/datadog/send-series.ts';
import { createJudgeClient } from '../platforms/judge/judge-client.ts';
import { readOrCreateInstanceValue, writeInstanceValue } from '../store/instance.store.ts';
import { type OpenedStore, openStore } from '../store/open-store.ts';
import type { AppDependencies } from './app-dependencies.ts';
import { billingEnabledSince, createPayment } from './billing.ts';
import { type CheckpointLog, createCheckpointLog } from './checkpoint-log.ts';
import { closeApp } from './close-app.ts';
import { type AppConfig, databaseFileOf } from './config.ts';
import { instanceFeaturesOf } from './instance-features.ts';
import { openAlerts } from './open-alerts.ts';
import { openCipher } from './open-cipher.ts';
import { openHealing } from './open-healing.ts';
import { openIntegrations } from './open-integrations.ts';
import { openReading } from './open-reading.ts';
import { removeMigrationCopies } from './remove-migration-copies.ts';
import { addonPath } from './runtime-assets.ts';

export interface App {
  services: Services;
  store: OpenedStore;
  /** Checkpoints the write-ahead log. @param truncates also truncates its file */
  checkpointLog: CheckpointLog;
  /** Finishes work in progress, then closes the store. */
  close(): Promise<void>;
}

/** Opens the store and joins the services to it: the one place where things are built. */
export async function openApp(config: AppConfig, dependencies: AppDependencies = {}): Promise<App> {
  const clock = dependencies.clock ?? systemClock;
  const random = dependencies.random ?? systemRandom;
  const models = dependencies.models ?? createModelCatalog();
  const executor = dependencies.executor ?? createInThreadExecutor(models);
  const file = databaseFileOf(config.dataFolder);
  const storage: StorageGuard = new StorageGuard({
    disk: dependencies.dataDisk ?? createDataDisk(config.dataFolder),
    floorBytes: config.minFreeBytes,
    tryWrite: () => writeInstanceValue(store.db, 'storage_check', String(clock.now())),
    monotonicMs: dependencies.monotonicMs ?? systemTimer.now,
    onChange: dependencies.onStorageChange ?? (() => {}),
  });
  const store = await openStore(
    {
      file,
      durability: config.durability,
      addonPath: addonPath(),
      isHeld: dependencies.isHeld,
      hasCheckpointThread: dependencies.checkpointThread !== undefined,
      onError: (error) => void storage.noteFailure(error),
    },
    clock,
  );
  try {
    for (const correction of store.corrections) dependencies.onCorrection?.(correction);
    const { db } = store;
    const checkpointLog = createCheckpointLog(store, dependencies.checkpointThread);
    const tasks = dependencies.tasks ?? createInThreadRunner({ db, models, traces: new TraceCache(KEEP_TRACE_MS) });
    const salt = await readOrCreateInstanceValue(db, 'redaction_salt', () => randomBytes(16).toString('hex'));
    const box = openCipher(config, random);
    const plan = createTenantPlan({ billingEnabledSince: config.payment && (await billingEnabledSince(db, clock)) });
    const leases = new LeaseManager({ db, me: thisProcess(), monotonicNow: () => performance.now() });
    const clockWatch = new ClockMonitor({ db, clock, monotonicNow: dependencies.monotonicMs ?? systemTimer.now });
    const identity = createIdentity({
      db,
      clock,
      random,
      box,
      leases,
      othersMark: store.othersMark,
      seatsOf: plan.seatsOf,
    });
    const webAddress = new WebAddress(config.webAddress);
    const preferences = createPreferenceStore(box);
    const tenantNoOf = identity.tenants.tenantNoOf;
    const quota = config.payment === null ? null : createTraceQuota({ db, clock });
    const redaction = { ...config.redaction, salt };
    const redactor = createRedactor(redaction);
    const { redactText } = redactor;
    const prepare = (dependencies.createPrepare ?? createInThreadPrepare)(redaction);
    const streams = createEventHub({ clock });
    const notices = new TenantNotices(new TenantEvents({ hub: streams }));
    const ingest = await createIngestService({
      quota,
      prepare,
      db,
      clock,
      redactor,
      tenantNoOf,
      onTracesChanged(runs) {
        notices.runsTouched(runs);
        dependencies.onTracesChanged?.();
      },
      settleMs: config.settleMs,
      idleMs: config.idleMs,
      maxQueuedSpans: config.maxQueuedSpans,
      assertStorable: () => storage.assertWritable(),
    });
    const settings = createSettingsService({ db, clock, tenantNoOf });
    const onProblem = dependencies.onProblem ?? (() => {});
    const { endpoint, budget } = config.judge;
    // Stored data may hold secrets; data that leaves the machine is redacted.
    const { redactText: redact } = createRedactor({ ...config.redaction, secrets: true, salt });
    const book = createJudgeCache({ db, clock, redact, model: endpoint?.model ?? null });
    const client = endpoint === null ? null : createJudgeClient(endpoint, dependencies.judge);
    const integrations = openIntegrations({
      config,
      db,
      clock,
      random,
      tasks,
      ingest,
      quota,
      box,
      redactText,
      tenantNoOf,
      detectionOf: settings.detectionOf,
      resolveHost: dependencies.resolveHost,
      leases,
      streams,
      onProblem,
    });
    const analysis = createAnalysisService({
      db,
      clock,
      executor,
      leases,
      clockWatch,
      onScheduled: dependencies.onTracesChanged ?? (() => {}),
      tenantNoOf,
      saveDetections: createDetectionSaver(clock, random),
      detectionOf: settings.detectionOf,
      judge: book,
      onSaved(tenantNo, saved) {
        integrations.detectionEvents.tellDetections(tenantNo, saved.announced);
        integrations.publishIdle(tenantNo, saved.idle);
        notices.analysesSaved(tenantNo, saved);
      },
      idleMs: config.idleMs,
      onProblem,
    });
    const healing = openHealing({
      ...{ config, dependencies, db, clock, random, box, redactor, settings, tenantNoOf },
      platformExecutors: integrations.executors,
      onChanged: (row, how) => notices.healingChanged(row, how),
    });
    const alerts = await openAlerts({
      ...{ config, dependencies, db, clock, random, leases, preferences, webAddress, tenantNoOf },
      async onDelivered(tenantNo, sent) {
        notices.alertSent(tenantNo, sent);
        await integrations.detectionEvents.tellAlert(tenantNo, sent);
      },
    });
    const { detectionOf, forget } = settings;
    const services: Services = {
      ...identity,
      features: instanceFeaturesOf(config),
      webAddress,
      ingest,
      refusals: new RefusalLog(clock),
      heldRuns: createHeldRunsService({ db, clock, ingest, leases, onProblem }),
      codingAgents: createCodingAgentService({ ingest, clock }),
      demo: createDemoService({ ingest, clock }),
      storage,
      security: createSecurityService(models),
      textChecks: createTextChecks({ tasks, tenantNoOf }),
      settings,
      calibration: createCalibrationService({ db, clock, tenantNoOf, detectionOf, forget, leases, onProblem }),
      failureRanks: createFailureRankService({ db, clock, tenantNoOf, leases, onProblem }),
      thresholds: createThresholdService({
        db,
        clock,
        tenantNoOf,
        detectionOf: settings.detectionOf,
        forget: settings.forget,
        previewThresholds: createThresholdPreview({ db, clock, tasks }),
      }),
      conversations: createConversationService({ db, clock, tasks, ingest, tenantNoOf }),
      ...openReading({ db, clock, models, tasks, tenantNoOf }),
      workflowGroups: createWorkflowGroupService({ db, clock, random, tenantNoOf }),
      detections: createDetectionService({ db, clock, tenantNoOf }),
      fixes: createFixService({ db, clock, tenantNoOf, recordApplied: (...args) => healing.recordApplied(...args) }),
      healing,
      audit: createAuditService({ db, clock, random, tenantNoOf }),
      feedback: createFeedbackService({ db, clock, random, redactText, tenantNoOf, detectionOf: settings.detectionOf }),
      issues: createIssueService({ db, clock, tasks, tenantNoOf, onChanged: notices.issueTriaged }),
      alerts,
      metrics: createMetricsService({ db, clock, tenantNoOf }),
      billing: createBillingService({
        db,
        clock,
        tenantNoOf,
        payment: await createPayment(config.payment),
        onPlanChanged: (tenantNo) => quota?.forget(tenantNo),
      }),
      vendor: createVendorService({
        db,
        clock,
        tenantNoOf,
        send: config.datadog && createSendSeries(config.datadog),
        host: config.datadog?.host ?? '',
      }),
      sealing: createSealingService({
        db,
        clock,
        box,
        preferences,
        removeMigrationCopies: () => removeMigrationCopies(file),
        truncateLog: () => store.space.checkpoint(true),
      }),
      health: createHealthService({
        checks: [
          databaseCheck(store),
          storageCheck(storage),
          readWorkersCheck(tasks),
          ingestQueueCheck({ depth: ingest.queueDepth, ageMs: ingest.queueAgeMs, limit: config.maxQueuedSpans }),
          analysisWorkersCheck(executor),
        ],
        version: VERSION,
        queueDepth: ingest.queueDepth,
      }),
      analysis,
      deletion: new DeletionService({
        db,
        clock,
        random,
        defaultRetentionDays: config.retentionDays,
        keptDaysOf: plan.keptDaysOf,
        tenantNoOf,
        truncateLog: () => checkpointLog(true),
        isClockSteady: () => clockWatch.isSteady(),
        leases,
        onProblem,
      }),
      imports: new ImportService({
        db,
        clock,
        random,
        ingest,
        leases,
        folder: join(config.dataFolder, 'imports'),
        guard: storage,
        redactText,
        applySetting: (tenantId, setting) => applyExportedSetting(services, tenantId, setting),
        tenantNoOf,
        onProblem,
        onChanged: (row, how) => notices.importChanged(row, how),
      }),
      exports: createExportService({ db, clock, tasks, settingServices: () => services, tenantNoOf }),
      ...integrations.services,
      streams,
      judge: new JudgeService({ db, clock, book, client, budget, analysis, tenantNoOf, leases, onProblem }),
      leases,
      clockWatch,
    };
    const { checkpointThread } = dependencies;
    const closing = [executor, tasks, prepare, ...(checkpointThread ? [checkpointThread] : [])];
    return { services, store, checkpointLog, close: () => closeApp(services, closing, store) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** An MCP session reads one trace several times. */
const KEEP_TRACE_MS = 30_000;
