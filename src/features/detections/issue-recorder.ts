import type { Detection } from '../../core/detection.ts';
import { maxSeverity, type Severity } from '../../core/severity.ts';
import type { Db } from '../../store/connection.ts';
import { insertIssue, readIssue, readIssueByFingerprint, updateIssue } from '../../store/issue.store.ts';
import type { IssueTable } from '../../store/schema.ts';
import { afterOccurrence, type Occurrence, OPEN } from '../issues/triage.ts';
import { issueFingerprint } from './issue-scope.ts';
import { resolveEmptyIssue } from './issue-status.ts';
import { separateIssue } from './separate-issue.ts';

export interface SeenTrace {
  tenantNo: number;
  traceId: string;
  /** Sender of the trace, which separates issues (issueScopeOf). */
  scope: string | null;
  /** End of its last span, Unix milliseconds. */
  seenAt: number;
}

/** What an analysis changed of an issue. */
export interface IssueChange {
  change: 'created' | 'regressed' | 'updated';
  traceId: string;
  issue: Pick<IssueTable, 'issue_id' | 'detection_type' | 'subtype' | 'agent_id' | 'title' | 'severity' | 'status'>;
}

/** Records the detections of one trace in their issues, and what changed by that. */
export class IssueRecorder {
  readonly changes: IssueChange[] = [];
  readonly #db: Db;
  readonly #trace: SeenTrace;
  readonly #now: number;
  readonly #newId: (prefix: string) => string;
  /** Issues for which this run was counted. */
  readonly #counted: Set<string>;

  /** @param known issues of which the run had a detection before */
  constructor(
    db: Db,
    trace: SeenTrace,
    now: number,
    { newId, known }: { newId: (prefix: string) => string; known: Iterable<string> },
  ) {
    this.#db = db;
    this.#trace = trace;
    this.#now = now;
    this.#newId = newId;
    this.#counted = new Set(known);
  }

  /**
   * @param isNew it was not in the issue before: an issue that is resolved or ignored may be opened again
   * @returns the issue's id; an observation belongs to none
   */
  async record(detection: Detection, isNew: boolean): Promise<string | null> {
    if (detection.severity === 'observation') return null;
    const issue = await this.#find(detection.fingerprint);
    if (!issue) return this.#create(detection);
    await this.#update(issue, detection, isNew);
    return issue.issue_id;
  }

  /** The issue of the trace's sender. An issue from before issues had a scope is separated first. */
  async #find(fingerprint: string): Promise<IssueTable | null> {
    const { tenantNo, scope } = this.#trace;
    const scoped = issueFingerprint(fingerprint, scope);
    const issue = await readIssueByFingerprint(this.#db, tenantNo, scoped);
    if (issue !== null || scope === null) return issue;
    const common = await readIssueByFingerprint(this.#db, tenantNo, fingerprint);
    if (common === null) return null;
    await separateIssue(this.#db, common, this.#newId);
    return readIssueByFingerprint(this.#db, tenantNo, scoped);
  }

  async resolveIfEmpty(issueId: string | null): Promise<void> {
    const { tenantNo } = this.#trace;
    if (!(await resolveEmptyIssue(this.#db, tenantNo, issueId, this.#now))) return;
    const issue = await readIssue(this.#db, tenantNo, issueId as string);
    if (issue !== null) this.#recordChange('updated', issue);
  }

  async #update(issue: IssueTable, detection: Detection, isNew: boolean): Promise<void> {
    const severity = maxSeverity([issue.severity as Severity, detection.severity]) ?? detection.severity;
    if (!isNew && severity === issue.severity) return;
    const triage = isNew ? afterOccurrence(issue, this.#occurrenceOf(issue.issue_id), this.#now) : null;
    const seen = isNew ? { ...triage, last_seen_at: this.#now } : {};
    await updateIssue(this.#db, this.#trace.tenantNo, issue.issue_id, { ...seen, severity });
    const hasRegressed = triage !== null && triage.regressed_at !== null;
    this.#recordChange(hasRegressed ? 'regressed' : 'updated', { ...issue, ...triage, severity });
  }

  /** A run counts once for each issue, however often it is analyzed and however many detections it has. */
  #occurrenceOf(issueId: string): Occurrence {
    const isNewRun = !this.#counted.has(issueId);
    this.#counted.add(issueId);
    return { seenAt: this.#trace.seenAt, isNewRun };
  }

  async #create(detection: Detection): Promise<string> {
    const created: IssueTable = {
      tenant_no: this.#trace.tenantNo,
      issue_id: this.#newId('iss'),
      fingerprint: issueFingerprint(detection.fingerprint, this.#trace.scope),
      detection_type: detection.type,
      subtype: detection.subtype,
      agent_id: detection.agent,
      title: detection.title,
      severity: detection.severity,
      ...OPEN,
      triaged_at: null,
      first_seen_at: this.#now,
      last_seen_at: this.#now,
    };
    await insertIssue(this.#db, created);
    this.#recordChange('created', created);
    return created.issue_id;
  }

  #recordChange(change: IssueChange['change'], issue: IssueChange['issue']): void {
    this.changes.push({ change, traceId: this.#trace.traceId, issue });
  }
}
