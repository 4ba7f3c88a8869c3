import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import { type Random, systemRandom } from '../../core/id.ts';
import type { Database } from '../../store/schema.ts';
import type { SecretBox } from '../integrations/secret-box.ts';
import type { LeaseKeeper } from '../leases/lease-keeper.ts';
import { type ApiKeyService, type ApiKeyServiceOptions, createApiKeyService } from './api-key.service.ts';
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
  /** Seals signing keys. */
  box: SecretBox;
  /** Another text after each commit by another connection; left out, this is the only one. */
  othersMark?: () => string;
  /** Left out, a tenant may have as many keys as it likes. */
  seatsOf?: ApiKeyServiceOptions['seatsOf'];
  leases: Pick<LeaseKeeper, 'owner'>;
}): Identity {
  const { db, clock, random = systemRandom, leases, seatsOf = async () => null, othersMark = () => '' } = options;
  const hasStoreChanged = () => createStoreChanges(othersMark);
  const callers = createCallerCache(clock, hasStoreChanged());
  const shared = { db, clock, random, callers, hasStoreChanged };
  const tenants = createTenantService(shared);
  const apiKeys = createApiKeyService({ ...shared, tenantNoOf: tenants.tenantNoOf, seatsOf });
  const tokens = createTokenService({ ...shared, box: options.box, prove: apiKeys.prove });
  const sessions = createSessionService({ ...shared, prove: apiKeys.prove, tenantNoOf: tenants.tenantNoOf });
  return { tenants, apiKeys, tokens, sessions, idempotency: createIdempotencyService({ db, clock, random, leases }) };
}
