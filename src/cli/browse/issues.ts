import {
  getIssueOperation,
  listIssuesOperation,
  muteIssueOperation,
  snoozeIssueOperation,
  unmuteIssueOperation,
} from '../../features/issues/issue.operations.ts';
import type { IssueRecord } from '../../features/issues/issue.service.ts';
import type { CommandContext } from '../context.ts';
import { count, wasteText } from '../views/amounts.ts';
import { facts } from '../views/facts.ts';
import type { Style } from '../views/style.ts';
import type { Column } from '../views/table.ts';
import type { PageFlags } from './page-flags.ts';
import { pageInput } from './page-flags.ts';
import { printPage } from './print-page.ts';

export interface IssueListFlags extends PageFlags {
  status?: 'open' | 'resolved' | 'ignored';
}

export async function listIssues(context: CommandContext, flags: IssueListFlags): Promise<void> {
  const backend = await context.backend();
  const page = await backend.call(listIssuesOperation, {
    tenant_id: await backend.tenantId(),
    ...pageInput(flags),
    status: flags.status,
  });
  printPage(context, page, issueColumns(context.style), 'issues');
}

export async function showIssue(context: CommandContext, issueId: string): Promise<void> {
  const backend = await context.backend();
  const issue = await backend.call(getIssueOperation, { tenant_id: await backend.tenantId(), issue_id: issueId });
  printIssue(context, issue);
}

export async function muteIssue(context: CommandContext, issueId: string): Promise<void> {
  const backend = await context.backend();
  const address = { tenant_id: await backend.tenantId(), issue_id: issueId };
  printIssue(context, await backend.call(muteIssueOperation, address));
}

export async function snoozeIssue(context: CommandContext, issueId: string, until: string): Promise<void> {
  const backend = await context.backend();
  const input = { tenant_id: await backend.tenantId(), issue_id: issueId, until };
  printIssue(context, await backend.call(snoozeIssueOperation, input));
}

export async function unmuteIssue(context: CommandContext, issueId: string): Promise<void> {
  const backend = await context.backend();
  const address = { tenant_id: await backend.tenantId(), issue_id: issueId };
  printIssue(context, await backend.call(unmuteIssueOperation, address));
}

function printIssue(context: CommandContext, issue: IssueRecord): void {
  if (context.options.isJson) context.print.json(issue);
  else context.print.data(facts(issueFacts(issue), context.style));
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
    { title: 'count', text: (issue) => count(issue.count), align: 'right' },
    { title: 'status', text: (issue) => issue.status },
    { title: 'last seen', text: (issue) => issue.last_seen_at },
    { title: 'issue', text: (issue) => issue.issue_id },
  ];
}

function issueFacts(issue: IssueRecord): [string, string][] {
  return [
    ['issue', issue.issue_id],
    ['title', issue.title],
    ['failure', `${issue.detection_type}/${issue.subtype}`],
    ['severity', issue.severity],
    ['status', issue.status],
    ['alerts', alertsAbout(issue)],
    ['count', count(issue.count)],
    ['agents', issue.affected_agents.join(', ') || '–'],
    ['first seen', issue.first_seen_at],
    ['last seen', issue.last_seen_at],
    ['wasted', wasteText(issue) || 'unknown or none'],
  ];
}

function alertsAbout({ muted_at, snoozed_until }: IssueRecord): string {
  if (muted_at !== null) return `muted since ${muted_at}`;
  return snoozed_until === null ? 'on' : `snoozed until ${snoozed_until}`;
}
