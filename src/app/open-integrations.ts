import type { Kysely } from 'kysely';
import type { Clock } from '../core/clock.ts';
import type { Random } from '../core/id.ts';
import type { TenantDetection } from '../features/analysis/tenant-detection.ts';
import type { TraceQuota } from '../features/billing/trace-quota.ts';
import { createAppSyncService } from '../features/dify/app-sync.service.ts';
import type { IngestService } from '../features/ingest/ingest.service.ts';
import { integrationSources } from '../features/integration-sources.ts';
import type { Cipher } from '../features/integrations/cipher.ts';
import { createDetectionEvents, type DetectionEvents } from '../features/integrations/detection-events.ts';
import { RegistrationService } from '../features/integrations/registration.service.ts';
import { createRunEvents, type RunEvents } from '../features/integrations/run-events.ts';
import { createWebhookService } from '../features/integrations/webhook.service.ts';
import { createAssistantExecutor } from '../features/langgraph/assistant.executor.ts';
import { createThreadHistoryService } from '../features/langgraph/thread-history.service.ts';
import type { LeaseManager } from '../features/leases/lease-manager.ts';
import { createDiscoveryService } from '../features/n8n/discovery.service.ts';
import { createN8nInstances } from '../features/n8n/n8n-instances.ts';
import { createN8nSyncService } from '../features/n8n/n8n-sync.service.ts';
import { createN8nWorkflowExecutor } from '../features/n8n/n8n-workflow.executor.ts';
import type { TaskRunner } from '../features/offload/task-runner.ts';
import type { Services } from '../features/services.ts';
import type { EventHub } from '../features/streams/event-hub.ts';
import { createDifyClient } from '../platforms/dify/dify-client.ts';
import type { AnyExecutor } from '../platforms/healing/executor.ts';
import { createLangGraphClient } from '../platforms/langgraph/langgraph-client.ts';
import { createN8nClient } from '../platforms/n8n/n8n-client.ts';
import { createAddressGuard } from '../platforms/outbound/address-guard.ts';
import { createFetchBytes, type ResolveHost, urlProblem } from '../platforms/outbound/send-request.ts';
import type { Database } from '../store/schema.ts';
import type { AppConfig } from './config.ts';

/** The services that concern other platforms. */
type IntegrationServices = Pick<
  Services,
  'registrations' | 'webhooks' | 'n8nSync' | 'difySync' | 'discovery' | 'threadHistories'
>;

export interface Integrations {
  services: IntegrationServices;
  /** Publishes detections to the event streams after the commit. */
  detectionEvents: DetectionEvents;
  /** Publishes to the event streams that sessions ended because they were idle. */
  publishIdle: RunEvents['finishIdle'];
  /** Change resources on a platform. */
  executors: AnyExecutor[];
}

/** A platform takes a while to return a page of executions with their data. */
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
  box: Cipher;
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
  const guard = createAddressGuard(config.integrations.allowPrivate);
  const assertRoom = async (tenantNo: number) => parts.quota?.assertRoom(tenantNo);
  const closing = new AbortController();
  const ask = createFetchBytes({
    guard,
    resolveHost: parts.resolveHost,
    timeoutMs: TIMEOUT_MS,
    signal: closing.signal,
  });
  const { box } = parts;
  const registrations = new RegistrationService({
    db,
    clock,
    random,
    box,
    sources: integrationSources,
    redactText: parts.redactText,
    tenantNoOf,
    urlProblem: (url) => urlProblem(url, guard),
  });
  const client = createN8nClient(ask, { now: () => clock.now() });
  const langGraph = createLangGraphClient(ask, () => clock.now());
  const instances = createN8nInstances(registrations);
  const { leases } = parts;
  const fetching = { db, clock, random, client, instances, ingest, events, tenantNoOf, assertRoom, leases };
  const n8nSync = createN8nSyncService({ ...fetching, onProblem: parts.onProblem });
  const difySync = createAppSyncService({
    db,
    clock,
    random,
    client: createDifyClient(ask, { now: () => clock.now() }),
    registrations,
    ingest,
    events,
    tenantNoOf,
    assertRoom,
    leases,
    onProblem: parts.onProblem,
  });
  return {
    services: {
      registrations,
      webhooks: createWebhookService({ db, clock, ingest, registrations, events, tenantNoOf, assertRoom }),
      n8nSync: {
        ...n8nSync,
        close() {
          n8nSync.close();
          // They share the connection: an aborted sync run must learn that it lost its place.
          difySync.close();
          closing.abort();
        },
      },
      difySync,
      discovery: createDiscoveryService({
        db,
        client,
        instances,
        tasks: parts.tasks,
        detectionOf: parts.detectionOf,
        tenantNoOf,
      }),
      threadHistories: createThreadHistoryService({
        db,
        clock,
        client: langGraph,
        ingest,
        registrations,
        events,
        tenantNoOf,
        leases,
        onProblem: parts.onProblem,
      }),
    },
    publishIdle: events.finishIdle,
    detectionEvents: createDetectionEvents({ db, hub: streams }),
    executors: [
      createN8nWorkflowExecutor({ client, instances }),
      createAssistantExecutor({ db, client: langGraph, registrations }),
    ],
  };
}
