import type { z } from 'zod';
import type { Integration } from '../../core/integration.ts';
import type { Decoded, Span } from '../../core/span.ts';
import type { Db } from '../../store/connection.ts';

/** A kind of resource that can be registered. Every kind has `name`, `description` and `signed`. */
export interface RegistrationKind {
  /** `instance`; unique within the integration. */
  name: string;
  /** Last segment of its path: `instances`. */
  path: string;
  /** Id prefix: `ins`. */
  idPrefix: string;
  /** Member with its id: `instance_id`. */
  idName: string;
  /** Its parent kind, referenced by that kind's `idName`. */
  parent?: { kind: string; isRequired: boolean };
  /** Whether it has a URL that Misstep calls. */
  url: 'required' | 'optional' | 'none';
  /** Further details, shown unchanged. */
  details: z.ZodRawShape;
  /** Member of `details` with its id on its own platform; unique per parent. */
  externalIdName?: string;
  /** Members that are stored encrypted and never shown. */
  credentials: Readonly<Record<string, z.ZodType<string | undefined>>>;
  /** Whether it sends webhooks: then it gets a token and a secret. */
  hasWebhook: boolean;
}

/** The content of a platform's body. */
export interface PlatformRuns extends Decoded {
  /** It may have fewer facts about its runs than already stored: a run with more facts is unchanged. */
  isSummary?: boolean;
}

/** A finished run whose nodes are not in its webhook. */
export interface EndedRun {
  traceId: string;
  threadId: string;
  runId: string;
  /** Name of the root span: the graph. */
  name: string;
  assistantId?: string;
}

/** How a webhook was received. */
export interface ReceivedWebhook {
  tenantNo: number;
  /** Registration of its token or secret; null if only the API key was used. */
  registrationId: string | null;
  ended: readonly EndedRun[];
}

/** One platform: what can be registered, and how its data is read. */
export interface IntegrationSource {
  integration: Integration;
  /** The product name. */
  platform: string;
  /** Requests with an API key always need a signature. */
  isAlwaysSigned: boolean;
  kinds: readonly RegistrationKind[];
  /** @param receivedAtMs Unix milliseconds. @throws AppError `malformed`, `invalid_body` */
  decode(body: Buffer, receivedAtMs: number): PlatformRuns;
  /** Runs whose nodes are to be fetched. */
  endedRuns?(spans: readonly Span[]): EndedRun[];
  /** Schedules follow-up work of a webhook, in the transaction that stores it. */
  onReceived?(db: Db, received: ReceivedWebhook, now: number): Promise<void>;
}
