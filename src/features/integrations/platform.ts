import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import type { Random } from '../../core/id.ts';
import type { AnyExecutor } from '../../platforms/healing/executor.ts';
import type { FetchBytes } from '../../platforms/outbound/send-request.ts';
import type { RegistrationTable } from '../../store/integration-tables.ts';
import type { Database } from '../../store/schema.ts';
import type { AnyOperation } from '../_kit/operation.ts';
import type { TenantDetection } from '../analysis/tenant-detection.ts';
import type { IngestService } from '../ingest/ingest.service.ts';
import type { BodyDecoder } from '../ingest/prepare.ts';
import type { LeaseManager } from '../leases/lease-manager.ts';
import type { OffloadTask } from '../offload/task.ts';
import type { TaskRunner } from '../offload/task-runner.ts';
import type { IntegrationSource } from './integration-source.ts';
import type { PlatformWork } from './platform-services.ts';
import type { RegistrationService } from './registration.service.ts';
import type { RunEvents } from './run-events.ts';
import type { SyncState } from './sync-state.ts';

/** What the services of a platform are built from. */
export interface PlatformParts {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  /** Requests to platforms; refuses addresses that are not allowed. */
  fetchBytes: FetchBytes;
  registrations: RegistrationService;
  ingest: IngestService;
  events: RunEvents;
  tasks: TaskRunner;
  leases: Pick<LeaseManager, 'owner'>;
  tenantNoOf(tenantId: string): Promise<number>;
  /** @throws AppError `quota_exceeded` */
  assertQuota(tenantNo: number): Promise<void>;
  detectionOf(tenantNo: number): Promise<TenantDetection>;
  onProblem(subject: string, problem: string): void;
}

export interface OpenedPlatform {
  /** Available to operations through the platform's key. */
  services: unknown;
  works: readonly PlatformWork[];
  /** Change resources on the platform. */
  executors: readonly AnyExecutor[];
  /**
   * Makes the smallest read with the stored address and credentials. @throws AppError `unreachable`, or `conflict` if it is
   * not called, has no credentials, or refuses them
   */
  checkConnection(registration: RegistrationTable): Promise<void>;
}

/** A registration whose runs are fetched, as `integrations sync` shows it. */
export interface SyncedRegistration extends SyncState {
  id: string;
  name: string;
  /** Id and name of its parent, which also select it. */
  parent: (string | null)[];
  read: number;
  taken: number;
  rejected: number;
}

/** How commands fetch runs of a platform. */
export interface PlatformFetching {
  /** Takes `idName`, `since`, `full` and `alert`; returns `items`. */
  request: AnyOperation;
  /** Returns `items`. */
  status: AnyOperation;
  /** Input member that selects one registration: `instance_id`. */
  idName: string;
  /** One of what is fetched: `execution`. */
  noun: string;
  // biome-ignore lint/suspicious/noExplicitAny: the items of `request` and `status`, whose type each platform has of its own
  toRegistration(item: any): SyncedRegistration;
}

/** The manifest of a platform: everything it adds. Routes, streams, worker decoders, schedules and commands follow from it. */
export interface Platform {
  source: IntegrationSource;
  /** Operations besides those of webhooks, streams and registrations. */
  operations: readonly AnyOperation[];
  /** Decoders of fetched pages, which run in worker threads. */
  // biome-ignore lint/suspicious/noExplicitAny: a list of decoders of all shapes
  decoders: readonly BodyDecoder<any, unknown>[];
  // biome-ignore lint/suspicious/noExplicitAny: a list of tasks of all shapes
  tasks: readonly OffloadTask<any>[];
  /** Absent for a platform that Misstep never calls. */
  open?(parts: PlatformParts): OpenedPlatform;
  /** Absent for a platform whose runs arrive by webhook only. */
  fetching?: PlatformFetching;
}
