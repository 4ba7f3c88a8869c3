import type Router from '@koa/router';
import type { AnyOperation } from '../../features/_kit/operation.ts';
import { toDocsPage } from '../docs-page/docs-page.ts';
import type { HttpContext, HttpState } from '../http-context.ts';
import { toOpenApi } from '../openapi.ts';
import { createRouter } from '../operation-router.ts';
import { respondWith } from '../respond.ts';
import { toTypescriptClient } from '../typescript-client/typescript-client.ts';

/** The API description, and the page and the client generated from it; each is generated at its first request. */
export function openApiRoutes(operations: readonly AnyOperation[]): Router<HttpState> {
  const router = createRouter();
  const description = memoized(() => toOpenApi(operations));
  const page = memoized(() => toDocsPage(description()));
  const texts = {
    description: memoized(() => JSON.stringify(description())),
    client: memoized(() => toTypescriptClient(description())),
  };
  router.get('/openapi.json', (ctx) => {
    ctx.state.route = 'openapi';
    respondWith(ctx as HttpContext, 200, 'application/json', texts.description());
  });
  router.get('/docs', (ctx) => {
    ctx.state.route = 'docs';
    const { text, policy } = page();
    ctx.set('Content-Security-Policy', policy);
    respondWith(ctx as HttpContext, 200, 'text/html; charset=utf-8', text);
  });
  router.get('/misstep-client.ts', (ctx) => {
    ctx.state.route = 'typescript-client';
    respondWith(ctx as HttpContext, 200, 'text/plain; charset=utf-8', texts.client());
  });
  return router;
}

function memoized<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
