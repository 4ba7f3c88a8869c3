import { z } from 'zod';
import { AppError } from '../../core/app-error.ts';
import { isAtLeast, SEVERITIES } from '../../core/severity.ts';
import { TRACE_ORDERS } from '../../core/trace-order.ts';
import { defineOperation } from '../_kit/operation.ts';
import { dateQuery, inOrder, pageOf, pageQuery, toPageRequest } from '../_kit/page.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { sessionEnd, severity, traceStatus } from '../_kit/vocabulary.ts';
import { detectionRecord } from '../detections/detection.record.ts';
import { canonicalTraceId } from './canonical-trace-id.ts';
import { spanRecord, spanWindowRecord, stateListRecord, traceRecord, traceSummaryRecord } from './trace.record.ts';
import { traceOutlineRecord } from './trace-outline.ts';

const MOST_IDS = 50;

const idList = z
  .string()
  .min(1)
  .transform((text) => text.split(','))
  .refine((ids) => ids.length <= MOST_IDS, { message: `at most ${MOST_IDS} ids` });

const traceParams = tenantParams.extend({ trace_id: z.string() });

export const listTracesOperation = defineOperation({
  id: 'traces.list',
  method: 'GET',
  path: '/tenants/{tenant_id}/traces',
  summary: 'Traces, newest first or in the order of their failure rank',
  access: { kind: 'tenant', scope: 'read' },
  params: tenantParams,
  query: inOrder(
    pageQuery.extend({
      agent_id: z.string().optional().describe('Only traces this agent took part in'),
      status: traceStatus.optional(),
      framework: z.string().optional().describe('Only runs of this framework'),
      min_severity: severity.optional().describe('Only traces with a finding at least as severe'),
      text: z.string().min(1).max(200).optional().describe('Stands in name or task, whatever its case'),
      workflow_id: z.string().optional().describe('Only runs of this workflow'),
      project: z
        .string()
        .max(1000)
        .optional()
        .describe("Only coding agents' sessions on this project: its root folder"),
      branch: z.string().max(1000).optional().describe("Only coding agents' sessions on this branch"),
      ended_by: sessionEnd.optional().describe("Only coding agents' sessions that ended so"),
      group_id: z.string().optional().describe('Only runs of workflows in this group'),
      include_bookkeeping: z
        .boolean()
        .default(false)
        .describe("Also traces that hold only a coding agent's own bookkeeping, without any run"),
      date_from: dateQuery.optional().describe('Started at or after'),
      date_to: dateQuery.optional().describe('Started before'),
      sort: z
        .enum(TRACE_ORDERS)
        .default('started_at')
        .describe('`started_at`: newest first; `failure_rank`: highest rank first, traces without a rank last'),
    }),
    'date_from',
    'date_to',
  ),
  output: pageOf(traceSummaryRecord),
  status: 200,
  run: (services, input) =>
    services.traces.list(
      input.tenant_id,
      {
        agentId: input.agent_id ?? null,
        status: input.status ?? null,
        framework: input.framework ?? null,
        severities: input.min_severity ? SEVERITIES.filter((one) => isAtLeast(one, input.min_severity!)) : null,
        text: input.text ?? null,
        project: input.project ?? null,
        branch: input.branch ?? null,
        endedBy: input.ended_by ?? null,
        workflowId: input.workflow_id ?? null,
        groupId: input.group_id ?? null,
        isRun: !input.include_bookkeeping,
        from: input.date_from ?? null,
        to: input.date_to ?? null,
      },
      toPageRequest(input),
      input.sort,
    ),
});

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
  run: (services, input, _caller, asked) => services.traces.outline(input.tenant_id, input.trace_id, asked),
});

const MOST_SPANS = 500;

export const listSpansOperation = defineOperation({
  id: 'traces.spans',
  method: 'GET',
  path: '/tenants/{tenant_id}/traces/{trace_id}/spans',
  summary: 'Some spans of a trace: by id, or a window of steps',
  access: { kind: 'tenant', scope: 'read' },
  params: traceParams,
  query: z.object({
    ids: idList.optional().describe(`Ids separated by commas, at most ${MOST_IDS}; replaces the window`),
    from_step: z.coerce.number().int().min(0).default(0).describe('First step, from zero'),
    count: z.coerce.number().int().min(1).max(MOST_SPANS).default(50).describe(`Spans, 1 to ${MOST_SPANS}`),
  }),
  output: spanWindowRecord,
  status: 200,
  run: (services, { tenant_id, trace_id, ids, from_step, count }, _caller, asked) =>
    services.traces.window(tenant_id, trace_id, ids ? { ids } : { from: from_step, count }, asked),
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
  run: (services, input, _caller, asked) => services.traces.span(input.tenant_id, input.trace_id, input.span_id, asked),
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
    count: z.coerce.number().int().min(1).max(10_000).optional().describe('Snapshots; all where it is left out'),
  }),
  output: stateListRecord,
  status: 200,
  run: (services, { tenant_id, trace_id, from, count }, _caller, { signal } = {}) =>
    services.traces.states(tenant_id, trace_id, { from, count: count ?? null, signal }),
});

export const reanalyzeTracesOperation = defineOperation({
  id: 'traces.reanalyze',
  method: 'POST',
  path: '/tenants/{tenant_id}/traces/reanalyze',
  summary: 'Analyses stored traces again in the background: those named, or all whose analysis was given up',
  access: { kind: 'tenant', scope: 'write' },
  params: tenantParams,
  body: z.strictObject({
    trace_ids: z.array(z.string().min(1).max(128)).min(1).max(1_000).optional(),
    given_up: z.literal(true).optional().describe('All whose analysis was given up; in place of trace_ids'),
  }),
  output: z.object({
    scheduled: z.int().describe('Traces that will be analysed'),
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
  summary: 'Runs every detector over the trace now and returns what stands',
  storesResult: true,
  access: { kind: 'tenant', scope: 'read' },
  params: traceParams,
  query: z.object({
    alert: z
      .boolean()
      .default(false)
      .describe('Also alert about what is new in a trace that is history or was judged before'),
  }),
  output: z.object({ trace_id: z.string(), detections: z.array(detectionRecord), total: z.number().int() }),
  status: 200,
  run: async (services, input) => {
    await services.analysis.analyzeTrace(input.tenant_id, input.trace_id, { isAlertAsked: input.alert });
    const detections = await services.detections.ofTrace(input.tenant_id, input.trace_id);
    return { trace_id: canonicalTraceId(input.trace_id), detections, total: detections.length };
  },
});

export const traceOperations = [
  listTracesOperation,
  getTraceOperation,
  getOutlineOperation,
  listSpansOperation,
  getSpanOperation,
  listStatesOperation,
  analyzeTraceOperation,
  reanalyzeTracesOperation,
];
