import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import { type Clock, toRfc3339 } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
import { findApiKey, type OwnedApiKey } from '../../store/api-key.store.ts';
import { INSTANCE_NO } from '../../store/audit.store.ts';
import type { Database } from '../../store/schema.ts';
import type { SignInLinkTable, WebSessionTable } from '../../store/session-tables.ts';
import { consumeSignInLink, insertSignInLink, keepNewestSignInLinks } from '../../store/sign-in-link.store.ts';
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
import { type Caller, SCOPES, type Scope } from '../_kit/caller.ts';
import { isAlive } from './api-key.service.ts';
import { hashSecret, newSecret } from './api-key.ts';
import type { CallerCache, KnownCaller } from './caller-cache.ts';
import { IDLE_MS, LINK_LIFETIME_MS, MAX_MS, sessionExpiryOf } from './session-lifetime.ts';
import { createUsageRecorder } from './usage-recorder.ts';

/** Kept of one tenant; an older link is unknown. */
const MAX_LINKS = 50;

/** A sign-in credential. */
export type SignInCredential = { apiKey: string } | { linkToken: string };

export interface OpenedSession {
  /** The value of the cookie; only its hash is stored. */
  token: string;
  caller: Caller;
}

export interface SignInLink {
  /** Sent in the fragment of the URL; works once. */
  token: string;
  expires_at: string;
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
  /** Postpones the expiry of an active session. */
  recordUse(sessionId: string): void;
  close(token: string): Promise<void>;
  /** A link with the scopes of `caller`'s key, or with all scopes if the operator makes it. @throws AppError `not_found` */
  createLink(tenantId: string, caller: Pick<Caller, 'keyId' | 'scopes'>): Promise<SignInLink>;
  /** A link that signs in as the operator. */
  createOperatorLink(): Promise<SignInLink>;
}

type Owner = Pick<SignInLinkTable, 'tenant_no' | 'key_id' | 'secret_hash' | 'scopes'>;

export function createSessionService(options: {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  callers: CallerCache;
  verifyApiKey(apiKey: string): Promise<OwnedApiKey | null>;
  tenantNoOf(tenantId: string): Promise<number>;
}): SessionService {
  const { db, clock, random, callers } = options;
  const recordUse = createUsageRecorder((sessionId, at) => recordWebSessionUse(db, sessionId, at), clock);

  async function ownerOf(credential: SignInCredential): Promise<Owner> {
    if ('linkToken' in credential) return ownerOfLink(credential.linkToken);
    const key = await options.verifyApiKey(credential.apiKey);
    return key ?? throwUnauthenticated('The API key is unknown, revoked or expired.');
  }

  async function ownerOfLink(token: string): Promise<Owner> {
    const now = clock.now();
    const taken = await inTransaction(db, (transaction) => consumeSignInLink(transaction, hashSecret(token), now));
    if (taken === null) return throwUnauthenticated(`The sign-in link is unknown or expired. ${NEW_LINK}`);
    if (!taken.isFirstUse) return throwUnauthenticated(`The sign-in link was already used. ${NEW_LINK}`);
    if (taken.link.expires_at <= now) return throwUnauthenticated(`The sign-in link is expired. ${NEW_LINK}`);
    return taken.link;
  }

  /** Unix milliseconds: when the credential behind a session expires, Infinity if never; null if it is not valid. */
  async function ownerExpiryOf({ key_id, secret_hash, tenant_no }: Owner, operatorHash: string | null) {
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

  async function addLink(owner: Owner): Promise<SignInLink> {
    const token = newSecret(random);
    const now = clock.now();
    const row = { ...owner, token_hash: hashSecret(token), created_at: now, expires_at: now + LINK_LIFETIME_MS };
    await inTransaction(db, async (transaction) => {
      await insertSignInLink(transaction, { ...row, used_at: null });
      // Used and expired links are kept among them, so that the response can state why one does not work.
      await keepNewestSignInLinks(transaction, owner.tenant_no, MAX_LINKS);
    });
    return { token, expires_at: toRfc3339(row.expires_at) };
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
    recordUse: recordUse,
    async close(token) {
      await inTransaction(db, (transaction) => deleteWebSession(transaction, hashSecret(token)));
      callers.forget(token);
    },
    async createLink(tenantId, { keyId, scopes }) {
      const tenantNo = await options.tenantNoOf(tenantId);
      const key = keyId === null ? null : await findApiKey(db, keyId);
      return addLink({
        tenant_no: tenantNo,
        key_id: keyId,
        secret_hash: key?.secret_hash ?? null,
        scopes: scopes.join(' '),
      });
    },
    createOperatorLink: () =>
      addLink({ tenant_no: INSTANCE_NO, key_id: null, secret_hash: null, scopes: SCOPES.join(' ') }),
  };
}

const NEW_LINK = 'Make another one with `misstep link`.';

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
