import type { Clock } from '../../core/clock.ts';
import type { Detection } from '../../core/detection.ts';
import { newId, type Random } from '../../core/id.ts';
import type { JsonObject } from '../../core/json.ts';
import { maxSeverity, type Severity } from '../../core/severity.ts';
import type { TraceStatus } from '../../core/trace.ts';
import { identityKey } from '../../detectors/_runner/second-opinion.ts';
import type { Db } from '../../store/connection.ts';
import { insertDetection, updateDetection } from '../../store/detection.store.ts';
import { addToOutbox } from '../../store/outbox.store.ts';
import type { DetectionTable } from '../../store/schema.ts';
import { isMarkedFalse, isReported } from './counted.ts';
import { type IssueChange, IssueRecorder, type SeenTrace } from './issue-recorder.ts';
import { qualityScore } from './quality.ts';

export interface AnalyzedTrace extends SeenTrace {
  /** Null if the trace is not a conversation. */
  conversationId: string | null;
  /** Detectors that crashed or timed out: their previous detections are kept until they run again. */
  failedDetectors?: ReadonlySet<string>;
  /** Whether new detections may trigger alerts. */
  isAlerting: boolean;
  /** End of the wait of alerts for a model's answer, by the identity of the detection. */
  deliverAfterByKey?: ReadonlyMap<string, number>;
}

export interface DetectionFigures {
  /**
   * Detections of this analysis, and earlier ones of detectors that failed now; without observations and without those
   * marked as false.
   */
  counted: Detection[];
  maxSeverity: Severity | null;
  qualityScore: number | null;
  /** New, returned, or upgraded from an observation; without those that a user marked as false. */
  announced: Detection[];
  /** The same as event data. */
  announcements: JsonObject[];
  issues: IssueChange[];
}

/** Updates the stored detections of a trace to the result of an analysis. */
export type DetectionSaver = (
  db: Db,
  trace: AnalyzedTrace,
  detections: readonly Detection[],
  summary: { status: TraceStatus },
  /** The trace's stored detections, including withdrawn ones. */
  storedRows: readonly DetectionTable[],
) => Promise<DetectionFigures>;

/**
 * Identity is trace + type + subtype + first span: a detection that is found again keeps its id and its validation, one that
 * a completed detector no longer finds is withdrawn, and only a new, returned or upgraded one is announced.
 * A detection marked as false keeps that mark: it is stored, but neither counted nor announced.
 */
export function createDetectionSaver(clock: Clock, random: Random): DetectionSaver {
  return (db, trace, detections, summary, storedRows) =>
    new DetectionUpdate({ db, trace, clock, random, storedRows }).apply(detections, summary);
}

/** One update of the stored detections of one trace. */
class DetectionUpdate {
  readonly #db: Db;
  readonly #trace: AnalyzedTrace;
  readonly #now: number;
  readonly #newId: (prefix: string) => string;
  readonly #issues: IssueRecorder;
  readonly #announced: Detection[] = [];
  readonly #announcements: JsonObject[] = [];

  readonly #storedRows: readonly DetectionTable[];

  constructor({
    db,
    trace,
    clock,
    random,
    storedRows,
  }: {
    db: Db;
    trace: AnalyzedTrace;
    clock: Clock;
    random: Random;
    storedRows: readonly DetectionTable[];
  }) {
    this.#db = db;
    this.#trace = trace;
    this.#now = clock.now();
    this.#newId = (prefix) => newId(prefix, clock, random);
    this.#storedRows = storedRows;
    const known = storedRows.flatMap((row) => (row.withdrawn_at === null && row.issue_id ? [row.issue_id] : []));
    this.#issues = new IssueRecorder(db, trace, this.#now, { newId: this.#newId, known });
  }

  async apply(detections: readonly Detection[], summary: { status: TraceStatus }): Promise<DetectionFigures> {
    const storedRows = this.#storedRows;
    const stored = new Map(storedRows.map((row) => [identityOfRow(row), row]));
    for (const detection of detections) {
      const row = stored.get(identityOf(detection));
      stored.delete(identityOf(detection));
      if (row) await this.#update(row, detection);
      else await this.#add(detection);
    }
    const candidates = [...stored.values()].filter((row) => row.withdrawn_at === null);
    const hasRun = (row: DetectionTable) => !this.#trace.failedDetectors?.has(row.detection_type);
    for (const row of candidates.filter(hasRun)) await this.#withdraw(row);
    const counted = countedOf(
      detections,
      storedRows,
      candidates.filter((row) => !hasRun(row)),
    );
    return {
      counted,
      maxSeverity: maxSeverity(counted.map((detection) => detection.severity)),
      qualityScore: qualityScore(summary.status, counted),
      announced: this.#announced,
      announcements: this.#announcements,
      issues: this.#issues.changes,
    };
  }

