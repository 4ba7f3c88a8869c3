import type Router from '@koa/router';
import type { Health } from '../../features/health/health.service.ts';
import type { Services } from '../../features/services.ts';
import type { HttpContext, HttpState } from '../http-context.ts';
import { API_PREFIX, createRouter } from '../operation-router.ts';
import { respondJson } from '../respond.ts';

/** For load balancers and supervisors: `/health` reports details, `/livez` liveness, `/readyz` readiness. */
export function healthRoutes(services: Pick<Services, 'health'>): Router<HttpState> {
  const router = createRouter();
  for (const path of ['/health', `${API_PREFIX}/health`]) {
    router.get(path, async (ctx) => {
      ctx.state.route = 'health';
      const health = await services.health.check();
      respondJson(ctx as HttpContext, statusOf(health), health);
    });
  }
  router.get('/livez', (ctx) => {
    ctx.state.route = 'livez';
    respondJson(ctx as HttpContext, 200, { status: 'ok' });
  });
  router.get('/readyz', async (ctx) => {
    ctx.state.route = 'readyz';
    const health = await services.health.check();
    const status = statusOf(health);
    const { components } = health;
    respondJson(ctx as HttpContext, status, { status: status === 200 ? 'ready' : 'unavailable', components });
  });
  return router;
}

function statusOf(health: Health): 200 | 503 {
  return health.status === 'unhealthy' ? 503 : 200;
}
