import type { AlertContent, AlertGroup, AlertItem } from '../../core/alert.ts';
import type { Detection, DetectionType } from '../../core/detection.ts';
import { placeOfDetection } from '../../core/detection-place.ts';
import { plainLine, shortenLine } from '../../core/plain-text.ts';
import { SEVERITIES, type Severity } from '../../core/severity.ts';
import type { WebAddress } from '../../core/web-address.ts';
import { basisOf } from '../../detectors/_runner/maturity-limit.ts';
import type { AlertTable, DetectionTable } from '../../store/schema.ts';

/** Maximum length of texts and names in a message; channels show less. */
const MAX_CHARACTERS = 2_000;
const MAX_NAME_CHARACTERS = 200;
const MAX_GROUPS = 50;

export function toItem(row: DetectionTable, webAddress: Pick<WebAddress, 'trace'>): AlertItem {
  const detection = JSON.parse(row.body) as Detection;
  const { title, explanation, suggestedAction } = detection;
  const basis = basisOf(detection);
  return {
    detectionId: row.detection_id,
    traceId: row.trace_id,
    issueId: row.issue_id,
    type: row.detection_type as DetectionType,
    subtype: row.subtype,
    severity: row.severity as Severity,
    confidence: row.confidence,
    isCalibrated: basis === 'calibrated',
    isFact: basis === 'fact',
    agent: row.agent_id === null ? null : shortenLine(plainLine(row.agent_id), MAX_NAME_CHARACTERS),
    title: shortenLine(plainLine(title), MAX_NAME_CHARACTERS),
    explanation: shortenLine(plainLine(explanation), MAX_CHARACTERS),
    suggestedAction: shortenLine(plainLine(suggestedAction), MAX_CHARACTERS),
    detectedAt: row.updated_at,
    url: webAddress.trace(placeOfDetection({ ...detection, traceId: row.trace_id, detectionId: row.detection_id })),
  };
}

/** Detections with the same key count as repeats of each other. */
export function foldKeyOf({ issueId, type, subtype, agent }: AlertItem): string {
  return issueId ?? `${type}/${subtype}/${agent ?? ''}`;
}

export function itemOf(row: Pick<AlertTable, 'item'>): AlertItem {
  return { url: null, ...(JSON.parse(row.item) as Omit<AlertItem, 'url'>) };
}

/** The message of one alert. */
export function contentOf(row: AlertTable): AlertContent {
  const item = itemOf(row);
  if (row.kind === 'detection') return { kind: 'alert', item };
  if (row.kind === 'withdrawal') return { kind: 'withdrawal', item };
  return {
    kind: 'follow_up',
    item,
    repeats: row.repeats,
    from: row.folded_from ?? row.created_at,
    until: row.created_at,
  };
}

/** One message for many alerts: most severe and most frequent first. */
export function digestOf(rows: readonly AlertTable[], now: number): AlertContent {
  const byKey = Map.groupBy(rows, (row) => foldKeyOf(itemOf(row)));
  const groups = [...byKey.values()].map(toGroup).sort(mostSevereFirst);
  return {
    kind: 'digest',
    groups: groups.slice(0, MAX_GROUPS),
    total: groups.reduce((sum, group) => sum + group.count, 0),
    groupTotal: groups.length,
    from: Math.min(...rows.map((row) => row.created_at)),
    until: now,
  };
}

function toGroup(rows: readonly AlertTable[]): AlertGroup {
  const items = rows.map(itemOf).sort((one, other) => rank(one) - rank(other));
  // A follow-up counts as its number of repeats, any other alert as one.
  const count = rows.reduce((sum, row) => sum + Math.max(1, row.repeats), 0);
  return { item: items[0] as AlertItem, count };
}

function mostSevereFirst(one: AlertGroup, other: AlertGroup): number {
  return rank(one.item) - rank(other.item) || other.count - one.count;
}

function rank({ severity }: AlertItem): number {
  return SEVERITIES.indexOf(severity);
}
