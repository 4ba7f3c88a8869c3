import type { Kysely } from 'kysely';
import type { Clock } from '../core/clock.ts';
import type { Random } from '../core/id.ts';
import type { TenantDetection } from '../features/analysis/tenant-detection.ts';
import type { TraceQuota } from '../features/billing/trace-quota.ts';
import type { IngestService } from '../features/ingest/ingest.service.ts';
import type { Cipher } from '../features/integrations/cipher.ts';
import { createDetectionEvents, type DetectionEvents } from '../features/integrations/detection-events.ts';
import { PlatformServices } from '../features/integrations/platform-services.ts';
import { RegistrationService } from '../features/integrations/registration.service.ts';
import { createRunEvents, type RunEvents } from '../features/integrations/run-events.ts';
import { createWebhookService } from '../features/integrations/webhook.service.ts';
import type { LeaseManager } from '../features/leases/lease-manager.ts';
import type { TaskRunner } from '../features/offload/task-runner.ts';
import { integrationSources, platforms } from '../features/platforms.ts';
import type { Services } from '../features/services.ts';
import type { EventHub } from '../features/streams/event-hub.ts';
import type { AnyExecutor } from '../platforms/healing/executor.ts';
import { createAddressGuard } from '../platforms/outbound/address-guard.ts';
import { createFetchBytes, type ResolveHost, urlProblem } from '../platforms/outbound/send-request.ts';
import type { Database } from '../store/schema.ts';
import type { AppConfig } from './config.ts';

/** The services for platforms. */
type IntegrationServices = Pick<Services, 'registrations' | 'webhooks' | 'platforms'>;

export interface Integrations {
  services: IntegrationServices;
  /** Publishes detections to the event streams after the commit. */
  detectionEvents: DetectionEvents;
  /** Publishes to the event streams which sessions ended because they were idle. */
  publishIdle: RunEvents['finishIdle'];
  /** Executors that change resources on a platform. */
  executors: AnyExecutor[];
}

/** Maximum time in which a platform returns a page of executions with their data. */
const TIMEOUT_MS = 60_000;

/** Builds the platform services. */
export function openIntegrations(parts: {
  config: Pick<AppConfig, 'integrations'>;
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  tasks: TaskRunner;
  ingest: IngestService;
  quota: TraceQuota | null;
  /** Encrypts credentials of other platforms. */
  cipher: Cipher;
  redactText(text: string): string;
  tenantNoOf(tenantId: string): Promise<number>;
  detectionOf(tenantNo: number): Promise<TenantDetection>;
  resolveHost: ResolveHost | undefined;
  leases: Pick<LeaseManager, 'owner'>;
  streams: EventHub;
  onProblem(subject: string, problem: string): void;
}): Integrations {
  const { config, db, clock, random, ingest, streams, tenantNoOf } = parts;
  const events = createRunEvents(streams);
  const guard = createAddressGuard(config.integrations.allowPrivate, '--allow-private-platforms');
  const assertQuota = async (tenantNo: number) => parts.quota?.assertQuota(tenantNo);
  const closing = new AbortController();
  const fetchBytes = createFetchBytes({
    guard,
    resolveHost: parts.resolveHost,
    timeoutMs: TIMEOUT_MS,
    signal: closing.signal,
  });
  const { cipher } = parts;
  const registrations = new RegistrationService({
    db,
    clock,
    random,
    cipher,
    sources: integrationSources,
    redactText: parts.redactText,
    tenantNoOf,
    urlProblem: (url) => urlProblem(url, guard),
  });
  const opened = platforms.flatMap(({ source, open }) => {
    const platform = open?.({
      ...{ db, clock, random, fetchBytes, registrations, ingest, events, tenantNoOf, assertQuota },
      ...{ tasks: parts.tasks, leases: parts.leases, detectionOf: parts.detectionOf, onProblem: parts.onProblem },
    });
    return platform === undefined ? [] : [{ integration: source.integration, ...platform }];
  });
  return {
    services: {
      registrations,
      webhooks: createWebhookService({ db, clock, ingest, registrations, events, tenantNoOf, assertQuota }),
      platforms: new PlatformServices(opened, () => closing.abort()),
    },
    publishIdle: events.finishIdle,
    detectionEvents: createDetectionEvents({ db, hub: streams }),
    executors: opened.flatMap(({ executors }) => executors),
  };
}
