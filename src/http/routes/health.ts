import type Router from '@koa/router';
import type { Health } from '../../features/health/health.service.ts';
import type { Services } from '../../features/services.ts';
import { answerJson } from '../answer.ts';
import type { HttpContext, HttpState } from '../http-context.ts';
import { API_PREFIX, createRouter } from '../operation-router.ts';

/** For balancers and supervisors: `/health` tells, `/livez` says the process answers, `/readyz` that it can work. */
export function healthRoutes(services: Pick<Services, 'health'>): Router<HttpState> {
  const router = createRouter();
  for (const path of ['/health', `${API_PREFIX}/health`]) {
    router.get(path, async (ctx) => {
      ctx.state.route = 'health';
      const health = await services.health.check();
      answerJson(ctx as HttpContext, statusOf(health), health);
    });
  }
  router.get('/livez', (ctx) => {
    ctx.state.route = 'livez';
    answerJson(ctx as HttpContext, 200, { status: 'ok' });
  });
  router.get('/readyz', async (ctx) => {
    ctx.state.route = 'readyz';
    const status = statusOf(await services.health.check());
    answerJson(ctx as HttpContext, status, { status: status === 200 ? 'ready' : 'unavailable' });
  });
  return router;
}

function statusOf(health: Health): 200 | 503 {
  return health.status === 'unhealthy' ? 503 : 200;
}
