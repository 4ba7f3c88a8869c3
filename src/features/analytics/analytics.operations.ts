import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { costAnalytics, loopAnalytics, qualityAnalytics } from './analytics.record.ts';
import { analyticsSeries, GROUPINGS, METRICS, STEPS } from './series.record.ts';

const READ = { kind: 'tenant', scope: 'read' } as const;
const query = z.object({
  days: z.coerce.number().int().min(1).max(365).default(30).describe('UTC days up to today, 1 to 365'),
});

export const loopAnalyticsOperation = defineOperation({
  id: 'analytics.loops',
  method: 'GET',
  path: '/tenants/{tenant_id}/analytics/loops',
  summary: 'Loops by day, by way of looping and by agent',
  access: READ,
  params: tenantParams,
  query,
  output: loopAnalytics,
  status: 200,
  run: (services, input) => services.analytics.loops(input.tenant_id, input.days),
});

export const costAnalyticsOperation = defineOperation({
  id: 'analytics.cost',
  method: 'GET',
  path: '/tenants/{tenant_id}/analytics/cost',
  summary: 'Cost and tokens by day, framework and model, and the traces that cost most',
  access: READ,
  params: tenantParams,
  query,
  output: costAnalytics,
  status: 200,
  run: (services, input) => services.analytics.cost(input.tenant_id, input.days),
});

export const qualityAnalyticsOperation = defineOperation({
  id: 'analytics.quality',
  method: 'GET',
  path: '/tenants/{tenant_id}/analytics/quality',
  summary: 'Scores and grades of traces, their trend, and the most frequent detections',
  access: READ,
  params: tenantParams,
  query,
  output: qualityAnalytics,
  status: 200,
  run: (services, input) => services.analytics.quality(input.tenant_id, input.days),
});

export const analyticsSeriesOperation = defineOperation({
  id: 'analytics.series',
  method: 'GET',
  path: '/tenants/{tenant_id}/analytics/series',
  summary: 'One figure over time, as a whole or by group',
  access: READ,
  params: tenantParams,
  query: query.extend({
    metric: z
      .enum(METRICS)
      .describe('`duration` and `score` are means over the runs that began in a step; the others are sums'),
    by: z.enum(GROUPINGS).default('none').describe('Property by which runs are grouped'),
    step: z.enum(STEPS).default('day').describe('`hour` for at most 14 days'),
    top: z.coerce.number().int().min(1).max(50).default(8).describe('Groups with a series of their own, 1 to 50'),
  }),
  output: analyticsSeries,
  status: 200,
  run: (services, { tenant_id, ...request }, _caller, callOptions) =>
    services.analytics.series(tenant_id, request, callOptions),
});

export const rebuildAnalyticsOperation = defineOperation({
  id: 'analytics.rebuild',
  method: 'POST',
  path: '/tenants/{tenant_id}/analytics/rebuild',
  summary: 'Adds traces that were analyzed before figures were stored, and rebuilds all figures; this takes a while',
  access: { kind: 'tenant', scope: 'admin' },
  params: tenantParams,
  output: z.object({
    traces: z.number().int().describe('Traces that the figures cover'),
    added: z.number().int().describe('Of these, the ones that were not covered before'),
  }),
  status: 200,
  run: (services, input) => services.analytics.rebuild(input.tenant_id),
});

export const analyticsOperations = [
  loopAnalyticsOperation,
  costAnalyticsOperation,
  qualityAnalyticsOperation,
  analyticsSeriesOperation,
  rebuildAnalyticsOperation,
];
