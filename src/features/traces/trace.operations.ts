import { z } from 'zod';
import { isAtLeast, SEVERITIES } from '../../core/severity.ts';
import { defineOperation } from '../_kit/operation.ts';
import { dateQuery, pageOf, pageQuery, toPageRequest } from '../_kit/page.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { severity, traceStatus } from '../_kit/vocabulary.ts';
import { detectionRecord } from '../detections/detection.record.ts';
import { canonicalTraceId } from './canonical-trace-id.ts';
import { stateRecord, traceRecord, traceSummaryRecord } from './trace.record.ts';

const traceParams = tenantParams.extend({ trace_id: z.string() });

export const listTracesOperation = defineOperation({
  id: 'traces.list',
  method: 'GET',
  path: '/tenants/{tenant_id}/traces',
  summary: 'Traces, newest first',
  access: { kind: 'tenant', scope: 'read' },
  params: tenantParams,
  query: pageQuery.extend({
    agent_id: z.string().optional().describe('Only traces this agent took part in'),
    status: traceStatus.optional(),
    framework: z.string().optional().describe('Only runs of this framework'),
    min_severity: severity.optional().describe('Only traces with a finding at least as severe'),
    text: z.string().min(1).max(200).optional().describe('Stands in name or task, whatever its case'),
    workflow_id: z.string().optional().describe('Only runs of this workflow'),
    group_id: z.string().optional().describe('Only runs of workflows in this group'),
    date_from: dateQuery.optional().describe('Started at or after'),
    date_to: dateQuery.optional().describe('Started before'),
  }),
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
        workflowId: input.workflow_id ?? null,
        groupId: input.group_id ?? null,
        from: input.date_from ?? null,
        to: input.date_to ?? null,
      },
      toPageRequest(input),
    ),
});

export const getTraceOperation = defineOperation({
  id: 'traces.get',
  method: 'GET',
  path: '/tenants/{tenant_id}/traces/{trace_id}',
  summary: 'One trace with all its spans and states',
  access: { kind: 'tenant', scope: 'read' },
  params: traceParams,
  output: traceRecord,
  status: 200,
  run: (services, input) => services.traces.get(input.tenant_id, input.trace_id),
});

export const listStatesOperation = defineOperation({
  id: 'traces.states',
  method: 'GET',
  path: '/tenants/{tenant_id}/traces/{trace_id}/states',
  summary: 'State snapshots of a trace in order',
  access: { kind: 'tenant', scope: 'read' },
  params: traceParams,
  output: z.object({ trace_id: z.string(), items: z.array(stateRecord), total: z.number().int() }),
  status: 200,
  run: async (services, input) => {
    const items = await services.traces.states(input.tenant_id, input.trace_id);
    return { trace_id: canonicalTraceId(input.trace_id), items, total: items.length };
  },
});

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

export const traceOperations = [listTracesOperation, getTraceOperation, listStatesOperation, analyzeTraceOperation];
