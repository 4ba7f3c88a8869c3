import { createHash } from 'node:crypto';
import type Router from '@koa/router';
import type { ReadWebFiles, WebFile, WebFiles } from '../../app/web-files.ts';
import { AppError } from '../../core/app-error.ts';
import { VERSION } from '../../core/version.ts';
import type { HttpContext, HttpState } from '../http-context.ts';
import { API_PREFIX, createRouter } from '../operation-router.ts';
import { respondJson, respondWith } from '../respond.ts';

/** One Trusted Types policy, for the URL of the layout worker; other script sinks are blocked. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types misstep-worker',
].join('; ');

const ONE_YEAR = 'public, max-age=31536000, immutable';

/**
 * The web page: `/` for browsers, `/ui` and every address below it, and its files. For other clients `/` describes the
 * server as JSON.
 * @param basePath path of the public URL: empty, or a path without a final slash
 */
export function dashboardRoutes(readWebFiles: ReadWebFiles, basePath = ''): Router<HttpState> {
  const router = createRouter();
  const pages = new WeakMap<WebFiles, { text: string; tag: string }>();

  function pageOf(files: WebFiles): { text: string; tag: string } {
    const known = pages.get(files);
    if (known) return known;
    const text = files.page.replaceAll('{{base}}', basePath);
    const page = { text, tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
    pages.set(files, page);
    return page;
  }

  function sendPage(ctx: HttpContext): void {
    const files = readWebFiles();
    if (files === null)
      throw new AppError('not_found', 'The web page is not built: run `npm run build` or `npm run dev`.');
    const { text, tag } = pageOf(files);
    ctx.set('Content-Security-Policy', POLICY);
    ctx.set('Cache-Control', 'no-cache');
    ctx.set('ETag', tag);
    respondWith(ctx, 200, 'text/html; charset=utf-8', text);
    if (ctx.fresh) ctx.status = 304;
  }

  router.get('/', (ctx) => {
    ctx.state.route = 'root';
    ctx.vary('Accept');
    if (ctx.accepts('json', 'html') === 'html') {
      sendPage(ctx as HttpContext);
      return;
    }
    const description = {
      name: 'Misstep',
      version: VERSION,
      api: API_PREFIX,
      openapi: '/openapi.json',
      docs: '/docs',
      ui: '/ui',
    };
    respondJson(ctx as HttpContext, 200, description);
  });
  router.get('/ui/assets/:name', (ctx) => {
    ctx.state.route = 'web-file';
    const file = readWebFiles()?.files.get(String(ctx.params.name));
    if (file === undefined) throw new AppError('not_found', 'The web page does not have this file.');
    sendFile(ctx as HttpContext, file);
  });
  router.get(['/ui{/}', '/ui/*path'], (ctx) => {
    ctx.state.route = 'web-page';
    sendPage(ctx as HttpContext);
  });
  return router;
}

function sendFile(ctx: HttpContext, { contentType, content, brotli }: WebFile): void {
  ctx.set('Cache-Control', ONE_YEAR);
  ctx.vary('Accept-Encoding');
  const isBrotli = ctx.acceptsEncodings('br', 'identity') === 'br';
  if (isBrotli) ctx.set('Content-Encoding', 'br');
  respondWith(ctx, 200, contentType, isBrotli ? brotli : content);
}
