import { z } from 'zod';
import { AppError } from '../../core/app-error.ts';
import { defineOperation } from '../_kit/operation.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { detectionRecord } from '../detections/detection.record.ts';
import { canonicalTraceId } from './canonical-trace-id.ts';
import { idList, MAX_IDS } from './id-list.ts';
import { spanRecord, spanWindowRecord, stateListRecord, traceRecord } from './trace.record.ts';
import { traceFindRecord } from './trace-find.ts';
import { traceGraphRecord } from './trace-graph.ts';
import { traceListOperations } from './trace-list.operations.ts';
import { traceOutlineRecord } from './trace-outline.ts';

const traceParams = tenantParams.extend({ trace_id: z.string() });

const INCLUDES = ['all', 'spans', 'states', 'none'] as const;

export const getTraceOperation = defineOperation({
  id: 'traces.get',
  method: 'GET',
  path: '/tenants/{tenant_id}/traces/{trace_id}',
  summary: 'One trace with all its spans and states',
  access: { kind: 'tenant', scope: 'read' },
  params: traceParams,
  query: z.object({
    include: z.enum(INCLUDES).default('all').describe('Lists that are filled; a long trace is quicker without'),
  }),
  output: traceRecord,
  status: 200,
  run: (services, { tenant_id, trace_id, include }, _caller, { signal } = {}) =>
    services.traces.get(tenant_id, trace_id, {
      hasSpans: include === 'all' || include === 'spans',
      hasStates: include === 'all' || include === 'states',
      signal,
    }),
});

export const getOutlineOperation = defineOperation({
  id: 'traces.outline',
  method: 'GET',
  path: '/tenants/{tenant_id}/traces/{trace_id}/outline',
  summary: 'The shape of a trace without its texts, in columns',
  access: { kind: 'tenant', scope: 'read' },
  params: traceParams,
  output: traceOutlineRecord,
  status: 200,
  run: (services, input, _caller, callOptions) => services.traces.outline(input.tenant_id, input.trace_id, callOptions),
});

const MAX_SPANS = 500;

export const listSpansOperation = defineOperation({
  id: 'traces.spans',
  method: 'GET',
  path: '/tenants/{tenant_id}/traces/{trace_id}/spans',
  summary: 'Some spans of a trace: by id, or a window of steps',
  access: { kind: 'tenant', scope: 'read' },
  params: traceParams,
  query: z.object({
    ids: idList.optional().describe(`Ids separated by commas, at most ${MAX_IDS}; replaces the window`),
    from_step: z.coerce.number().int().min(0).default(0).describe('First step, from zero'),
    count: z.coerce.number().int().min(1).max(MAX_SPANS).default(50).describe(`Spans, 1 to ${MAX_SPANS}`),
  }),
  output: spanWindowRecord,
  status: 200,
  run: (services, { tenant_id, trace_id, ids, from_step, count }, _caller, callOptions) =>
    services.traces.window(tenant_id, trace_id, ids ? { ids } : { from: from_step, count }, callOptions),
});

export const getSpanOperation = defineOperation({
  id: 'traces.span',
  method: 'GET',
  path: '/tenants/{tenant_id}/traces/{trace_id}/spans/{span_id}',
  summary: 'One span of a trace',
  access: { kind: 'tenant', scope: 'read' },
  params: traceParams.extend({ span_id: z.string() }),
  output: spanRecord,
  status: 200,
  run: (services, input, _caller, callOptions) =>
    services.traces.span(input.tenant_id, input.trace_id, input.span_id, callOptions),
});

export const traceGraphOperation = defineOperation({
  id: 'traces.graph',
  method: 'GET',
  path: '/tenants/{tenant_id}/traces/{trace_id}/graph',
  summary: 'Agents and tools of a trace as a graph of calls, delegations and hand-offs with counts',
  access: { kind: 'tenant', scope: 'read' },
  params: traceParams,
  output: traceGraphRecord,
  status: 200,
  run: (services, input, _caller, callOptions) => services.traces.graph(input.tenant_id, input.trace_id, callOptions),
});

