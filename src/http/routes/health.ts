import type Router from '@koa/router';
import type { HttpServices, HttpState } from '../http-context.ts';
import { API_PREFIX, createRouter } from '../operation-router.ts';

/** For balancers and supervisors: `/health` tells, `/livez` says the process answers, `/readyz` that it can work. */
export function healthRoutes(services: Pick<HttpServices, 'health'>): Router<HttpState> {
  const router = createRouter();
  for (const path of ['/health', `${API_PREFIX}/health`]) {
    router.get(path, async (ctx) => {
      ctx.state.route = 'health';
      const health = await services.health.check();
      ctx.status = health.status === 'unhealthy' ? 503 : 200;
      ctx.body = health;
    });
  }
  router.get('/livez', (ctx) => {
    ctx.state.route = 'livez';
    ctx.body = { status: 'ok' };
  });
  router.get('/readyz', async (ctx) => {
    ctx.state.route = 'readyz';
    const { status } = await services.health.check();
    ctx.status = status === 'unhealthy' ? 503 : 200;
    ctx.body = { status: status === 'unhealthy' ? 'unavailable' : 'ready' };
  });
  return router;
}
