import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import { type Clock, toRfc3339 } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
import { findApiKey, type OwnedApiKey } from '../../store/api-key.store.ts';
import type { Database } from '../../store/schema.ts';
import type { Caller } from '../_kit/caller.ts';
import type { Cipher } from '../integrations/cipher.ts';
import { type AccessClaims, signAccessToken, verifyAccessToken } from './access-token.ts';
import { isAlive, scopesOf } from './api-key.service.ts';
import type { CallerCache, KnownCaller } from './caller-cache.ts';
import { SigningKeys } from './signing-keys.ts';
import type { HasStoreChanged } from './store-changes.ts';

export interface AccessToken {
  access_token: string;
  token_type: 'Bearer';
  /** Seconds. */
  expires_in: number;
}

export interface TokenService {
  /** Expires after an hour, or with the key if that is earlier. @throws AppError `unauthenticated` */
  exchange(apiKey: string): Promise<AccessToken>;
  /** The caller with this token; null if the token, or the key it was created with, is no longer valid. */
  verify(token: string): Promise<Caller | null>;
  /** Signs with a new key from now on; issued tokens stay valid for their hour. */
  rotateSigningKey(): Promise<{ kid: string; created_at: string }>;
}

export interface TokenServiceOptions {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  callers: CallerCache;
  hasStoreChanged(): HasStoreChanged;
  cipher: Cipher;
  verifyApiKey(apiKey: string): Promise<OwnedApiKey | null>;
}

const LIFETIME_MS = 3_600_000;

export function createTokenService(options: TokenServiceOptions): TokenService {
  const { db, clock, random, callers, verifyApiKey } = options;
  const keys = new SigningKeys({ ...options, tokenLifetimeMs: LIFETIME_MS });

  function claimsFor(row: OwnedApiKey): AccessClaims {
    const issuedAt = clock.now();
    return {
      tenantId: row.tenant_id,
      keyId: row.key_id,
      scopes: scopesOf(row),
      issuedAt,
      expiresAt: Math.min(issuedAt + LIFETIME_MS, row.expires_at ?? Infinity),
      tokenId: newId('tok', clock, random),
    };
  }

  async function lookUp(token: string): Promise<KnownCaller | null> {
    const claims = await verifyAccessToken(token, (kid) => keys.findSecret(kid), clock.now());
    const row = claims && (await findApiKey(db, claims.keyId));
    if (!claims || !row || row.tenant_id !== claims.tenantId || !isAlive(row, clock.now())) return null;
    const { tenantId, keyId, scopes, expiresAt } = claims;
    return { caller: { tenantId, keyId, scopes, isOperator: false }, expiresAt };
  }

  return {
    async exchange(apiKey) {
      const row = await verifyApiKey(apiKey);
      if (!row) throw new AppError('unauthenticated', 'The API key is unknown, revoked or expired.');
      const claims = claimsFor(row);
      return {
        access_token: await signAccessToken(claims, await keys.current()),
        token_type: 'Bearer',
        expires_in: Math.floor((claims.expiresAt - claims.issuedAt) / 1000),
      };
    },
    async verify(token) {
      return callers.find(token) ?? (await callers.remember(token, () => lookUp(token)));
    },
    async rotateSigningKey() {
      const { kid, createdAt } = await keys.rotate();
      return { kid, created_at: toRfc3339(createdAt) };
    },
  };
}
