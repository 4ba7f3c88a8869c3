import Koa from 'koa';
import type { Registry } from 'prom-client';
import type { Services } from '../features/services.ts';
import { hostGuard } from './host-guard.ts';
import type { HttpDependencies, HttpState } from './http-context.ts';
import { problemMiddleware } from './problem.ts';
import { requestIdMiddleware } from './request-id.ts';
import { figureRoutes } from './routes/metrics.ts';
import { securityHeaders } from './security-headers.ts';
import { unrouted } from './unrouted.ts';

/** The instance's figures and nothing else, for everybody: only for a loopback address. */
export function createMetricsApp(
  services: Pick<Services, 'metrics'>,
  registry: Registry,
  host: string,
  dependencies: HttpDependencies,
): Koa<HttpState> {
  const router = figureRoutes(registry, services, async () => null);
  const app = new Koa<HttpState>();
  app.on('error', (err) => dependencies.logger.debug({ err }, 'connection failed'));
  app.use(requestIdMiddleware);
  app.use(problemMiddleware(dependencies));
  app.use(securityHeaders());
  // Pages of other sites must not read here by a name that was re-pointed to this machine.
  app.use(hostGuard({ host, allowedHosts: [], publicUrl: null }));
  app.use(router.routes());
  app.use(unrouted([router]));
  return app;
}
