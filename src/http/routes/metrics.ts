import type Router from '@koa/router';
import { Registry } from 'prom-client';
import type { Services } from '../../features/services.ts';
import { authorize } from '../authorize.ts';
import type { HttpContext, HttpState } from '../http-context.ts';
import { toRegistry } from '../metric-registry.ts';
import { API_PREFIX, createRouter, type RouterParts } from '../operation-router.ts';
import { respondJson, respondWith } from '../respond.ts';

const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';
const ACCESS = { kind: 'tenant', scope: 'read' } as const;

/** Whose metrics a request may read: a tenant's, or with null the instance's. */
export type AuthorizeMetrics = (ctx: HttpContext) => Promise<string | null>;

/** A tenant's credential reads its own metrics, the operator's the instance's. */
export function metricsRoutes(registry: Registry, parts: RouterParts): Router<HttpState> {
  return figureRoutes(registry, parts.services, async (ctx) => {
    const caller = await parts.authenticate(ctx);
    await authorize(parts.services, ACCESS, caller, null, { isRegistrationOpen: false });
    return caller.tenantId;
  });
}

/** Prometheus text format for any Accept header, and the same as JSON. */
export function figureRoutes(
  instance: Registry,
  services: Pick<Services, 'metrics'>,
  admit: AuthorizeMetrics,
): Router<HttpState> {
  const router = createRouter();
  const registryFor = async (ctx: HttpContext): Promise<Registry> => {
    const tenantId = await admit(ctx);
    const figures = toRegistry(await services.metrics.families(tenantId));
    return tenantId === null ? Registry.merge([instance, figures]) : figures;
  };
  for (const path of ['/metrics', `${API_PREFIX}/metrics`]) {
    router.get(path, async (ctx) => {
      ctx.state.route = 'metrics';
      const registry = await registryFor(ctx as HttpContext);
      respondWith(ctx as HttpContext, 200, TEXT_FORMAT, spellNotANumber(await registry.metrics()));
    });
    router.get(`${path}/json`, async (ctx) => {
      ctx.state.route = 'metrics.json';
      const registry = await registryFor(ctx as HttpContext);
      respondJson(ctx as HttpContext, 200, await registry.getMetricsAsJSON());
    });
  }
  return router;
}

/** prom-client writes `Nan`; the format's own spelling is `NaN`. A line ends in its value, as no label holds a raw line feed. */
function spellNotANumber(text: string): string {
  return text.replaceAll(/^([^#].*) Nan$/gm, '$1 NaN');
}
