import Koa from 'koa';
import type { Registry } from 'prom-client';
import type { Services } from '../features/services.ts';
import { hostGuard } from './host-guard.ts';
import type { HttpDependencies, HttpState } from './http-context.ts';
import { problemMiddleware } from './problem.ts';
import { requestIdMiddleware } from './request-id.ts';
import { figureRoutes } from './routes/metrics.ts';
import { securityHeaders } from './security-headers.ts';
import { unmatchedRoute } from './unmatched-route.ts';

/** The instance's metrics only, without authentication: only for a loopback address. */
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
  // Pages of other sites must not read them through a name that was rebound to this machine.
  app.use(hostGuard({ host, allowedHosts: [], publicUrl: null }));
  app.use(router.routes());
  app.use(unmatchedRoute([router]));
  return app;
}
