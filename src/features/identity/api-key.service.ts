import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import { type Clock, toRfc3339 } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
import {
  countApiKeys,
  countSeats,
  findApiKey,
  insertApiKey,
  listApiKeys,
  type OwnedApiKey,
  readApiKey,
  recordApiKeyUse,
  updateApiKey,
} from '../../store/api-key.store.ts';
import type { Db } from '../../store/connection.ts';
import type { ApiKeyTable, Database } from '../../store/schema.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { Caller, Scope } from '../_kit/caller.ts';
import { type Position, toPage, toRange } from '../_kit/cursor.ts';
import type { Page, PageRequest } from '../_kit/page.ts';
import { formatApiKey, hashSecret, isSecret, newSecret, parseApiKey } from './api-key.ts';
import type { CallerCache, KnownCaller } from './caller-cache.ts';
import { createUsageRecorder } from './usage-recorder.ts';

export interface ApiKeyRecord {
  key_id: string;
  name: string;
  scopes: Scope[];
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
}

export type CreatedApiKey = ApiKeyRecord & { api_key: string };

export interface NewApiKey {
  name: string;
  scopes: readonly Scope[];
  /** Unix milliseconds; null for a key that never expires. */
  expiresAt: number | null;
}

export interface ApiKeyServiceOptions {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  callers: CallerCache;
  tenantNoOf(tenantId: string): Promise<number>;
  /** Maximum number of keys with write scopes; null is unlimited. */
  seatsOf(db: Db, tenantNo: number): Promise<number | null>;
}

/** API keys of tenants: create, list, rotate, revoke, and the check of a key that a caller sends. */
export class ApiKeyService {
  readonly #options: ApiKeyServiceOptions;
  /** Records that the key, or a session that it opened, is used. */
  readonly recordUse: (keyId: string) => void;

  constructor(options: ApiKeyServiceOptions) {
    this.#options = options;
    this.recordUse = createUsageRecorder((keyId, at) => recordApiKeyUse(options.db, keyId, at), options.clock);
  }

  async list(tenantId: string, page: PageRequest): Promise<Page<ApiKeyRecord>> {
    const { db, tenantNoOf } = this.#options;
    const tenantNo = await tenantNoOf(tenantId);
    const { limit, offset, after } = toRange(page);
    const rows = await listApiKeys(db, tenantNo, { limit, offset, after: after?.id ?? null });
    return toPage(rows, await countApiKeys(db, tenantNo), page, { toItem: toRecord, positionOf });
  }

  /** @throws AppError `invalid_body` if the expiry is in the past, `quota_exceeded` if the plan has no seat left */
  async create(tenantId: string, key: NewApiKey): Promise<CreatedApiKey> {
    const { db, clock, random, tenantNoOf } = this.#options;
    if (key.expiresAt !== null && key.expiresAt <= clock.now()) throwInvalidExpiry();
    const tenantNo = await tenantNoOf(tenantId);
    const { row, text } = await inTransaction(db, async (transaction) => {
      if (usesSeat(key.scopes)) await this.#assertSeat(transaction, tenantNo);
      return addApiKey(transaction, tenantNo, key, clock, random);
    });
    return { ...toRecord(row), api_key: text };
  }

  /** Idempotent. @throws AppError `not_found` */
  async revoke(tenantId: string, keyId: string): Promise<void> {
    const { clock, callers } = this.#options;
    const row = await this.#requireKey(tenantId, keyId);
    if (row.revoked_at === null) await this.#update(row, { revoked_at: clock.now() });
    callers.forgetKey(keyId);
  }

  /** Gives the key a new secret; the old one is revoked at once. @throws AppError `not_found`, `conflict` for an inactive key */
  async rotate(tenantId: string, keyId: string): Promise<CreatedApiKey> {
    const { clock, random, callers } = this.#options;
    const row = await this.#requireKey(tenantId, keyId);
    if (!isAlive(row, clock.now()))
      throw new AppError('conflict', 'The API key is revoked or expired; create a new one.');
    const secret = newSecret(random);
    await this.#update(row, { secret_hash: hashSecret(secret) });
    callers.forgetKey(keyId);
    return { ...toRecord(row), api_key: formatApiKey({ keyId, secret }) };
  }

