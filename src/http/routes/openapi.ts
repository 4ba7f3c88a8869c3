import type Router from '@koa/router';
import type { AnyOperation } from '../../features/_kit/operation.ts';
import { answerWith } from '../answer.ts';
import type { HttpContext, HttpState } from '../http-context.ts';
import { toOpenApi } from '../openapi.ts';
import { createRouter } from '../operation-router.ts';

/** The description of the interface, made when it is first asked for. */
export function openApiRoutes(operations: readonly AnyOperation[]): Router<HttpState> {
  const router = createRouter();
  let text: string | null = null;
  router.get('/openapi.json', (ctx) => {
    ctx.state.route = 'openapi';
    text ??= JSON.stringify(toOpenApi(operations));
    answerWith(ctx as HttpContext, 200, 'application/json', text);
  });
  return router;
}
