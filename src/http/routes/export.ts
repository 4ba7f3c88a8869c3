import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type Router from '@koa/router';
import { authorize } from '../authorize.ts';
import { decodeQuery } from '../decode-query.ts';
import type { HttpContext, HttpState } from '../http-context.ts';
import { API_PREFIX, createRouter, type RouterParts } from '../operation-router.ts';

const ACCESS = { kind: 'tenant', scope: 'read' } as const;

/** A tenant's data as it is read: no answer that is held in memory. */
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
  const lines = Readable.from(inPieces(await services.exports.lines(tenantId)), { objectMode: false });
  ctx.status = 200;
  ctx.set('Content-Type', 'application/x-ndjson');
  ctx.set('Content-Disposition', 'attachment; filename="misstep-export.jsonl"');
  ctx.set('Vary', 'Accept-Encoding');
  if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') ctx.body = lines;
  else {
    ctx.set('Content-Encoding', 'gzip');
    const packing = createGzip();
    lines.on('error', (error) => packing.destroy(error));
    ctx.body = lines.pipe(packing).on('close', () => lines.destroy());
  }
}

const PIECE_CHARACTERS = 64 * 1024;

/** A line at a time would be a packet each. */
async function* inPieces(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const line of lines) {
    piece += line;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