  /** The caller with this key; null if it is unknown, revoked or expired. */
  async authenticate(key: string): Promise<Caller | null> {
    const { callers } = this.#options;
    const caller = callers.find(key) ?? (await callers.remember(key, () => this.#findCaller(key)));
    if (caller?.keyId) this.recordUse(caller.keyId);
    return caller;
  }

  /** The stored key, after its secret and status were verified. */
  async verifyApiKey(key: string): Promise<OwnedApiKey | null> {
    const { db, clock } = this.#options;
    const parts = parseApiKey(key);
    const row = parts && (await findApiKey(db, parts.keyId));
    if (!parts || !row || !isSecret(parts.secret, row.secret_hash) || !isAlive(row, clock.now())) return null;
    return row;
  }

  async #findCaller(key: string): Promise<KnownCaller | null> {
    const row = await this.verifyApiKey(key);
    return row && { caller: toCaller(row), expiresAt: row.expires_at };
  }

  async #requireKey(tenantId: string, keyId: string): Promise<ApiKeyTable> {
    const { db, tenantNoOf } = this.#options;
    const row = await readApiKey(db, await tenantNoOf(tenantId), keyId);
    if (!row) throw new AppError('not_found', 'There is no such API key.');
    return row;
  }

  async #assertSeat(transaction: Db, tenantNo: number): Promise<void> {
    const { clock, seatsOf } = this.#options;
    const seats = await seatsOf(transaction, tenantNo);
    if (seats === null || (await countSeats(transaction, tenantNo, SEAT_SCOPES, clock.now())) < seats) return;
    throw new AppError(
      'quota_exceeded',
      `The quota seats of the plan is used up: ${seats} ${seats === 1 ? 'key' : 'keys'} with the scope write or admin. Revoke one, or change the plan.`,
      { errors: [{ pointer: '/scopes', message: 'seats' }] },
    );
  }

  #update({ tenant_no, key_id }: ApiKeyTable, values: Partial<ApiKeyTable>): Promise<void> {
    return inTransaction(this.#options.db, (transaction) => updateApiKey(transaction, tenant_no, key_id, values));
  }
}

/** A seat is an active key with a write scope; keys that only ingest or read use none. */
export const SEAT_SCOPES = ['write', 'admin'] as const satisfies readonly Scope[];

function usesSeat(scopes: readonly Scope[]): boolean {
  return SEAT_SCOPES.some((scope) => scopes.includes(scope));
}

/** Stores a new key and returns its text, which cannot be read again. */
export async function addApiKey(
  db: Db,
  tenantNo: number,
  key: NewApiKey,
  clock: Clock,
  random: Random,
): Promise<{ row: ApiKeyTable; text: string }> {
  const parts = { keyId: newId('key', clock, random), secret: newSecret(random) };
  const row: ApiKeyTable = {
    tenant_no: tenantNo,
    key_id: parts.keyId,
    name: key.name,
    secret_hash: hashSecret(parts.secret),
    scopes: key.scopes.join(' '),
    created_at: clock.now(),
    expires_at: key.expiresAt,
    last_used_at: null,
    revoked_at: null,
  };
  await insertApiKey(db, row);
  return { row, text: formatApiKey(parts) };
}

export function isAlive(row: ApiKeyTable, now: number): boolean {
  return row.revoked_at === null && (row.expires_at === null || now < row.expires_at);
}

export function scopesOf(row: ApiKeyTable): Scope[] {
  return row.scopes.split(' ') as Scope[];
}

function toCaller(row: OwnedApiKey): Caller {
  return { tenantId: row.tenant_id, keyId: row.key_id, scopes: scopesOf(row), isOperator: false };
}

function positionOf(row: ApiKeyTable): Position {
  return { at: row.created_at, id: row.key_id };
}

function toRecord(row: ApiKeyTable): ApiKeyRecord {
  const toDate = (ms: number | null) => (ms === null ? null : toRfc3339(ms));
  return {
    key_id: row.key_id,
    name: row.name,
    scopes: scopesOf(row),
    created_at: toRfc3339(row.created_at),
    expires_at: toDate(row.expires_at),
    last_used_at: toDate(row.last_used_at),
    revoked_at: toDate(row.revoked_at),
  };
}

function throwInvalidExpiry(): never {
  throw new AppError('invalid_body', 'Request body failed validation.', {
    errors: [{ pointer: '/expires_at', message: 'must be in the future' }],
  });
}
