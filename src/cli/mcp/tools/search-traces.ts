import { z } from 'zod';
import { SEVERITIES } from '../../../core/severity.ts';
import type { WebAddress } from '../../../core/web-address.ts';
import type { TraceSummaryRecord } from '../../../features/traces/trace.record.ts';
import { listTracesOperation } from '../../../features/traces/trace-list.operations.ts';
import { counted, dollars, duration } from '../../views/amounts.ts';
import { dateInput, pageHead, pageInput, pageNext, pageOutput, pageQueryOf } from '../list-page.ts';
import { LIMITS, name, names, optional } from '../text-limits.ts';
import { defineTool, type Show } from '../tool.ts';

const input = z.strictObject({
  text: z.string().min(1).max(200).optional().describe('Contained in the name or the task; case-insensitive'),
  status: z.enum(['running', 'ok', 'error']).optional(),
  agent_id: z.string().max(500).optional().describe('Only traces this agent took part in'),
  framework: z.string().max(200).optional().describe('Only of this framework, such as langgraph'),
  min_severity: z.enum(SEVERITIES).optional().describe('Only traces with a detection of at least this severity'),
  date_from: dateInput.describe('Started at or after, RFC 3339 or a date'),
  date_to: dateInput.describe('Started before, RFC 3339 or a date'),
  ...pageInput.shape,
});

const found = z.object({
  status: z.enum(['running', 'ok', 'error']),
  started_at: z.string(),
  duration_ms: z.number().nullable(),
  step_count: z.number().int(),
  total_tokens: z.number(),
  cost_usd: z.number().nullable(),
  partial_usage_calls: z.number().int().nullable(),
  finding_count: z.number().int(),
  max_severity: z.enum(SEVERITIES).nullable(),
  grade: z.string().nullable(),
  judged: z.boolean().describe('False: it still runs or waits for the detectors; the figures are not final'),
  analysis: z
    .enum(['pending', 'complete', 'partial', 'given_up'])
    .describe('partial: detectors were skipped; given_up: the analysis failed repeatedly'),
  untrusted: z.object({
    trace_id: z.string(),
    name: z.string(),
    task: z.string().nullable(),
    framework: z.string(),
    agents: z.array(z.string()),
    url: z.string().describe('Opens it in the dashboard'),
  }),
});
type Found = z.output<typeof found>;

export const searchTracesTool = defineTool({
  name: 'search_traces',
  title: 'Search traces',
  description:
    'Lists recorded runs of agents, newest first, with their outcome and number of detections. ' +
    'Start here when you do not know which run is meant; then call get_trace.',
  input,
  output: pageOutput.extend({ traces: z.array(found) }),
  async run(backend, { limit, cursor, ...filters }) {
    const page = await backend.call(listTracesOperation, {
      tenant_id: await backend.tenantId(),
      ...filters,
      ...pageQueryOf({ limit, cursor }),
    });
    const pages = await backend.pages();
    return {
      head: pageHead(page, 'traces', 'newest first'),
      data: {
        total: page.total,
        next_cursor: page.next_cursor,
        traces: page.items.map((item) => toFound(item, pages)),
      },
      dataIs: 'data from traces',
      lines: ({ traces }, show) => traces.map((trace) => lineOf(trace, show)),
      next: pageNext(page, 'search_traces'),
    };
  },
});

function toFound(trace: TraceSummaryRecord, pages: WebAddress): Found {
  return {
    status: trace.status,
    started_at: trace.started_at,
    duration_ms: trace.duration_ms,
    step_count: trace.span_count,
    total_tokens: trace.total_tokens,
    cost_usd: trace.cost_usd,
    partial_usage_calls: trace.partial_usage_calls,
    finding_count: trace.detection_count,
    max_severity: trace.max_severity,
    grade: trace.grade,
    judged: trace.analyzed,
    analysis: trace.analysis.state,
    untrusted: {
      trace_id: trace.trace_id,
      name: name(trace.name),
      task: optional(trace.task, LIMITS.line),
      framework: name(trace.framework),
      agents: names(trace.agent_ids),
      url: pages.trace({ traceId: trace.trace_id }),
    },
  };
}

function lineOf(trace: Found, show: Show): string {
  const { trace_id, name: title, task, framework, agents, url } = trace.untrusted;
  const bound = (trace.partial_usage_calls ?? 0) > 0 ? '≥ ' : '';
  const facts = [
    trace.started_at,
    trace.status,
    show(framework),
    counted(trace.step_count, 'step'),
    ...(trace.duration_ms === null ? [] : [duration(trace.duration_ms)]),
    ...(trace.cost_usd === null ? [] : [`${bound}${dollars(trace.cost_usd)}`]),
    detectionsText(trace),
    ...(agents.length > 0 ? [`agents: ${agents.map(show).join(', ')}`] : []),
    show(url),
  ];
  const about = task === null ? '' : `\n  task: ${show(task)}`;
  return `- trace ${show(trace_id)} "${show(title)}": ${facts.join(' · ')}${about}`;
}

function detectionsText({ judged, analysis, finding_count, max_severity }: Found): string {
  if (analysis === 'given_up') return 'analysis given up';
  if (!judged) return 'not judged yet';
  return finding_count === 0 ? 'no detections' : `${counted(finding_count, 'detection')}, worst ${max_severity}`;
}
