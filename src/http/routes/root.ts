import type Router from '@koa/router';
import { VERSION } from '../../core/version.ts';
import { answerJson } from '../answer.ts';
import type { HttpContext, HttpState } from '../http-context.ts';
import { API_PREFIX, createRouter } from '../operation-router.ts';

/** Says what answers here, and where to read on. */
export function rootRoutes(): Router<HttpState> {
  const router = createRouter();
  router.get('/', (ctx) => {
    ctx.state.route = 'root';
    const about = { name: 'Misstep', version: VERSION, api: API_PREFIX, openapi: '/openapi.json', docs: '/docs' };
    answerJson(ctx as HttpContext, 200, about);
  });
  return router;
}
