import { jwtVerify, SignJWT } from 'jose';
import { SCOPES, type Scope } from '../_kit/caller.ts';

/** Claims of an access token. Times are Unix milliseconds, whole seconds on the wire. */
export interface AccessClaims {
  tenantId: string;
  /** The API key that was exchanged (`client_id` of RFC 9068): revoking it ends the token too. */
  keyId: string;
  scopes: readonly Scope[];
  issuedAt: number;
  expiresAt: number;
  tokenId: string;
}

export interface SigningKey {
  kid: string;
  secret: Uint8Array;
}

const ISSUER = 'misstep';
const AUDIENCE = 'misstep-api';
const ALGORITHM = 'HS256';

/** JWT (RFC 7519) with HS256. */
export function signAccessToken(claims: AccessClaims, key: SigningKey): Promise<string> {
  return new SignJWT({ scope: claims.scopes.join(' '), client_id: claims.keyId })
    .setProtectedHeader({ alg: ALGORITHM, kid: key.kid, typ: 'JWT' })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(claims.tenantId)
    .setIssuedAt(toSeconds(claims.issuedAt))
    .setNotBefore(toSeconds(claims.issuedAt))
    .setExpirationTime(toSeconds(claims.expiresAt))
    .setJti(claims.tokenId)
    .sign(key.secret);
}

/**
 * The claims of a valid token that one of our keys signed; null otherwise.
 * @param findSecret the secret of a key on the local list; null if the list has no such key
 */
export async function verifyAccessToken(
  token: string,
  findSecret: (kid: string) => Promise<Uint8Array | null>,
  now: number,
): Promise<AccessClaims | null> {
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => (kid && (await findSecret(kid))) || rejectUnknownKey(),
      {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['iss', 'aud', 'sub', 'scope', 'iat', 'nbf', 'exp', 'jti', 'client_id'],
        currentDate: new Date(now),
      },
    );
    return {
      tenantId: payload.sub as string,
      keyId: payload.client_id as string,
      scopes: SCOPES.filter((scope) => (payload.scope as string).split(' ').includes(scope)),
      issuedAt: (payload.iat as number) * 1000,
      expiresAt: (payload.exp as number) * 1000,
      tokenId: payload.jti as string,
    };
  } catch {
    return null;
  }
}

function rejectUnknownKey(): never {
  throw new Error('no such signing key');
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
