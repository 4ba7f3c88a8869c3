import type Router from '@koa/router';
import type { z } from 'zod';
import { createEventFilter, streamQuery } from '../../features/streams/stream-query.ts';
import { authorize } from '../authorize.ts';
import { decodeQuery } from '../decode-query.ts';
import type { HttpContext, HttpDependencies, HttpState } from '../http-context.ts';
import { API_PREFIX, createRouter, type RouterParts } from '../operation-router.ts';
import { serveStream } from '../serve-stream.ts';

const REGISTRATION_CLOSED = { isRegistrationOpen: false };
const READS = { kind: 'tenant', scope: 'read' } as const;

/** The stream of all events of a tenant, for runs from every source. */
export function tenantStreamRoutes(parts: RouterParts, dependencies: HttpDependencies): Router<HttpState> {
  const router = createRouter();
  router.get(`${API_PREFIX}/tenants/:tenant_id/stream`, (ctx) =>
    stream(parts, dependencies, ctx as HttpContext, ctx.params.tenant_id!),
  );
  return router;
}

async function stream(
  parts: RouterParts,
  dependencies: HttpDependencies,
  ctx: HttpContext,
  tenantId: string,
): Promise<void> {
  ctx.state.route = 'tenants.stream';
  const caller = await parts.authenticate(ctx);
  await authorize(parts.services, READS, caller, tenantId, REGISTRATION_CLOSED);
  const query = decodeQuery(streamQuery, ctx.querystring) as z.output<typeof streamQuery>;
  const { topics } = query;
  const isWanted = createEventFilter(query);
  await serveStream(ctx, parts, dependencies, { tenantId, channel: 'tenant', greeting: { topics }, isWanted });
}
