import type { Clock } from '../../core/clock.ts';
import type { Detection } from '../../core/detection.ts';
import { newId, type Random } from '../../core/id.ts';
import type { JsonObject } from '../../core/json.ts';
import { maxSeverity, type Severity } from '../../core/severity.ts';
import type { TraceStatus } from '../../core/trace.ts';
import { identityKey } from '../../detectors/_kit/second-opinion.ts';
import type { Db } from '../../store/connection.ts';
import { insertDetection, updateDetection } from '../../store/detection.store.ts';
import { insertIssue, readIssue, readIssueByFingerprint, updateIssue } from '../../store/issue.store.ts';
import { addToOutbox } from '../../store/outbox.store.ts';
import type { DetectionTable, IssueTable } from '../../store/schema.ts';
import { isMarkedFalse, isReported } from './counted.ts';
import { resolveEmptyIssue } from './issue-status.ts';
import { qualityScore } from './quality.ts';

export interface TraceKey {
  tenantNo: number;
  traceId: string;
}

export interface AnalysedTrace extends TraceKey {
  /** Null where the trace is no conversation. */
  conversationId: string | null;
  /** Detectors that crashed or were cut off: what they found before stands until they can look again. */
  unheard?: ReadonlySet<string>;
  /** Whether what is new may alert people. */
  isAlerting: boolean;
  /** Until when alerts about a finding wait for a model's answer, by the finding's identity. */
  awaited?: ReadonlyMap<string, number>;
}

export interface DetectionFigures {
  /**
   * What was found now, and before by detectors that failed or were cut off now; without observations and without what a
   * user has marked as false.
   */
  counted: Detection[];
  maxSeverity: Severity | null;
  qualityScore: number | null;
  /** New, back, or risen from an observation; nothing that a user has marked as false. */
  announced: Detection[];
  /** The same, in the words of the event. */
  announcements: JsonObject[];
  issues: IssueChange[];
}

/** What an analysis changed of an issue. */
export interface IssueChange {
  change: 'created' | 'regressed' | 'updated';
  traceId: string;
  issue: Pick<IssueTable, 'issue_id' | 'detection_type' | 'subtype' | 'agent_id' | 'title' | 'severity' | 'status'>;
}

/** Brings the stored detections of a trace in line with what was just found. */
export type DetectionSaver = (
  db: Db,
  trace: AnalysedTrace,
  detections: readonly Detection[],
  summary: { status: TraceStatus },
  /** What is stored of the trace now, withdrawn ones too. */
  storedRows: readonly DetectionTable[],
) => Promise<DetectionFigures>;

/**
 * Identity is trace + type + subtype + first span: what is found again keeps its id and its validation, what is no longer
 * found by a detector that could look is withdrawn, and only what is new, came back or was an observation before is announced.
 * What a user has marked as false keeps that mark: it is stored, but neither counted nor announced.
 */
