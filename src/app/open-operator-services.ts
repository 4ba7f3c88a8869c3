import { VERSION } from '../core/version.ts';
import { createAuditService } from '../features/audit/audit.service.ts';
import { BillingService } from '../features/billing/billing.service.ts';
import { DeletionService } from '../features/deletion/deletion.service.ts';
import { analysisWorkersCheck } from '../features/health/analysis-workers.check.ts';
import { databaseCheck } from '../features/health/database.check.ts';
import { createHealthService } from '../features/health/health.service.ts';
import { ingestQueueCheck } from '../features/health/ingest-queue.check.ts';
import { readWorkersCheck } from '../features/health/read-workers.check.ts';
import { createMetricsService } from '../features/metrics/metrics.service.ts';
import { createVendorService } from '../features/metrics/vendor.service.ts';
import { createSealingService } from '../features/sealing/sealing.service.ts';
import type { Services } from '../features/services.ts';
import { storageCheck } from '../features/storage/storage.check.ts';
import { createSendSeries } from '../platforms/datadog/send-series.ts';
import { createPayment } from './billing.ts';
import { databaseFileOf } from './config.ts';
import type { CoreServices } from './open-core-services.ts';
import type { Foundation } from './open-foundation.ts';
import { removeMigrationCopies } from './remove-migration-copies.ts';

/** Services for the operator of the instance: its health, figures, plans, deletion and audit log. */
export async function openOperatorServices(
  base: Foundation,
  { ingest }: Pick<CoreServices, 'ingest'>,
): Promise<Pick<Services, 'audit' | 'metrics' | 'billing' | 'vendor' | 'sealing' | 'health' | 'deletion'>> {
  const { config, db, clock, random, store, tenantNoOf, quota, leases, onProblem } = base;
  return {
    audit: createAuditService({ db, clock, random, tenantNoOf }),
    metrics: createMetricsService({ db, clock, tenantNoOf }),
    billing: new BillingService({
      ...{ db, clock, tenantNoOf },
      payment: await createPayment(config.payment),
      onPlanChanged: (tenantNo) => quota?.forget(tenantNo),
    }),
    vendor: createVendorService({
      ...{ db, clock, tenantNoOf },
      send: config.datadog && createSendSeries(config.datadog),
      host: config.datadog?.host ?? '',
    }),
    sealing: createSealingService({
      ...{ db, clock, cipher: base.cipher, preferences: base.preferences },
      removeMigrationCopies: () => removeMigrationCopies(databaseFileOf(config.dataFolder)),
      truncateLog: () => store.space.checkpoint(true),
    }),
    health: createHealthService({
      checks: [
        databaseCheck(store),
        storageCheck(base.storage),
        readWorkersCheck(base.tasks),
        ingestQueueCheck({ depth: ingest.queueDepth, ageMs: ingest.queueAgeMs, limit: config.maxQueuedSpans }),
        analysisWorkersCheck(base.executor),
      ],
      version: VERSION,
      queueDepth: ingest.queueDepth,
    }),
    deletion: new DeletionService({
      ...{ db, clock, random, tenantNoOf, leases, onProblem },
      defaultRetentionDays: config.retentionDays,
      retentionDaysOf: base.plan.retentionDaysOf,
      truncateLog: () => base.checkpointLog(true),
      isClockSteady: () => base.clockWatch.isSteady(),
    }),
  };
}