  async #update(row: DetectionTable, detection: Detection): Promise<void> {
    // An observation raises no alert, so its upgrade must be announced.
    const isUpgraded = row.severity === 'observation' && detection.severity !== 'observation';
    const isFalse = isMarkedFalse(row);
    const isActiveAgain = (row.withdrawn_at !== null || isUpgraded) && !isFalse;
    const isNewInIssue = isActiveAgain || (row.fingerprint !== detection.fingerprint && !isFalse);
    const issueId = await this.#issues.record(detection, isNewInIssue);
    await updateDetection(this.#db, this.#trace.tenantNo, row.detection_id, {
      ...toColumns(detection, issueId),
      conversation_id: this.#trace.conversationId,
      withdrawn_at: null,
      updated_at: this.#now,
    });
    // An observation belongs to no issue: the issue may have lost its last detection.
    if (row.issue_id !== issueId) await this.#issues.resolveIfEmpty(row.issue_id);
    if (isFalse) await this.#issues.resolveIfEmpty(issueId);
    if (isActiveAgain) await this.#announce(row.detection_id, detection, issueId);
  }

  async #add(detection: Detection): Promise<void> {
    const detectionId = this.#newId('det');
    const issueId = await this.#issues.record(detection, true);
    await insertDetection(this.#db, {
      tenant_no: this.#trace.tenantNo,
      detection_id: detectionId,
      trace_id: this.#trace.traceId,
      conversation_id: this.#trace.conversationId,
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
      created_at: this.#now,
      updated_at: this.#now,
    });
    await this.#announce(detectionId, detection, issueId);
  }

  async #withdraw(row: DetectionTable): Promise<void> {
    const values = { withdrawn_at: this.#now, updated_at: this.#now };
    await updateDetection(this.#db, this.#trace.tenantNo, row.detection_id, values);
    await this.#issues.resolveIfEmpty(row.issue_id);
    // An alert that was sent is followed up.
    if (!this.#trace.isAlerting || isMarkedFalse(row)) return;
    await addToOutbox(this.#db, {
      tenantNo: this.#trace.tenantNo,
      outboxId: this.#newId('out'),
      kind: 'detection.withdrawn',
      traceId: this.#trace.traceId,
      payload: JSON.stringify({ detection_id: row.detection_id }),
      createdAt: this.#now,
    });
  }

  async #announce(detectionId: string, detection: Detection, issueId: string | null): Promise<void> {
    this.#announced.push(detection);
    const { type, subtype, severity, confidence, agent, title } = detection;
    const payload = {
      detection_id: detectionId,
      trace_id: this.#trace.traceId,
      issue_id: issueId,
      type,
      subtype,
      severity,
      confidence,
      agent,
      title,
      alert: this.#trace.isAlerting,
    };
    this.#announcements.push(payload);
    await addToOutbox(this.#db, {
      tenantNo: this.#trace.tenantNo,
      outboxId: this.#newId('out'),
      kind: 'detection.created',
      traceId: this.#trace.traceId,
      payload: JSON.stringify(payload),
      createdAt: this.#now,
      deliverAfter: this.#trace.deliverAfterByKey?.get(identityOf(detection)),
    });
  }
}

/**
 * What counts for the trace: found now, or earlier by a detector that did not finish now; without those that a user
 * marked as false.
 */
function countedOf(
  detections: readonly Detection[],
  storedRows: readonly DetectionTable[],
  kept: readonly DetectionTable[],
): Detection[] {
  const falseKeys = new Set(storedRows.filter(isMarkedFalse).map(identityOfRow));
  return [
    ...detections.filter((detection) => !falseKeys.has(identityOf(detection))),
    ...kept.filter((row) => !isMarkedFalse(row)).map(({ body }) => JSON.parse(body) as Detection),
  ].filter(({ severity }) => isReported(severity));
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
