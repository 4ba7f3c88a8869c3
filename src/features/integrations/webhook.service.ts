import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import type { Rejection } from '../../core/span.ts';
import type { Db } from '../../store/connection.ts';
import type { RegistrationTable } from '../../store/integration-tables.ts';
import {
  claimNonce,
  pruneNonces,
  readRegistrationByToken,
  registrationsWithSecrets,
  updateRegistration,
} from '../../store/registration.store.ts';
import type { Database } from '../../store/schema.ts';
import { tenantIdOf } from '../../store/tenant.store.ts';
import type { IngestService } from '../ingest/ingest.service.ts';
import { type IngestResult, toIngestResult } from '../ingest/ingest-result.ts';
import { withoutCompleteRuns } from './complete-runs.ts';
import type { IntegrationSource } from './integration-source.ts';
import { platformRuns } from './platform-runs.decoder.ts';
import type { RegistrationService } from './registration.service.ts';
import type { RunEvents } from './run-events.ts';
import { isSigned, type SignatureHeaders, verifySignature } from './webhook-signature.ts';
import { hashWebhookToken } from './webhook-token.ts';

export interface WebhookDelivery {
  /** Raw body. */
  body: Buffer;
  headers: SignatureHeaders;
}

export interface WebhookService {
  /** With an API key. @throws AppError `unauthenticated`, `conflict` for a used nonce, `malformed`, `invalid_body` */
  handleWithKey(source: IntegrationSource, tenantId: string, delivery: WebhookDelivery): Promise<IngestResult>;
  /** The tenant of this URL. @throws AppError `not_found` */
  registrationOf(source: IntegrationSource, token: string): Promise<RegistrationTable>;
  /** With the token of a registration's URL. @throws as `handleWithKey` */
  handleWithToken(source: IntegrationSource, row: RegistrationTable, delivery: WebhookDelivery): Promise<IngestResult>;
}

/** Tolerated clock skew of a timestamp, in both directions. */
const KEEP_NONCES_MS = 600_000;

interface Sender {
  tenantNo: number;
  tenantId: string;
  /** Registration of its token or secret. */
  row: RegistrationTable | null;
  nonce: string | null;
}

export function createWebhookService(options: {
  db: Kysely<Database>;
  clock: Clock;
  ingest: Pick<IngestService, 'prepare' | 'ingestPrepared'>;
  registrations: Pick<RegistrationService, 'webhookSecretOf'>;
  events: RunEvents;
  tenantNoOf(tenantId: string): Promise<number>;
  /** @throws AppError `quota_exceeded` */
  assertQuota(tenantNo: number): Promise<void>;
}): WebhookService {
  const { db, clock, registrations, tenantNoOf } = options;

  function verify({ body, headers }: WebhookDelivery, rows: readonly RegistrationTable[]) {
    const keyed = rows.flatMap((row) => {
      const secret = registrations.webhookSecretOf(row);
      return secret === null ? [] : [{ row, secret }];
    });
    const secrets = keyed.map(({ secret }) => secret);
    const { secretAt, nonce } = verifySignature(headers, body, secrets, clock.now());
    return { row: keyed[secretAt]?.row ?? null, nonce };
  }

  async function ingestRuns(source: IntegrationSource, sender: Sender, body: Buffer): Promise<IngestResult> {
    const { tenantNo, tenantId, row, nonce } = sender;
    const now = clock.now();
    await options.assertQuota(tenantNo);
    const decoder = platformRuns(source);
    const sent = await options.ingest.prepare(tenantId, decoder, body, { receivedAtMs: now });
    const prepared = await withoutCompleteRuns(db, tenantNo, sent);
    const { ended, runs } = prepared.facts;
    if (prepared.acceptedSpans === 0 && prepared.rejectedSpans > 0) throw unreadable(prepared.errors);
    const reply = await options.ingest.ingestPrepared(tenantId, prepared, {
      withCommit: async (transaction) => {
        if (nonce !== null) await consumeNonce(transaction, tenantNo, nonce, now);
        if (row !== null) await updateRegistration(transaction, row, { last_event_at: now });
        await source.onReceived?.(transaction, { tenantNo, registrationId: row?.registration_id ?? null, ended }, now);
      },
    });
    options.events.publish(tenantNo, source.integration, runs, 'webhook');
    return toIngestResult(reply);
  }

  /** In the transaction that stores the body: if that fails, the sender may retry. */
  async function consumeNonce(transaction: Db, tenantNo: number, nonce: string, now: number): Promise<void> {
    await pruneNonces(transaction, tenantNo, now - KEEP_NONCES_MS);
    if (!(await claimNonce(transaction, tenantNo, nonce, now)))
      throw new AppError('conflict', 'X-SVC-Nonce was already used; send a new one with each request.');
  }

  return {
    async handleWithKey(source, tenantId, delivery) {
      const tenantNo = await tenantNoOf(tenantId);
      const rows = await registrationsWithSecrets(db, tenantNo, source.integration);
      const isNeeded = source.isAlwaysSigned || rows.some((row) => row.is_signed === 1);
      const { row, nonce } =
        isNeeded || isSigned(delivery.headers) ? verify(delivery, rows) : { row: null, nonce: null };
      return ingestRuns(source, { tenantNo, tenantId, row, nonce }, delivery.body);
    },
    async registrationOf(source, token) {
      const tokenHash = hashWebhookToken(token);
      const row = tokenHash === null ? null : await readRegistrationByToken(db, source.integration, tokenHash);
      if (row === null) throw new AppError('not_found', 'No registration has this address; it may have been revoked.');
      return row;
    },
    async handleWithToken(source, row, delivery) {
      const isNeeded = row.is_signed === 1 || isSigned(delivery.headers);
      const nonce = isNeeded ? verify(delivery, [row]).nonce : null;
      const tenantId = await tenantIdOf(db, row.tenant_no);
      return ingestRuns(source, { tenantNo: row.tenant_no, tenantId, row, nonce }, delivery.body);
    },
  };
}

function unreadable(errors: Rejection[]): AppError {
  return new AppError('invalid_body', 'No part of the body could be read.', { errors });
}
