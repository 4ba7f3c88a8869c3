import { randomBytes } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { type AccessClaims, signAccessToken, verifyAccessToken } from './access-token.ts';

const NOW = Date.UTC(2026, 0, 15, 12);
const key = { kid: 'sig_1', secret: randomBytes(32) };
const claims: AccessClaims = {
  tenantId: 'ten_a',
  keyId: 'key_a',
  scopes: ['ingest', 'read'],
  issuedAt: NOW,
  expiresAt: NOW + 3_600_000,
  tokenId: 'tok_1',
};
const findSecret = async (kid: string) => (kid === key.kid ? key.secret : null);
const full = { scope: 'read', client_id: 'key_a', iss: 'misstep', aud: 'misstep-api', sub: 'ten_a', jti: 'tok_1' };
const times = { iat: NOW / 1000, nbf: NOW / 1000, exp: NOW / 1000 + 3600 };

function forge(
  header: { alg: string; kid?: string },
  payload: Record<string, unknown>,
  secret: Uint8Array = key.secret,
) {
  return new SignJWT(payload).setProtectedHeader(header).sign(secret);
}

describe('access token', () => {
  it('carries the registered claims and a key id', async () => {
    const token = await signAccessToken(claims, key);
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', kid: 'sig_1', typ: 'JWT' });
    expect(decodeJwt(token)).toEqual({ ...full, ...times, scope: 'ingest read' });
  });

  it('verifies what it signed', async () => {
    expect(await verifyAccessToken(await signAccessToken(claims, key), findSecret, NOW + 1000)).toEqual(claims);
  });

  it.each<[string, () => Promise<string> | string, number]>([
    ['past its time', () => signAccessToken(claims, key), NOW + 3_600_000],
    ['before its time', () => signAccessToken(claims, key), NOW - 5_000],
    ['signed with another secret', () => signAccessToken(claims, { ...key, secret: randomBytes(32) }), NOW],
    ['naming an unknown key', () => signAccessToken(claims, { ...key, kid: 'sig_2' }), NOW],
    ['naming no key', () => forge({ alg: 'HS256' }, { ...full, ...times }), NOW],
    ['of another algorithm', () => forge({ alg: 'HS512', kid: key.kid }, { ...full, ...times }, randomBytes(64)), NOW],
    ['without signature', () => new UnsecuredJWT({ ...full, ...times }).encode(), NOW],
    ['of another issuer', () => forge({ alg: 'HS256', kid: key.kid }, { ...full, ...times, iss: 'other' }), NOW],
    ['for another audience', () => forge({ alg: 'HS256', kid: key.kid }, { ...full, ...times, aud: 'other' }), NOW],
    ['without expiry', () => forge({ alg: 'HS256', kid: key.kid }, { ...full, iat: times.iat, nbf: times.nbf }), NOW],
    ['that is no token', () => 'a.b.c', NOW],
  ])('refuses one %s', async (_name, make, now) => {
    expect(await verifyAccessToken(await make(), findSecret, now)).toBeNull();
  });

  it('would take the forgery that the rows above vary', async () => {
    const token = await forge({ alg: 'HS256', kid: key.kid }, { ...full, ...times });
    expect(await verifyAccessToken(token, findSecret, NOW)).toMatchObject({ tenantId: 'ten_a' });
  });

  it('gives no scope that we do not know', async () => {
    const token = await forge({ alg: 'HS256', kid: key.kid }, { ...full, ...times, scope: 'read root' });
    expect((await verifyAccessToken(token, findSecret, NOW))?.scopes).toEqual(['read']);
  });
});
