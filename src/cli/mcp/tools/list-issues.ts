import { z } from 'zod';
import { SEVERITIES } from '../../../core/severity.ts';
import type { WebAddress } from '../../../core/web-address.ts';
import { listIssuesOperation } from '../../../features/issues/issue.operations.ts';
import { ISSUE_STATUSES, type IssueRecord, NEW_ISSUE } from '../../../features/issues/issue.record.ts';
import { count, counted, dollars } from '../../views/amounts.ts';
import { pageHead, pageInput, pageNext, pageOutput, pageQueryOf } from '../list-page.ts';
import { name, names } from '../text-limits.ts';
import { defineTool, type Show } from '../tool.ts';

const input = z.strictObject({
  status: z.enum(ISSUE_STATUSES).optional(),
  new: z.boolean().optional().describe(NEW_ISSUE),
  ...pageInput.shape,
});

const found = z.object({
  issue_id: z.string(),
  detection_type: z.string(),
  subtype: z.string(),
  severity: z.enum(SEVERITIES),
  status: z.enum(ISSUE_STATUSES),
  is_new: z.boolean().describe(NEW_ISSUE),
  count: z.number().int().describe('Detections that are not withdrawn'),
  first_seen_at: z.string(),
  last_seen_at: z.string(),
  wasted_tokens: z.number(),
  wasted_cost_usd: z.number(),
  url: z.string().describe('Opens it in the dashboard'),
  untrusted: z.object({ title: z.string(), agents: z.array(z.string()) }),
});
type Found = z.output<typeof found>;

export const listIssuesTool = defineTool({
  name: 'list_issues',
  title: 'List issues',
  description:
    'Lists failures that recur across traces, the most recent first: how often, since when, which agents, what they cost. ' +
    'list_findings with an issue_id shows the single cases.',
  input,
  output: pageOutput.extend({ issues: z.array(found) }),
  async run(backend, { limit, cursor, status, ...filters }) {
    const page = await backend.call(listIssuesOperation, {
      tenant_id: await backend.tenantId(),
      status,
      new: filters.new,
      sort: 'last_seen',
      ...pageQueryOf({ limit, cursor }),
    });
    const pages = await backend.pages();
    return {
      head: pageHead(page, 'issues', 'most recent first'),
      data: {
        total: page.total,
        next_cursor: page.next_cursor,
        issues: page.items.map((item) => toFound(item, pages)),
      },
      dataIs: 'data from traces',
      lines: ({ issues }, show) => issues.map((issue) => lineOf(issue, show)),
      next: pageNext(page, 'list_issues'),
    };
  },
});

function toFound(issue: IssueRecord, pages: WebAddress): Found {
  return {
    issue_id: issue.issue_id,
    detection_type: issue.detection_type,
    subtype: issue.subtype,
    severity: issue.severity,
    status: issue.status,
    is_new: issue.is_new,
    count: issue.count,
    first_seen_at: issue.first_seen_at,
    last_seen_at: issue.last_seen_at,
    wasted_tokens: issue.wasted_tokens,
    wasted_cost_usd: issue.wasted_cost_usd,
    url: pages.issue(issue.issue_id),
    untrusted: { title: name(issue.title), agents: names(issue.affected_agents) },
  };
}

function lineOf(issue: Found, show: Show): string {
  const { title, agents } = issue.untrusted;
  const facts = [
    `${issue.severity} ${issue.detection_type}/${issue.subtype}`,
    issue.is_new ? `${issue.status}, new` : issue.status,
    counted(issue.count, 'detection'),
    `${issue.first_seen_at} to ${issue.last_seen_at}`,
    ...(issue.wasted_tokens > 0 ? [`wasted ${count(issue.wasted_tokens)} tokens`] : []),
    ...(issue.wasted_cost_usd > 0 ? [`wasted ${dollars(issue.wasted_cost_usd)}`] : []),
    ...(agents.length > 0 ? [`agents: ${agents.map(show).join(', ')}`] : []),
    issue.url,
  ];
  return `- ${issue.issue_id} "${show(title)}": ${facts.join(' · ')}`;
}
