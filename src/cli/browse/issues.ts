import { AppError } from '../../core/app-error.ts';
import type { DetectionType } from '../../core/detection.ts';
import type { Severity } from '../../core/severity.ts';
import {
  changeIssuesOperation,
  getIssueOperation,
  listIssuesOperation,
} from '../../features/issues/issue.operations.ts';
import type { IssueRecord } from '../../features/issues/issue.record.ts';
import type { CommandContext } from '../context.ts';
import { count, counted, wasteText } from '../views/amounts.ts';
import { facts } from '../views/facts.ts';
import { fixOutcomeText } from '../views/fix-outcome-text.ts';
import { printableLine } from '../views/printable.ts';
import type { Style } from '../views/style.ts';
import type { Column } from '../views/table.ts';
import { type PageFlags, pageInput } from './page-flags.ts';
import { printPage } from './print-page.ts';

export interface IssueListFlags extends PageFlags {
  status?: 'open' | 'resolved' | 'ignored' | 'snoozed';
  type?: DetectionType;
  subtype?: string;
  agent?: string;
  service?: string;
  workflow?: string;
  severity?: Severity;
  regressed?: boolean;
  new?: boolean;
  search?: string;
  sort: 'impact' | 'last_seen' | 'first_seen' | 'runs' | 'cost';
}

export interface IgnoreFlags {
  until?: string;
  runs?: number;
}

export async function listIssues(context: CommandContext, flags: IssueListFlags): Promise<void> {
  const backend = await context.backend();
  const { status, type, subtype, agent, service, workflow, severity, regressed, search, sort } = flags;
  const page = await backend.call(listIssuesOperation, {
    tenant_id: await backend.tenantId(),
    ...pageInput(flags),
    ...{ status, type, subtype, agent, service, workflow_id: workflow, severity, regressed },
    ...{ new: flags.new, q: search, sort },
  });
  const pages = await backend.pages();
  printPage(context, page, issueColumns(context.style), 'issues', ({ issue_id }) => pages.issue(issue_id));
}

export async function showIssue(context: CommandContext, issueId: string): Promise<void> {
  const backend = await context.backend();
  const issue = await backend.call(getIssueOperation, { tenant_id: await backend.tenantId(), issue_id: issueId });
  const url = (await backend.pages()).issue(issueId);
  if (context.options.isJson) context.print.json({ ...issue, url });
  else context.print.data(facts([...issueFacts(issue), ['open', url]], context.style));
}

export interface IssueChange extends IgnoreFlags {
  action: 'resolve' | 'ignore' | 'snooze' | 'reopen';
}

/** @throws AppError `not_found` for an unknown id, after all other issues were changed */
export async function changeIssues(
  context: CommandContext,
  issueIds: readonly string[],
  { action, until, runs }: IssueChange,
): Promise<undefined> {
  const { print, options } = context;
  const backend = await context.backend();
  const tenant_id = await backend.tenantId();
  const { items } = await backend.call(changeIssuesOperation, {
    tenant_id,
    issue_ids: [...issueIds],
    action,
    until,
    runs,
  });
  if (options.isJson) print.json({ items });
  else
    for (const { issue } of items)
      if (issue !== null) print.data(`${issue.issue_id}  ${statusText(issue)}  ${printableLine(issue.title)}\n`);
  const unknown = items.filter(({ outcome }) => outcome === 'not_found').map(({ issue_id }) => issue_id);
  if (unknown.length > 0)
    throw new AppError('not_found', `There is no ${unknown.length === 1 ? 'issue' : 'issues'} ${unknown.join(', ')}.`);
}

function issueColumns(style: Style): Column<IssueRecord>[] {
  return [
    {
      title: 'severity',
      text: ({ severity }) => severity,
      paint: ({ severity }, text) => style.severity(severity, text),
    },
    { title: 'failure', text: (issue) => `${issue.detection_type}/${issue.subtype}` },
    { title: 'title', text: (issue) => issue.title, limit: 48 },
    { title: 'agents', text: (issue) => issue.affected_agents.join(', ') || '–', limit: 32 },
    { title: 'workflow', text: (issue) => workflowNames(issue).join(', ') || '–', limit: 24 },
    { title: 'runs', text: (issue) => count(issue.run_count), align: 'right' },
    { title: 'status', text: shortStatus },
    { title: 'last detected', text: (issue) => issue.last_seen_at },
    { title: 'issue', text: (issue) => issue.issue_id },
  ];
}

function shortStatus(issue: IssueRecord): string {
  if (issue.status === 'snoozed') return `snoozed ${limitText(issue)}`;
  if (issue.status !== 'open') return issue.status;
  if (issue.regressed_at !== null) return 'regressed';
  return issue.is_new ? 'new' : 'open';
}

function issueFacts(issue: IssueRecord): [string, string][] {
  return [
    ['issue', issue.issue_id],
    ['title', issue.title],
    ['failure', `${issue.detection_type}/${issue.subtype}`],
    ['severity', issue.severity],
    ['status', statusText(issue)],
    ['detections', count(issue.count)],
    ['runs', `${count(issue.run_count)}, ${count(recentRuns(issue))} in the last 14 days`],
    ['agents', issue.affected_agents.join(', ') || '–'],
    ['workflows', issue.affected_workflows.map(workflowText).join(', ') || '–'],
    ['services', serviceNames(issue).join(', ') || '–'],
    ['first detected', issue.first_seen_at],
    ['last detected', issue.last_seen_at],
    ['first run', issue.first_run_at ?? '–'],
    ['last run', issue.last_run_at ?? '–'],
    ['wasted', wasteText(issue) || 'unknown or none'],
    ...issue.plans.map(({ title, status, operation_id }): [string, string] => [
      'plan',
      `${title} (${status}, ${operation_id})`,
    ]),
    ['since the fix', issue.fix_outcome === null ? '–' : fixOutcomeText(issue.fix_outcome)],
    ['example', issue.example_detection_id ?? '–'],
    ['explanation', issue.example_explanation ?? '–'],
  ];
}

function workflowNames({ affected_workflows }: IssueRecord): string[] {
  return [...new Set(affected_workflows.map(({ name }) => name))];
}

function serviceNames({ affected_workflows }: IssueRecord): string[] {
  return [...new Set(affected_workflows.flatMap(({ service_name }) => (service_name === null ? [] : [service_name])))];
}

function workflowText({ name, workflow_id }: IssueRecord['affected_workflows'][number]): string {
  return `${name} (${workflow_id})`;
}

function recentRuns({ runs_by_day }: IssueRecord): number {
  return runs_by_day.reduce((sum, runs) => sum + runs, 0);
}

function statusText(issue: IssueRecord): string {
  if (issue.status === 'resolved')
    return `resolved at ${issue.resolved_at}${issue.resolved_by === null ? '' : ` by ${issue.resolved_by}`}`;
  if (issue.status === 'ignored' || issue.status === 'snoozed') return `${issue.status} ${limitText(issue)}`;
  if (issue.regressed_at !== null) return `open, regressed at ${issue.regressed_at}`;
  return issue.is_new ? 'open, new' : 'open';
}

function limitText({ ignored_until, ignored_runs_left }: IssueRecord): string {
  const limits = [
    ...(ignored_until === null ? [] : [`until ${ignored_until}`]),
    ...(ignored_runs_left === null ? [] : [`for ${counted(ignored_runs_left, 'more run')}`]),
  ];
  return limits.join(' or ') || 'until it is reopened';
}
