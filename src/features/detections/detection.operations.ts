import { z } from 'zod';
import { DETECTION_ORDERS } from '../../core/detection-order.ts';
import { defineOperation } from '../_kit/operation.ts';
import { dateQuery, inOrder, pageOf, pageQuery, toPageRequest } from '../_kit/page.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { detectionType, severity } from '../_kit/vocabulary.ts';
import { detectionRecord } from './detection.record.ts';
import { fixRecord } from './fix.record.ts';

export const listDetectionsOperation = defineOperation({
  id: 'detections.list',
  method: 'GET',
  path: '/tenants/{tenant_id}/detections',
  summary: 'Detections, newest first',
  access: { kind: 'tenant', scope: 'read' },
  params: tenantParams,
  query: inOrder(
    inOrder(
      pageQuery.extend({
        detection_type: detectionType.optional(),
        validated: z
          .stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] })
          .optional()
          .describe('Has been validated, either way'),
        confidence_min: z.coerce.number().min(0).max(1).optional(),
        confidence_max: z.coerce.number().min(0).max(1).optional(),
        trace_id: z.string().optional(),
        issue_id: z.string().optional(),
        agent_id: z.string().optional().describe('Only detections that this agent caused'),
        min_severity: severity.default('info').describe('`observation` also lists weak signals'),
        date_from: dateQuery.optional().describe('Inclusive'),
        date_to: dateQuery.optional().describe('Exclusive'),
        sort: z
          .enum(DETECTION_ORDERS)
          .default('created_at')
          .describe('Newest first: `created_at` by the time of the detection, `started_at` by the start of its run'),
      }),
      'date_from',
      'date_to',
    ),
    'confidence_min',
    'confidence_max',
  ),
  output: pageOf(detectionRecord),
  status: 200,
  run: (services, input) =>
    services.detections.list(
      input.tenant_id,
      {
        detectionType: input.detection_type ?? null,
        validated: input.validated ?? null,
        confidenceMin: input.confidence_min ?? null,
        confidenceMax: input.confidence_max ?? null,
        traceId: input.trace_id ?? null,
        issueId: input.issue_id ?? null,
        agentId: input.agent_id ?? null,
        minSeverity: input.min_severity,
        from: input.date_from ?? null,
        to: input.date_to ?? null,
      },
      toPageRequest(input),
      input.sort,
    ),
});

export const getDetectionOperation = defineOperation({
  id: 'detections.get',
  method: 'GET',
  path: '/tenants/{tenant_id}/detections/{detection_id}',
  summary: 'One detection with its explanation, evidence and fixes',
  access: { kind: 'tenant', scope: 'read' },
  params: tenantParams.extend({ detection_id: z.string() }),
  output: detectionRecord,
  status: 200,
  run: (services, input) => services.detections.get(input.tenant_id, input.detection_id),
});

export const listFixesOperation = defineOperation({
  id: 'detections.fixes',
  method: 'GET',
  path: '/tenants/{tenant_id}/detections/{detection_id}/fixes',
  summary: 'Suggested and applied fixes of a detection',
  access: { kind: 'tenant', scope: 'read' },
  params: tenantParams.extend({ detection_id: z.string() }),
  output: z.object({ items: z.array(fixRecord) }),
  status: 200,
  run: async (services, input) => ({
    items: await services.fixes.ofDetection(input.tenant_id, input.detection_id),
  }),
});

export const applyFixOperation = defineOperation({
  id: 'detections.apply-fix',
  method: 'POST',
  path: '/tenants/{tenant_id}/detections/{detection_id}/fixes/{fix_id}/apply',
  summary: 'Records that a fix was applied; does not change the agent',
  access: { kind: 'tenant', scope: 'write' },
  params: tenantParams.extend({ detection_id: z.string(), fix_id: z.string() }),
  output: fixRecord,
  status: 200,
  run: (services, input, caller) => services.fixes.apply(input.tenant_id, input.detection_id, input.fix_id, caller),
});

export const detectionOperations = [
  listDetectionsOperation,
  getDetectionOperation,
  listFixesOperation,
  applyFixOperation,
];
