import { z } from 'zod';
import { DETECTION_TYPES } from '../../../core/detection.ts';
import { SEVERITIES } from '../../../core/severity.ts';
import type { WebAddress } from '../../../core/web-address.ts';
import { listDetectionsOperation } from '../../../features/detections/detection.operations.ts';
import type { DetectionRecord } from '../../../features/detections/detection.record.ts';
import { urlOfDetection } from '../../browse/urls.ts';
import { confidenceWithEvidence } from '../../views/confidence.ts';
import { dateInput, pageHead, pageInput, pageNext, pageOutput, pageQueryOf } from '../list-page.ts';
import { LIMITS, name, optional } from '../text-limits.ts';
import { defineTool, type Show } from '../tool.ts';

const input = z.strictObject({
  trace_id: z.string().max(200).optional().describe('Only of this trace'),
  issue_id: z.string().max(200).optional().describe('Only of this issue'),
  detection_type: z.enum(DETECTION_TYPES).optional().describe('Only this kind of failure'),
  min_severity: z
    .enum(SEVERITIES)
    .default('info')
    .describe('Lowest severity to return; observation includes weak signals'),
  confidence_min: z.number().min(0).max(1).optional(),
  date_from: dateInput.describe('Found at or after, RFC 3339 or a date'),
  date_to: dateInput.describe('Found before, RFC 3339 or a date'),
  ...pageInput.shape,
});

const found = z.object({
  detection_id: z.string(),
  detection_type: z.string(),
  subtype: z.string(),
  severity: z.enum(SEVERITIES),
  confidence: z.number(),
  calibrated: z.boolean(),
  basis: z.enum(['fact', 'calibrated', 'uncalibrated']),
  step: z.number().int().nullable(),
  issue_id: z.string().nullable(),
  created_at: z.string(),
  untrusted: z.object({
    trace_id: z.string(),
    agent: z.string().nullable(),
    title: z.string(),
    url: z.string().describe('Opens it in the dashboard'),
  }),
});
type Found = z.output<typeof found>;

export const listDetectionsTool = defineTool({
  name: 'list_findings',
  title: 'List detections',
  description:
    'Lists what the detectors found, newest first: of one trace, of one issue, of one kind of failure, or all. ' +
    'explain_finding returns all facts about one.',
  input,
  output: pageOutput.extend({ findings: z.array(found) }),
  async run(backend, { limit, cursor, ...filters }) {
    const page = await backend.call(listDetectionsOperation, {
      tenant_id: await backend.tenantId(),
      ...filters,
      ...pageQueryOf({ limit, cursor }),
    });
    const pages = await backend.pages();
    return {
      head: pageHead(page, 'detections', 'newest first'),
      data: {
        total: page.total,
        next_cursor: page.next_cursor,
        findings: page.items.map((item) => toFound(item, pages)),
      },
      dataIs: 'data from traces',
      lines: ({ findings }, show) => findings.map((detection) => lineOf(detection, show)),
      next: pageNext(page, 'list_findings'),
    };
  },
});

function toFound(detection: DetectionRecord, pages: WebAddress): Found {
  return {
    detection_id: detection.detection_id,
    detection_type: detection.detection_type,
    subtype: detection.subtype,
    severity: detection.severity,
    confidence: detection.confidence,
    calibrated: detection.calibrated,
    basis: detection.basis,
    step: detection.step,
    issue_id: detection.issue_id,
    created_at: detection.created_at,
    untrusted: {
      trace_id: detection.trace_id,
      agent: optional(detection.agent_id, LIMITS.name),
      title: name(detection.title),
      url: urlOfDetection(pages, detection),
    },
  };
}

function lineOf(detection: Found, show: Show): string {
  const { trace_id, agent, title, url } = detection.untrusted;
  const facts = [
    `${detection.severity} ${detection.detection_type}/${detection.subtype}`,
    confidenceWithEvidence(detection),
    ...(agent === null ? [] : [`agent ${show(agent)}`]),
    detection.step === null ? 'the whole run' : `step ${detection.step}`,
    `trace ${show(trace_id)}`,
    detection.created_at,
    show(url),
  ];
  return `- ${detection.detection_id} "${show(title)}": ${facts.join(' · ')}`;
}
