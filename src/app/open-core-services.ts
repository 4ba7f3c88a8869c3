import { createAnalysisService } from '../features/analysis/analysis.service.ts';
import { createDetectionSaver } from '../features/detections/save-detections.ts';
import { createIngestService } from '../features/ingest/ingest.service.ts';
import { JudgeService } from '../features/judge/judge.service.ts';
import { createJudgeCache } from '../features/judge/judge-cache.ts';
import { createJudgeClient } from '../platforms/judge/judge-client.ts';
import { openAlerts } from './open-alerts.ts';
import type { Foundation } from './open-foundation.ts';
import { openHealing } from './open-healing.ts';
import { openIntegrations } from './open-integrations.ts';

/** The services that store and analyze traces, send alerts and apply fixes. */
export type CoreServices = Awaited<ReturnType<typeof openCoreServices>>;

/** Builds ingest, integrations, analysis, the judge, healing and alerts, and connects them. */
export async function openCoreServices(base: Foundation) {
  const { config, dependencies, db, clock, leases, notices, settings, tenantNoOf, onProblem } = base;
  const ingest = await openIngest(base);
  const integrations = openIntegrations({
    ...base,
    ingest,
    detectionOf: (tenantNo) => settings.detectionOf(tenantNo),
    resolveHost: dependencies.resolveHost,
  });
  const { endpoint, budget } = config.judge;
  const judgeCache = createJudgeCache({ db, clock, redact: base.redactOutbound, model: endpoint?.model ?? null });
  const analysis = createAnalysisService({
    ...{ db, clock, leases, tenantNoOf, onProblem },
    executor: base.executor,
    clockWatch: base.clockWatch,
    onScheduled: dependencies.onTracesChanged ?? (() => {}),
    saveDetections: createDetectionSaver(clock, base.random),
    detectionOf: (tenantNo) => settings.detectionOf(tenantNo),
    judge: judgeCache,
    onSaved(tenantNo, saved) {
      integrations.detectionEvents.publishDetections(tenantNo, saved.announced);
      integrations.publishIdle(tenantNo, saved.idle);
      notices.analysesSaved(tenantNo, saved);
    },
    idleMs: config.idleMs,
  });
  const client = endpoint === null ? null : createJudgeClient(endpoint, dependencies.judge);
  return {
    ...{ ingest, integrations, analysis },
    judge: new JudgeService({
      ...{ db, clock, leases, tenantNoOf, onProblem },
      ...{ cache: judgeCache, client, budget, analysis },
    }),
    healing: openHealing({
      ...base,
      platformExecutors: integrations.executors,
      onChanged: (row, how) => notices.healingChanged(row, how),
    }),
    alerts: await openAlerts({
      ...base,
      async onDelivered(tenantNo, sent) {
        notices.alertSent(tenantNo, sent);
        await integrations.detectionEvents.publishAlert(tenantNo, sent);
      },
    }),
  };
}

function openIngest(base: Foundation): ReturnType<typeof createIngestService> {
  const { config, dependencies, db, clock, notices, quota, prepare, redactor, tenantNoOf } = base;
  return createIngestService({
    ...{ quota, prepare, db, clock, redactor, tenantNoOf },
    onTracesChanged(runs) {
      notices.runsTouched(runs);
      dependencies.onTracesChanged?.();
    },
    settleMs: config.settleMs,
    idleMs: config.idleMs,
    maxQueuedSpans: config.maxQueuedSpans,
    assertStorable: () => base.storage.assertWritable(),
  });
}