export const findInTraceOperation = defineOperation({
  id: 'traces.find',
  method: 'GET',
  path: '/tenants/{tenant_id}/traces/{trace_id}/find',
  summary: 'Where a text is in the steps of a trace, with what is around it',
  access: { kind: 'tenant', scope: 'read' },
  params: traceParams,
  query: z.object({
    text: z.string().min(1).max(200).describe('Case-insensitive; plain text, not a pattern'),
    from_step: z.coerce.number().int().min(0).default(0).describe('First step, from zero'),
    count: z.coerce
      .number()
      .int()
      .min(1)
      .max(200)
      .default(50)
      .describe('Items after which the response ends, 1 to 200'),
  }),
  output: traceFindRecord,
  status: 200,
  run: (services, { tenant_id, trace_id, text, from_step, count }, _caller, callOptions) =>
    services.traces.find(tenant_id, trace_id, { text, from: from_step, count }, callOptions),
});

export const listStatesOperation = defineOperation({
  id: 'traces.states',
  method: 'GET',
  path: '/tenants/{tenant_id}/traces/{trace_id}/states',
  summary: 'State snapshots of a trace in order',
  access: { kind: 'tenant', scope: 'read' },
  params: traceParams,
  query: z.object({
    from: z.coerce.number().int().min(0).default(0).describe('First snapshot, from zero'),
    count: z.coerce.number().int().min(1).max(10_000).optional().describe('Snapshots; all if omitted'),
    span_id: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('Only snapshots that this span recorded; `from` counts among them'),
  }),
  output: stateListRecord,
  status: 200,
  run: (services, { tenant_id, trace_id, from, count, span_id }, _caller, { signal } = {}) =>
    services.traces.states(tenant_id, trace_id, { from, count: count ?? null, spanId: span_id ?? null, signal }),
});

export const reanalyzeTracesOperation = defineOperation({
  id: 'traces.reanalyze',
  method: 'POST',
  path: '/tenants/{tenant_id}/traces/reanalyze',
  summary: 'Analyzes stored traces again in the background: those named, or all whose analysis failed permanently',
  access: { kind: 'tenant', scope: 'write' },
  params: tenantParams,
  body: z.strictObject({
    trace_ids: z.array(z.string().min(1).max(128)).min(1).max(1_000).optional(),
    given_up: z.literal(true).optional().describe('All whose analysis failed permanently; replaces trace_ids'),
  }),
  output: z.object({
    scheduled: z.int().describe('Traces that will be analyzed'),
    not_found: z.array(z.string()).describe('Named traces that do not exist'),
  }),
  status: 202,
  run: (services, { tenant_id, trace_ids, given_up }) => {
    if ((trace_ids === undefined) === (given_up === undefined)) throw eitherIdsOrGivenUp();
    return services.analysis.reanalyze(tenant_id, trace_ids ?? null);
  },
});

function eitherIdsOrGivenUp(): AppError {
  const message = 'Give either trace_ids or given_up.';
  return new AppError('invalid_body', message, { errors: [{ pointer: '/trace_ids', message }] });
}

export const analyzeTraceOperation = defineOperation({
  id: 'traces.analyze',
  method: 'POST',
  path: '/tenants/{tenant_id}/traces/{trace_id}/analyze',
  summary: 'Runs every detector over the trace now and returns its detections',
  storesResult: true,
  access: { kind: 'tenant', scope: 'read' },
  params: traceParams,
  query: z.object({
    alert: z
      .boolean()
      .default(false)
      .describe('Also sends alerts about new detections of a trace that is history or was analyzed before'),
  }),
  output: z.object({ trace_id: z.string(), detections: z.array(detectionRecord), total: z.number().int() }),
  status: 200,
  run: async (services, input) => {
    await services.analysis.analyzeTrace(input.tenant_id, input.trace_id, { isAlertRequested: input.alert });
    const detections = await services.detections.ofTrace(input.tenant_id, input.trace_id);
    return { trace_id: canonicalTraceId(input.trace_id), detections, total: detections.length };
  },
});

export const traceOperations = [
  ...traceListOperations,
  getTraceOperation,
  getOutlineOperation,
  listSpansOperation,
  getSpanOperation,
  traceGraphOperation,
  findInTraceOperation,
  listStatesOperation,
  analyzeTraceOperation,
  reanalyzeTracesOperation,
];
