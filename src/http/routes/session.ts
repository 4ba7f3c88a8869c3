import type Router from '@koa/router';
import { AppError } from '../../core/app-error.ts';
import { VERSION } from '../../core/version.ts';
import { BODY_LIMITS } from '../../features/_kit/body-limits.ts';
import type { Caller } from '../../features/_kit/caller.ts';
import { type SessionRecord, signInBody } from '../../features/identity/session.record.ts';
import { toBodyLimits } from '../body-reader.ts';
import { checkBody, parseBody } from '../decode-body.ts';
import { decodeQuery } from '../decode-query.ts';
import { operatorHashOf } from '../find-session.ts';
import type { HttpContext, HttpState } from '../http-context.ts';
import { isJsonType, mediaTypeOf, rejectMediaType } from '../media-type.ts';
import { API_PREFIX, createRouter, type RouterParts } from '../operation-router.ts';
import { respondJson } from '../respond.ts';
import { clearSessionCookie, sessionTokenOf, setSessionCookie } from '../session-cookie.ts';

const SESSION_PATH = `${API_PREFIX}/auth/session`;

/** Sign-in, current session, sign-out. These are not operations because they set and delete a cookie. */
export function sessionRoutes(parts: RouterParts): Router<HttpState> {
  const router = createRouter();
  router.post(SESSION_PATH, (ctx) => signIn(parts, ctx as HttpContext));
  router.get(SESSION_PATH, (ctx) => show(parts, ctx as HttpContext));
  router.delete(SESSION_PATH, (ctx) => signOut(parts, ctx as HttpContext));
  return router;
}

async function signIn({ services, config, bodies, proxies }: RouterParts, ctx: HttpContext): Promise<void> {
  ctx.state.route = 'sessions.create';
  decodeQuery(undefined, ctx.querystring);
  services.storage.assertWritable();
  const limit = BODY_LIMITS.credentials;
  const sent = await bodies.withBody(ctx.req, proxies.clientOf(ctx.req), toBodyLimits(limit, config), async (body) => {
    if (body.length > 0 && !isJsonType(mediaTypeOf(ctx.headers['content-type']))) rejectMediaType('application/json');
    return checkBody(signInBody, parseBody(body, limit));
  });
  const credential = 'api_key' in sent ? { apiKey: sent.api_key } : { linkToken: sent.link_token };
  const { token, caller } = await services.sessions.open(credential, operatorHashOf(config));
  setSessionCookie(ctx, config, token);
  respondJson(ctx, 201, await toRecord({ services, config }, caller, token));
}

async function show(parts: RouterParts, ctx: HttpContext): Promise<void> {
  ctx.state.route = 'sessions.get';
  decodeQuery(undefined, ctx.querystring);
  const caller = await parts.authenticate(ctx).catch((error) => {
    if (sessionTokenOf(ctx) !== null) clearSessionCookie(ctx, parts.config);
    throw error;
  });
  if (caller.tenantId === null && !caller.isOperator)
    throw new AppError('unauthenticated', 'Not signed in: sign in with an API key or a one-time link.');
  respondJson(ctx, 200, await toRecord(parts, caller, caller.sessionId === undefined ? null : sessionTokenOf(ctx)));
}

async function signOut({ services, config, authenticate }: RouterParts, ctx: HttpContext): Promise<void> {
  ctx.state.route = 'sessions.delete';
  decodeQuery(undefined, ctx.querystring);
  const token = sessionTokenOf(ctx);
  // A page of another origin must not sign a person out. An expired session is not an error.
  if (token !== null) {
    await authenticate(ctx).catch((error) => {
      if (!(error instanceof AppError && error.code === 'unauthenticated')) throw error;
    });
    await services.sessions.close(token);
  }
  clearSessionCookie(ctx, config);
  ctx.status = 204;
}

async function toRecord(
  { services, config }: Pick<RouterParts, 'services' | 'config'>,
  { tenantId, isOperator, scopes, keyId }: Caller,
  token: string | null,
): Promise<SessionRecord> {
  const tenant = tenantId === null ? null : await services.tenants.get(tenantId);
  return {
    tenant: tenant && { tenant_id: tenant.tenant_id, name: tenant.name },
    is_operator: isOperator,
    scopes: [...scopes],
    key_id: keyId,
    expires_at: token === null ? null : await services.sessions.endOf(token, operatorHashOf(config)),
    version: VERSION,
    web_address: services.webAddress.base,
    features: services.features,
  };
}
