import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import { type Random, systemRandom } from '../../core/id.ts';
import type { Database } from '../../store/schema.ts';
import type { Cipher } from '../integrations/cipher.ts';
import type { LeaseManager } from '../leases/lease-manager.ts';
import { ApiKeyService, type ApiKeyServiceOptions } from './api-key.service.ts';
import { createCallerCache } from './caller-cache.ts';
import { createIdempotencyService, type IdempotencyService } from './idempotency.service.ts';
import { createSessionService, type SessionService } from './session.service.ts';
import { createStoreChanges } from './store-changes.ts';
import { createTenantService, type TenantService } from './tenant.service.ts';
import { createTokenService, type TokenService } from './token.service.ts';

export interface Identity {
  tenants: TenantService;
  apiKeys: ApiKeyService;
  tokens: TokenService;
  sessions: SessionService;
  idempotency: IdempotencyService;
}

/** Tenants, keys, tokens and sessions share one cache of callers, so that a revocation applies to all of them at once. */
export function createIdentity(options: {
  db: Kysely<Database>;
  clock: Clock;
  random?: Random;
  /** Encrypts signing keys. */
  cipher: Cipher;
  /** Changes after each commit by another connection; if omitted, this is the only one. */
  othersChangeMark?: () => string;
  /** If omitted, the number of keys is unlimited. */
  seatsOf?: ApiKeyServiceOptions['seatsOf'];
  leases: Pick<LeaseManager, 'owner'>;
}): Identity {
  const { db, clock, random = systemRandom, leases, seatsOf = async () => null, othersChangeMark = () => '' } = options;
  const hasStoreChanged = () => createStoreChanges(othersChangeMark);
  const callers = createCallerCache(clock, hasStoreChanged());
  const shared = { db, clock, random, callers, hasStoreChanged };
  const tenants = createTenantService(shared);
  const apiKeys = new ApiKeyService({ ...shared, tenantNoOf: tenants.tenantNoOf, seatsOf });
  const verifyApiKey = (key: string) => apiKeys.verifyApiKey(key);
  const tokens = createTokenService({ ...shared, cipher: options.cipher, verifyApiKey });
  const sessions = createSessionService({
    ...shared,
    verifyApiKey,
    recordKeyUse: apiKeys.recordUse,
    tenantNoOf: tenants.tenantNoOf,
  });
  return { tenants, apiKeys, tokens, sessions, idempotency: createIdempotencyService({ db, clock, random, leases }) };
}
