import { z } from 'zod';
import { TRACE_ORDERS } from '../../core/trace-order.ts';
import { defineOperation } from '../_kit/operation.ts';
import { inOrder, pageOf, pageQuery, toPageRequest } from '../_kit/page.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { traceSummaryRecord } from './trace.record.ts';
import { traceFacetsRecord } from './trace-facets.ts';
import { toTraceFilter, traceFilterQuery } from './trace-filter.query.ts';
import { traceHistogramRecord } from './trace-histogram.ts';

const READ = { kind: 'tenant', scope: 'read' } as const;

export const listTracesOperation = defineOperation({
  id: 'traces.list',
  method: 'GET',
  path: '/tenants/{tenant_id}/traces',
  summary: 'Traces, newest first or in another order',
  access: READ,
  params: tenantParams,
  query: inOrder(
    pageQuery.extend({
      ...traceFilterQuery.shape,
      sort: z
        .enum(TRACE_ORDERS)
        .default('started_at')
        .describe(
          '`started_at`: newest first; `failure_rank`, `cost`, `duration`, `tokens`: highest first, traces without that figure last',
        ),
    }),
    'date_from',
    'date_to',
  ),
  output: pageOf(traceSummaryRecord),
  status: 200,
  run: (services, input, _caller, callOptions) =>
    services.traces.list(input.tenant_id, toTraceFilter(input), toPageRequest(input), input.sort, callOptions),
});

export const traceFacetsOperation = defineOperation({
  id: 'traces.facets',
  method: 'GET',
  path: '/tenants/{tenant_id}/traces/facets',
  summary: 'How many traces have each status, framework, agent, model, severity, grade and workflow',
  access: READ,
  params: tenantParams,
  query: inOrder(
    traceFilterQuery.extend({
      top: z.coerce.number().int().min(1).max(100).default(8).describe('Values of each facet, 1 to 100'),
    }),
    'date_from',
    'date_to',
  ),
  output: traceFacetsRecord,
  status: 200,
  run: (services, input, _caller, callOptions) =>
    services.traces.facets(input.tenant_id, toTraceFilter(input), input.top, callOptions),
});

const traceHistogramOperation = defineOperation({
  id: 'traces.histogram',
  method: 'GET',
  path: '/tenants/{tenant_id}/traces/histogram',
  summary: 'How many traces started when, by status',
  access: READ,
  params: tenantParams,
  query: inOrder(
    traceFilterQuery.extend({
      buckets: z.coerce.number().int().min(1).max(400).default(60).describe('Maximum number of buckets, 1 to 400'),
    }),
    'date_from',
    'date_to',
  ),
  output: traceHistogramRecord,
  status: 200,
  run: (services, input, _caller, callOptions) =>
    services.traces.histogram(input.tenant_id, toTraceFilter(input), input.buckets, callOptions),
});

/** Fixed words come before the operations on one trace, whose path they would match. */
export const traceListOperations = [listTracesOperation, traceFacetsOperation, traceHistogramOperation];
