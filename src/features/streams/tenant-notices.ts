import { toRfc3339 } from '../../core/clock.ts';
import type { JsonObject } from '../../core/json.ts';
import type { ImportJobTable } from '../../store/background.schema.ts';
import type { HealingOperationTable } from '../../store/healing-tables.ts';
import type { TouchedTrace } from '../../store/trace.store.ts';
import type { SavedAnalyses } from '../analysis/save-analyses.ts';
import type { IssueChange } from '../detections/issue-recorder.ts';
import { alertItemsOf, type SentAlert, toAlertedDetection } from '../integrations/detection-events.ts';
import type { TenantEvents } from './tenant-events.ts';

/** Publishes commits as events of the tenant's stream, whatever their source. */
export class TenantNotices {
  readonly #events: Pick<TenantEvents, 'record'>;

  constructor(events: Pick<TenantEvents, 'record'>) {
    this.#events = events;
  }

  runsTouched(runs: readonly TouchedTrace[]): void {
    for (const run of runs) {
      const { tenantNo, traceId, name, framework, status, spanCount, startedAt } = run;
      const data = { trace_id: traceId, name, framework, status, span_count: spanCount };
      const event = run.isNew ? 'execution.started' : 'execution.updated';
      this.#events.record(tenantNo, event, traceId, { ...data, started_at: toRfc3339(startedAt) });
    }
  }

  analysesSaved(tenantNo: number, { runs, announced, issues }: SavedAnalyses): void {
    for (const { row, wasSettled } of runs) {
      const hasFinished = !wasSettled && row.is_settled === 1 && row.status !== 'running';
      this.#events.record(tenantNo, hasFinished ? 'execution.finished' : 'execution.updated', row.trace_id, {
        trace_id: row.trace_id,
        name: row.name,
        framework: row.framework,
        status: row.status,
        span_count: row.span_count,
        started_at: toRfc3339(row.started_at),
        detection_count: row.detection_count,
        max_severity: row.max_severity,
      });
    }
    for (const { payload } of announced) {
      const { alert: _, ...data } = payload;
      this.#events.record(tenantNo, 'detection.created', String(payload.detection_id), data);
    }
    for (const change of issues) this.issueChanged(tenantNo, change);
  }

  /** @param traceId the run that changed it; null if a person did */
  issueChanged(
    tenantNo: number,
    { change, traceId, issue }: Omit<IssueChange, 'traceId'> & { traceId: string | null },
  ) {
    const { issue_id, detection_type, subtype, agent_id, title, severity, status } = issue;
    const data: JsonObject = { issue_id, detection_type, subtype, agent_id, title, severity, status };
    this.#events.record(tenantNo, `issue.${change}`, issue_id, { ...data, trace_id: traceId });
  }

  /** A person changed its status. */
  readonly issueTriaged = (tenantNo: number, issue: IssueChange['issue']): void =>
    this.issueChanged(tenantNo, { change: 'updated', traceId: null, issue });

  alertSent(tenantNo: number, { messageId, channel, content }: SentAlert): void {
    const items = alertItemsOf(content).map(toAlertedDetection);
    const data = { message_id: messageId, kind: content.kind, channel, items };
    this.#events.record(tenantNo, 'alert.sent', `${messageId} ${channel}`, data);
  }

  healingChanged(row: HealingOperationTable, { isNew = false } = {}): void {
    const { tenant_no, operation_id, detection_id, fix_id, fix_type, title, status, error } = row;
    const data = { operation_id, detection_id, fix_id, fix_type, title, status, error };
    this.#events.record(tenant_no, isNew ? 'healing.created' : 'healing.updated', operation_id, data);
  }

  importChanged(row: ImportJobTable, { isNew = false } = {}): void {
    const { tenant_no, import_job_id, status, file_name, bytes_total, bytes_done, records_done, records_failed } = row;
    const done = { bytes_total, bytes_done, records_done, records_failed, failure: row.failure };
    const data = { import_job_id, status, file_name, ...done };
    this.#events.record(tenant_no, isNew ? 'import.created' : 'import.updated', import_job_id, data);
  }
}
