import type { Kysely } from 'kysely';
import type { Clock } from '../core/clock.ts';
import type { ModelCatalog } from '../core/model-catalog.ts';
import { createAgentService } from '../features/agents/agent.service.ts';
import { createAnalyticsService } from '../features/analytics/analytics.service.ts';
import { createCodingSessionService } from '../features/coding-sessions/coding-session.service.ts';
import type { TaskRunner } from '../features/offload/task-runner.ts';
import { createOverviewService } from '../features/overview/overview.service.ts';
import type { Services } from '../features/services.ts';
import { createTraceService } from '../features/traces/trace.service.ts';
import type { Database } from '../store/schema.ts';

/** Services that only read the store. */
export function openReading(parts: {
  db: Kysely<Database>;
  clock: Clock;
  models: ModelCatalog;
  tasks: TaskRunner;
  tenantNoOf(tenantId: string): Promise<number>;
}): Pick<Services, 'traces' | 'codingSessions' | 'agents' | 'analytics' | 'overview'> {
  return {
    traces: createTraceService(parts),
    codingSessions: createCodingSessionService(parts),
    agents: createAgentService(parts),
    analytics: createAnalyticsService(parts),
    overview: createOverviewService(parts),
  };
}
