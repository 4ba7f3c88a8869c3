import type Router from '@koa/router';
import type { Registry } from 'prom-client';
import { answerJson, answerWith } from '../answer.ts';
import { authorize } from '../authorize.ts';
import type { HttpContext, HttpState } from '../http-context.ts';
import { API_PREFIX, createRouter, type RouterParts } from '../operation-router.ts';

const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

/** Prometheus text format, whatever is asked for. The operator sees the instance. */
export function metricsRoutes(registry: Registry, parts: RouterParts): Router<HttpState> {
  const router = createRouter();
  const admit = async (ctx: HttpContext) => {
    const caller = await parts.authenticate(ctx);
    await authorize(parts.services, { kind: 'operator' }, caller, null, { isRegistrationOpen: false });
  };
  for (const path of ['/metrics', `${API_PREFIX}/metrics`]) {
    router.get(path, async (ctx) => {
      ctx.state.route = 'metrics';
      await admit(ctx as HttpContext);
      answerWith(ctx as HttpContext, 200, TEXT_FORMAT, await registry.metrics());
    });
    router.get(`${path}/json`, async (ctx) => {
      ctx.state.route = 'metrics.json';
      await admit(ctx as HttpContext);
      answerJson(ctx as HttpContext, 200, await registry.getMetricsAsJSON());
    });
  }
  return router;
}
