import { Readable } from 'node:stream';
import type Router from '@koa/router';
import { authorize } from '../authorize.ts';
import { decodeQuery } from '../decode-query.ts';
import type { HttpContext, HttpState } from '../http-context.ts';
import { API_PREFIX, createRouter, type RouterParts } from '../operation-router.ts';
import { disconnectSignal } from '../respond.ts';

const ACCESS = { kind: 'tenant', scope: 'read' } as const;

/** Streams a tenant's data as it is read; the response is never buffered whole. */
export function exportRoutes(parts: RouterParts): Router<HttpState> {
  const router = createRouter();
  router.get(`${API_PREFIX}/tenants/:tenant_id/export`, (ctx) =>
    sendExport(parts, ctx as HttpContext, ctx.params.tenant_id as string),
  );
  return router;
}

async function sendExport({ services, authenticate }: RouterParts, ctx: HttpContext, tenantId: string): Promise<void> {
  ctx.state.route = 'export.get';
  const caller = await authenticate(ctx);
  await authorize(services, ACCESS, caller, tenantId, { isRegistrationOpen: false });
  decodeQuery(undefined, ctx.querystring);
  const lines = await services.exports.lines(tenantId, { signal: disconnectSignal(ctx.res) });
  ctx.status = 200;
  ctx.set('Content-Type', 'application/x-ndjson');
  ctx.set('Content-Disposition', 'attachment; filename="misstep-export.jsonl"');
  ctx.body = Readable.from(lines, { objectMode: false });
}