export function createDetectionSaver(clock: Clock, random: Random): DetectionSaver {
  return async (db, trace, detections, summary, storedRows) => {
    const now = clock.now();
    const announced: Detection[] = [];
    const announcements: JsonObject[] = [];
    const issues: IssueChange[] = [];
    const stored = new Map(storedRows.map((row) => [identityOfRow(row), row]));
    for (const detection of detections) {
      const row = stored.get(identityOf(detection));
      stored.delete(identityOf(detection));
      if (row) await keep(row, detection);
      else await add(detection);
    }
    const lost = [...stored.values()].filter((row) => row.withdrawn_at === null);
    const isHeard = (row: DetectionTable) => !trace.unheard?.has(row.detection_type);
    for (const row of lost.filter(isHeard)) await withdraw(row);
    const kept = lost.filter((row) => !isHeard(row) && !isMarkedFalse(row));
    const falseKeys = new Set(storedRows.filter(isMarkedFalse).map(identityOfRow));
    const counted = [
      ...detections.filter((detection) => !falseKeys.has(identityOf(detection))),
      ...kept.map(({ body }) => JSON.parse(body) as Detection),
    ].filter(({ severity }) => isReported(severity));

    async function keep(row: DetectionTable, detection: Detection): Promise<void> {
      // What was only an observation was kept from the alerts, so its rise is news.
      const hasRisen = row.severity === 'observation' && detection.severity !== 'observation';
      const isFalse = isMarkedFalse(row);
      const isBack = (row.withdrawn_at !== null || hasRisen) && !isFalse;
      const isNewInIssue = isBack || (row.fingerprint !== detection.fingerprint && !isFalse);
      const issueId = await recordInIssue(detection, isNewInIssue);
      const columns = toColumns(detection, issueId);
      await updateDetection(db, trace.tenantNo, row.detection_id, {
        ...columns,
        conversation_id: trace.conversationId,
        withdrawn_at: null,
        updated_at: now,
      });
      // What has become an observation belongs to no issue any more.
      if (row.issue_id !== issueId) await resolveIfEmpty(row.issue_id);
      if (isFalse) await resolveIfEmpty(issueId);
      if (isBack) await announce(row.detection_id, detection, issueId);
    }

    async function add(detection: Detection): Promise<void> {
      const detectionId = newId('det', clock, random);
      const issueId = await recordInIssue(detection, true);
      await insertDetection(db, {
        tenant_no: trace.tenantNo,
        detection_id: detectionId,
        trace_id: trace.traceId,
        conversation_id: trace.conversationId,
        detection_type: detection.type,
        subtype: detection.subtype,
        first_span_id: detection.spanIds[0] ?? '',
        ...toColumns(detection, issueId),
        validated: 0,
        is_valid: null,
        feedback: null,
        validated_at: null,
        feedback_id: null,
        applied_fixes: null,
        withdrawn_at: null,
        created_at: now,
        updated_at: now,
      });
      await announce(detectionId, detection, issueId);
    }

    async function withdraw(row: DetectionTable): Promise<void> {
      await updateDetection(db, trace.tenantNo, row.detection_id, { withdrawn_at: now, updated_at: now });
      await resolveIfEmpty(row.issue_id);
    }

    async function resolveIfEmpty(issueId: string | null): Promise<void> {
      if (!(await resolveEmptyIssue(db, trace.tenantNo, issueId, now))) return;
      const issue = await readIssue(db, trace.tenantNo, issueId as string);
      if (issue !== null) issues.push({ change: 'updated', traceId: trace.traceId, issue });
    }

    /** @returns the issue's id; an observation belongs to none */
    async function recordInIssue(detection: Detection, isNew: boolean): Promise<string | null> {
      if (detection.severity === 'observation') return null;
      const issue = await readIssueByFingerprint(db, trace.tenantNo, detection.fingerprint);
      if (issue) {
        const reopened = isNew && issue.status === 'resolved' ? { status: 'open', resolved_at: null } : {};
        const severity = maxSeverity([issue.severity as Severity, detection.severity]) ?? detection.severity;
        const seen = isNew ? { ...reopened, last_seen_at: now } : {};
        if (isNew || severity !== issue.severity) {
          await updateIssue(db, trace.tenantNo, issue.issue_id, { ...seen, severity });
          const change = 'status' in reopened ? 'regressed' : 'updated';
          issues.push({ change, traceId: trace.traceId, issue: { ...issue, ...reopened, severity } });
        }
        return issue.issue_id;
      }
      const issueId = newId('iss', clock, random);
      const created: IssueTable = {
        tenant_no: trace.tenantNo,
        issue_id: issueId,
        fingerprint: detection.fingerprint,
        detection_type: detection.type,
        subtype: detection.subtype,
        agent_id: detection.agent,
        title: detection.title,
        severity: detection.severity,
        status: 'open',
        first_seen_at: now,
        last_seen_at: now,
        resolved_at: null,
        muted_at: null,
        snoozed_until: null,
      };
      await insertIssue(db, created);
      issues.push({ change: 'created', traceId: trace.traceId, issue: created });
      return issueId;
    }

    async function announce(detectionId: string, detection: Detection, issueId: string | null): Promise<void> {
      announced.push(detection);
      const { type, subtype, severity, confidence, agent, title } = detection;
      const payload = {
        detection_id: detectionId,
        trace_id: trace.traceId,
        issue_id: issueId,
        type,
        subtype,
        severity,
        confidence,
        agent,
        title,
        alert: trace.isAlerting,
      };
      announcements.push(payload);
      await addToOutbox(db, {
        tenantNo: trace.tenantNo,
        outboxId: newId('out', clock, random),
        kind: 'detection.created',
        traceId: trace.traceId,
        payload: JSON.stringify(payload),
        createdAt: now,
        deliverAfter: trace.awaited?.get(identityOf(detection)),
      });
    }

    return {
      counted,
      maxSeverity: maxSeverity(counted.map((detection) => detection.severity)),
      qualityScore: qualityScore(summary.status, counted),
      announced,
      announcements,
      issues,
    };
  };
}

function identityOf(detection: Detection): string {
  return identityKey(detection.type, detection.subtype, detection.spanIds[0] ?? '');
}

function identityOfRow(row: DetectionTable): string {
  return identityKey(row.detection_type, row.subtype, row.first_span_id);
}

function toColumns(detection: Detection, issueId: string | null) {
  return {
    agent_id: detection.agent,
    step: detection.step,
    confidence: detection.confidence,
    severity: detection.severity,
    tier: detection.tier,
    is_calibrated: detection.isCalibrated ? 1 : 0,
    fingerprint: detection.fingerprint,
    issue_id: issueId,
    wasted_tokens: detection.wastedTokens,
    wasted_cost_usd: detection.wastedCostUsd,
    body: JSON.stringify(detection),
  };
}
