import Koa from 'koa';
import { createReadWebFiles } from '../app/web-files.ts';
import { operations } from '../features/operations.ts';
import { integrationSources } from '../features/platforms.ts';
import type { Services } from '../features/services.ts';
import { createAuthenticate } from './authenticate.ts';
import { withoutBasePath } from './base-path.ts';
import { createBodyReader } from './body-reader.ts';
import { compression } from './compression.ts';
import { corsMiddleware } from './cors.ts';
import { createFindSession } from './find-session.ts';
import { hostGuard } from './host-guard.ts';
import type { HttpConfig } from './http-config.ts';
import type { HttpDependencies, HttpState } from './http-context.ts';
import { httpMetrics } from './http-metrics.ts';
import { operationRouter, type RouterParts } from './operation-router.ts';
import { originGuard } from './origin-guard.ts';
import { createProxyTrust } from './peer-address.ts';
import { problemMiddleware } from './problem.ts';
import { rateLimitMiddleware } from './rate-limit.ts';
import { recordRefusals } from './record-refusals.ts';
import { requestIdMiddleware } from './request-id.ts';
import { requestLogMiddleware } from './request-log.ts';
import { respondToChallenge } from './respond-to-challenge.ts';
import { cliAgentRoutes } from './routes/cli-agent.ts';
import { dashboardRoutes } from './routes/dashboard.ts';
import { exportRoutes } from './routes/export.ts';
import { healthRoutes } from './routes/health.ts';
import { importRoutes } from './routes/imports.ts';
import { integrationRoutes } from './routes/integrations.ts';
import { langfuseRoutes } from './routes/langfuse.ts';
import { langSmithRoutes } from './routes/langsmith.ts';
import { metricsRoutes } from './routes/metrics.ts';
import { openAiAgentsRoutes } from './routes/openai-agents.ts';
import { openApiRoutes } from './routes/openapi.ts';
import { INGEST_ROUTES, otlpRoutes } from './routes/otlp.ts';
import { paymentWebhookRoutes } from './routes/payment-webhook.ts';
import { sessionRoutes } from './routes/session.ts';
import { tenantStreamRoutes } from './routes/tenant-stream.ts';
import { securityHeaders } from './security-headers.ts';
import { stalledResponseMiddleware } from './stalled-response.ts';
import { unmatchedRoute } from './unmatched-route.ts';

/** The complete HTTP application over the services; `listen` binds it to a socket. */
export function createHttpApp(services: Services, config: HttpConfig, dependencies: HttpDependencies): Koa<HttpState> {
  const proxies = createProxyTrust(config.trustedProxies);
  const findSession = createFindSession(services, config);
  const parts: RouterParts = {
    services,
    config,
    authenticate: createAuthenticate(services, config, findSession),
    bodies: createBodyReader(config),
    proxies,
  };
  const routers = [
    operationRouter(operations, parts),
    sessionRoutes(parts),
    cliAgentRoutes(parts),
    importRoutes(parts),
    exportRoutes(parts),
    healthRoutes(services),
    openApiRoutes(operations),
    openAiAgentsRoutes(parts),
    paymentWebhookRoutes(parts),
    integrationRoutes(integrationSources, parts, dependencies),
    tenantStreamRoutes(parts, dependencies),
    dashboardRoutes(dependencies.readWebFiles ?? createReadWebFiles(), config.publicUrl?.basePath),
    ...(dependencies.metrics ? [metricsRoutes(dependencies.metrics, parts)] : []),
  ];
  const app = new Koa<HttpState>();
  app.on('error', (err) => dependencies.logger.debug({ err }, 'connection failed'));
  app.use(withoutBasePath(config));
  app.use(stalledResponseMiddleware(config.connectionLimits.stalledResponseMs));
  app.use(requestIdMiddleware);
  app.use(requestLogMiddleware(dependencies, INGEST_ROUTES));
  app.use(httpMetrics(dependencies.metrics));
  app.use(compression);
  app.use(problemMiddleware(dependencies));
  app.use(securityHeaders());
  app.use(respondToChallenge(config));
  app.use(hostGuard(config));
  app.use(originGuard(config, proxies));
  app.use(corsMiddleware(config));
  app.use(rateLimitMiddleware(config, proxies, findSession, dependencies));
  app.use(recordRefusals(services.refusals, INGEST_ROUTES));
  app.use(otlpRoutes(parts, dependencies.metrics));
  app.use(langfuseRoutes(parts));
  app.use(langSmithRoutes(parts));
  for (const router of routers) app.use(router.routes());
  app.use(unmatchedRoute(routers));
  return app;
}
