import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import { type Clock, toRfc3339 } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
import { findApiKey, type OwnedApiKey } from '../../store/api-key.store.ts';
import { INSTANCE_NO } from '../../store/audit.store.ts';
import type { Database } from '../../store/schema.ts';
import type { WebSessionTable } from '../../store/session-tables.ts';
import { tenantIdOf } from '../../store/tenant.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import {
  deleteEndedWebSessions,
  deleteWebSession,
  findWebSession,
  insertWebSession,
  type OwnedWebSession,
  recordWebSessionUse,
} from '../../store/web-session.store.ts';
import type { Caller, Scope } from '../_kit/caller.ts';
import { isAlive } from './api-key.service.ts';
import { hashSecret, newSecret } from './api-key.ts';
import type { CallerCache, KnownCaller } from './caller-cache.ts';
import { IDLE_MS, MAX_MS, sessionExpiryOf } from './session-lifetime.ts';
import { type SessionOwner, type SignInLink, SignInLinks } from './sign-in-links.ts';
import { createUsageRecorder } from './usage-recorder.ts';

/** A sign-in credential. */
export type SignInCredential = { apiKey: string } | { linkToken: string };

export interface OpenedSession {
  /** The value of the cookie; only its hash is stored. */
  token: string;
  caller: Caller;
}

/** Sessions of the dashboard. A session has the scopes of the credential that opened it. */
export interface SessionService {
  /**
   * @param operatorHash SHA-256 of the operator's credential; a session of the operator ends when it changes
   * @throws AppError `unauthenticated`
   */
  open(credential: SignInCredential, operatorHash: string | null): Promise<OpenedSession>;
  /** The caller of a session; null for an unknown or expired session. */
  authenticate(token: string, operatorHash: string | null): Promise<Caller | null>;
  /** When the session expires if it is not used again, RFC 3339; null for an unknown session. */
  endOf(token: string, operatorHash: string | null): Promise<string | null>;
  /** Postpones the expiry of an active session, and counts as use of its key. */
  recordUse(caller: Pick<Caller, 'sessionId' | 'keyId'>): void;
  close(token: string): Promise<void>;
  /** A link with the scopes of `caller`'s key, or with all scopes if the operator makes it. @throws AppError `not_found` */
  createLink(tenantId: string, caller: Pick<Caller, 'keyId' | 'scopes'>): Promise<SignInLink>;
  /** A link that signs in as the operator. */
  createOperatorLink(): Promise<SignInLink>;
}

export function createSessionService(options: {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  callers: CallerCache;
  verifyApiKey(apiKey: string): Promise<OwnedApiKey | null>;
  recordKeyUse(keyId: string): void;
  tenantNoOf(tenantId: string): Promise<number>;
}): SessionService {
  const { db, clock, random, callers } = options;
  const links = new SignInLinks({ db, clock, random });
  const recordSessionUse = createUsageRecorder((sessionId, at) => recordWebSessionUse(db, sessionId, at), clock);

  async function ownerOf(credential: SignInCredential): Promise<SessionOwner> {
    if ('linkToken' in credential) return links.consume(credential.linkToken);
    const key = await options.verifyApiKey(credential.apiKey);
    return key ?? throwUnauthenticated('The API key is unknown, revoked or expired.');
  }

  /** Unix milliseconds: when the credential behind a session expires, Infinity if never; null if it is not valid. */
  async function ownerExpiryOf({ key_id, secret_hash, tenant_no }: SessionOwner, operatorHash: string | null) {
    if (tenant_no === INSTANCE_NO) return secret_hash === operatorHash ? Infinity : null;
    if (key_id === null) return Infinity;
    const key = await findApiKey(db, key_id);
    const isValid = key !== null && key.secret_hash === secret_hash && isAlive(key, clock.now());
    return isValid ? (key.expires_at ?? Infinity) : null;
  }

  async function lookUp(token: string, operatorHash: string | null): Promise<KnownCaller | null> {
    const row = await findWebSession(db, hashSecret(token));
    if (row === null || endOfRow(row) <= clock.now()) return null;
    const ownerExpiry = await ownerExpiryOf(row, operatorHash);
    return ownerExpiry === null ? null : { caller: toCaller(row), expiresAt: Math.min(endOfRow(row), ownerExpiry) };
  }

  return {
    async open(credential, operatorHash) {
      const owner = await ownerOf(credential);
      const isOperator = owner.tenant_no === INSTANCE_NO;
      const token = newSecret(random);
      const now = clock.now();
      const row: WebSessionTable = {
        tenant_no: owner.tenant_no,
        token_hash: hashSecret(token),
        session_id: newId('ses', clock, random),
        key_id: owner.key_id,
        secret_hash: isOperator ? operatorHash : owner.secret_hash,
        scopes: owner.scopes,
        created_at: now,
        seen_at: now,
      };
      if ((await ownerExpiryOf(row, operatorHash)) === null)
        throwUnauthenticated('The API key of the sign-in link is no longer valid.');
      await inTransaction(db, async (transaction) => {
        await deleteEndedWebSessions(transaction, { createdAt: now - MAX_MS, seenAt: now - IDLE_MS });
        await insertWebSession(transaction, row);
      });
      if (row.key_id !== null) options.recordKeyUse(row.key_id);
      const tenant_id = isOperator ? null : await tenantIdOf(db, row.tenant_no);
      return { token, caller: toCaller({ ...row, tenant_id }) };
    },
    authenticate: async (token, operatorHash) =>
      callers.find(token) ?? (await callers.remember(token, () => lookUp(token, operatorHash))),
    async endOf(token, operatorHash) {
      const row = await findWebSession(db, hashSecret(token));
      const ownerExpiry = row === null ? null : await ownerExpiryOf(row, operatorHash);
      return row === null || ownerExpiry === null ? null : toRfc3339(Math.min(endOfRow(row), ownerExpiry));
    },
    recordUse({ sessionId, keyId }) {
      if (sessionId !== undefined) recordSessionUse(sessionId);
      if (keyId !== null) options.recordKeyUse(keyId);
    },
    async close(token) {
      await inTransaction(db, (transaction) => deleteWebSession(transaction, hashSecret(token)));
      callers.forget(token);
    },
    createLink: async (tenantId, creator) => links.create(await options.tenantNoOf(tenantId), creator),
    createOperatorLink: () => links.createForOperator(),
  };
}

function toCaller({ tenant_no, tenant_id, key_id, session_id, scopes }: OwnedWebSession): Caller {
  return {
    tenantId: tenant_id,
    keyId: key_id,
    scopes: scopes.split(' ') as Scope[],
    isOperator: tenant_no === INSTANCE_NO,
    sessionId: session_id,
  };
}

function endOfRow({ created_at, seen_at }: WebSessionTable): number {
  return sessionExpiryOf({ createdAt: created_at, seenAt: seen_at });
}

function throwUnauthenticated(message: string): never {
  throw new AppError('unauthenticated', message);
}
