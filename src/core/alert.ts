import type { DetectionType } from './detection.ts';
import type { Severity } from './severity.ts';

/** Destinations of alerts, in display order. */
export const ALERT_CHANNELS = ['team_chat', 'community_chat', 'email', 'webhook'] as const;
export type AlertChannel = (typeof ALERT_CHANNELS)[number];

/** One detection as a message shows it. The texts come from traces: every channel escapes them. */
export interface AlertItem {
  detectionId: string;
  traceId: string;
  issueId: string | null;
  type: DetectionType;
  subtype: string;
  severity: Severity;
  /** 0–1. */
  confidence: number;
  isCalibrated: boolean;
  /** Whether it is read directly from the trace; absent in alerts that an earlier version stored. */
  isFact?: boolean;
  agent: string | null;
  title: string;
  explanation: string;
  suggestedAction: string;
  /** Unix milliseconds. */
  detectedAt: number;
  /** Address of its trace and span in the dashboard; null in alerts that an earlier version stored. */
  url: string | null;
}

/** Detections of one fault; the most severe one represents the group. */
export interface AlertGroup {
  item: AlertItem;
  count: number;
}

/** One message, before a channel renders it. */
export type AlertContent =
  | { kind: 'alert'; item: AlertItem }
  /** `repeats` arrived between `from` and `until` after an alert about the same issue. */
  | { kind: 'follow_up'; item: AlertItem; repeats: number; from: number; until: number }
  /** A later analysis no longer finds the detection of an alert that was sent. */
  | { kind: 'withdrawal'; item: AlertItem }
  /** What quiet hours held back: the most severe groups, and the total numbers of detections and groups. */
  | { kind: 'digest'; groups: AlertGroup[]; total: number; groupTotal: number; from: number; until: number }
  | { kind: 'test'; at: number };

/** Outcome of one attempt to send. */
export type SendOutcome =
  | { kind: 'delivered' }
  /** May succeed later; `afterMs` is the delay that the receiver asked for. */
  | { kind: 'retry'; reason: string; afterMs: number | null; isPaced: boolean }
  /** Cannot succeed for this message. */
  | { kind: 'failed'; reason: string }
  /** The receiver no longer exists: nothing may be sent to it again. */
  | { kind: 'removed'; reason: string };
