import type { z } from 'zod';
import type { Integration } from '../../core/integration.ts';
import type { Decoded, Span } from '../../core/span.ts';
import type { Db } from '../../store/connection.ts';

/** What of a platform can be registered. `name`, `description` and `signed` every kind has. */
export interface RegistrationKind {
  /** `instance`; unique within the integration. */
  name: string;
  /** Last segment of its path: `instances`. */
  path: string;
  /** Of its ids: `ins`. */
  idPrefix: string;
  /** Member that holds its id: `instance_id`. */
  idName: string;
  /** Kind that it belongs to, named under that kind's `idName`. */
  parent?: { kind: string; isRequired: boolean };
  /** Whether it has an address that Misstep calls. */
  url: 'required' | 'optional' | 'none';
  /** More that is known of it, shown as it is. */
  details: z.ZodRawShape;
  /** Member of `details` with its id on its own platform; one of these is registered once a parent. */
  externalIdName?: string;
  /** Members that are kept sealed and never shown. */
  credentials: Readonly<Record<string, z.ZodType<string | undefined>>>;
  /** Whether it sends webhooks: then it gets a token and a secret. */
  hasWebhook: boolean;
}

/** What a body of a platform says. */
export interface PlatformRuns extends Decoded {
  /** Tells less of its runs than was perhaps told before: a run that is known better keeps what it has. */
  isSummary?: boolean;
}

/** A run that has ended, whose nodes its webhook does not tell. */
export interface EndedRun {
  traceId: string;
  threadId: string;
  runId: string;
  /** As the root span is called: the graph. */
  name: string;
  assistantId?: string;
}

/** What a webhook was received as. */
export interface ReceivedWebhook {
  tenantNo: number;
  /** Registration whose token or secret it came with; null where the API key was all. */
  registrationId: string | null;
  ended: readonly EndedRun[];
}

/** One platform: what can be registered of it, and how what it sends is read. */
export interface IntegrationSource {
  integration: Integration;
  /** Its real name. */
  platform: string;
  /** Under an API key its webhook needs a signature, whatever is registered. */
  isAlwaysSigned: boolean;
  kinds: readonly RegistrationKind[];
  /** @param receivedAtMs Unix milliseconds. @throws AppError `malformed`, `invalid_body` */
  decode(body: Buffer, receivedAtMs: number): PlatformRuns;
  /** Runs whose nodes are to be fetched. */
  endedRuns?(spans: readonly Span[]): EndedRun[];
  /** Notes what is to be done after a webhook, in the transaction that stores it. */
  noteReceived?(db: Db, received: ReceivedWebhook, now: number): Promise<void>;
}
