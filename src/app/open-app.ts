import { join } from 'node:path';
import { createCalibrationService } from '../features/calibration/calibration.service.ts';
import { createCodingAgentService } from '../features/coding-agents/coding-agent.service.ts';
import { createConversationService } from '../features/conversations/conversation.service.ts';
import { createDemoService } from '../features/demo/demo.service.ts';
import { createDetectionService } from '../features/detections/detection.service.ts';
import { createFixService } from '../features/detections/fix.service.ts';
import { createExportService } from '../features/export/export.service.ts';
import { applyExportedSetting } from '../features/export/exported-settings.ts';
import { createFailureRankService } from '../features/failure-ranks/failure-rank.service.ts';
import { createFeedbackService } from '../features/feedback/feedback.service.ts';
import { ImportService } from '../features/imports/import.service.ts';
import { createHeldRunsService } from '../features/ingest/held-runs.service.ts';
import { RefusalLog } from '../features/ingest/refusal-log.ts';
import { createIssueService } from '../features/issues/issue.service.ts';
import { createSecurityService } from '../features/security/security.service.ts';
import { createTextChecks } from '../features/security/text-checks.service.ts';
import type { Services } from '../features/services.ts';
import { createThresholdService } from '../features/settings/threshold.service.ts';
import { createThresholdPreview } from '../features/settings/threshold-preview.ts';
import { createWorkflowGroupService } from '../features/workflow-groups/workflow-group.service.ts';
import type { OpenedStore } from '../store/open-store.ts';
import type { AppDependencies } from './app-dependencies.ts';
import type { CheckpointLog } from './checkpoint-log.ts';
import { closeApp } from './close-app.ts';
import type { AppConfig } from './config.ts';
import { instanceFeaturesOf } from './instance-features.ts';
import { openCoreServices } from './open-core-services.ts';
import { type Foundation, openFoundation, openGuardedStore } from './open-foundation.ts';
import { openOperatorServices } from './open-operator-services.ts';
import { openReading } from './open-reading.ts';

export interface App {
  services: Services;
  store: OpenedStore;
  /** Checkpoints the write-ahead log. @param truncates also truncates its file */
  checkpointLog: CheckpointLog;
  /** Finishes work in progress, then closes the store. */
  close(): Promise<void>;
}

/** Opens the store and builds all services; nothing is built elsewhere. */
export async function openApp(config: AppConfig, dependencies: AppDependencies = {}): Promise<App> {
  const guarded = await openGuardedStore(config, dependencies);
  const { store } = guarded;
  try {
    for (const correction of store.corrections) dependencies.onCorrection?.(correction);
    const base = await openFoundation(config, dependencies, guarded);
    const services = await openServices(base);
    const { checkpointThread } = dependencies;
    const closing = [base.executor, base.tasks, base.prepare, ...(checkpointThread ? [checkpointThread] : [])];
    const { checkpointLog } = base;
    return { services, store, checkpointLog, close: () => closeApp(services, closing, store) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openServices(base: Foundation): Promise<Services> {
  const { config, db, clock, random, models, tasks, leases, notices, settings, tenantNoOf, onProblem } = base;
  const detectionOf = (tenantNo: number) => settings.detectionOf(tenantNo);
  const forget = (tenantNo: number) => settings.forget(tenantNo);
  const { redactText, storage, streams, clockWatch, webAddress } = base;
  const { integrations, ...core } = await openCoreServices(base);
  const { ingest, healing } = core;
  const services: Services = {
    ...base.identity,
    ...core,
    ...integrations.services,
    ...openReading(base),
    ...(await openOperatorServices(base, core)),
    ...{ settings, storage, streams, leases, clockWatch, webAddress },
    features: instanceFeaturesOf(config),
    refusals: new RefusalLog(clock),
    heldRuns: createHeldRunsService({ db, clock, ingest, leases, onProblem }),
    codingAgents: createCodingAgentService({ ingest, clock }),
    demo: createDemoService({ ingest, clock }),
    security: createSecurityService(models),
    textChecks: createTextChecks({ tasks, tenantNoOf }),
    calibration: createCalibrationService({ db, clock, tenantNoOf, detectionOf, forget, leases, onProblem }),
    failureRanks: createFailureRankService({ db, clock, tenantNoOf, leases, onProblem }),
    thresholds: createThresholdService({
      ...{ db, clock, tenantNoOf, detectionOf, forget },
      previewThresholds: createThresholdPreview({ db, clock, tasks }),
    }),
    conversations: createConversationService({ db, clock, tasks, ingest, tenantNoOf }),
    workflowGroups: createWorkflowGroupService({ db, clock, random, tenantNoOf }),
    detections: createDetectionService({ db, clock, tenantNoOf }),
    fixes: createFixService({ db, clock, tenantNoOf, recordApplied: (...args) => healing.recordApplied(...args) }),
    feedback: createFeedbackService({ db, clock, random, redactText, tenantNoOf, detectionOf }),
    issues: createIssueService({ db, clock, tasks, tenantNoOf, onChanged: notices.issueTriaged }),
    imports: new ImportService({
      ...{ db, clock, random, ingest, leases, redactText, tenantNoOf, onProblem },
      folder: join(config.dataFolder, 'imports'),
      guard: storage,
      applySetting: (tenantId, setting) => applyExportedSetting(services, tenantId, setting),
      onChanged: (row, how) => notices.importChanged(row, how),
    }),
    exports: createExportService({ db, clock, tasks, settingServices: () => services, tenantNoOf }),
  };
  return services;
}
