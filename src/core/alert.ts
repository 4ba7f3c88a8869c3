import type { DetectionType } from './detection.ts';
import type { Severity } from './severity.ts';

/** Where alerts go, in the order in which they are shown. */
export const ALERT_CHANNELS = ['team_chat', 'community_chat', 'email', 'webhook'] as const;
export type AlertChannel = (typeof ALERT_CHANNELS)[number];

/** What a message says of one detection. Texts come from traces: every channel escapes them. */
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
  agent: string | null;
  title: string;
  explanation: string;
  suggestedAction: string;
  /** Unix milliseconds. */
  detectedAt: number;
  /** Address of its trace and span in the dashboard; null in alerts that an earlier version stored. */
  url: string | null;
}

/** Detections of one fault, the worst of them standing for all. */
export interface AlertGroup {
  item: AlertItem;
  count: number;
}

/** One message, before any channel gives it its form. */
export type AlertContent =
  | { kind: 'alert'; item: AlertItem }
  /** `repeats` came between `from` and `until` after an alert about the same issue. */
  | { kind: 'follow_up'; item: AlertItem; repeats: number; from: number; until: number }
  /** What quiet hours held back: the worst groups, and how many detections and groups there are in all. */
  | { kind: 'digest'; groups: AlertGroup[]; total: number; groupTotal: number; from: number; until: number }
  | { kind: 'test'; at: number };

/** How a try to send ended. */
export type SendOutcome =
  | { kind: 'delivered' }
  /** May succeed later; `afterMs` is what the receiver asked for, counted from now. */
  | { kind: 'retry'; reason: string; afterMs: number | null; isPaced: boolean }
  /** Will never succeed for this message. */
  | { kind: 'failed'; reason: string }
  /** The receiver is no more: nothing may be sent there again. */
  | { kind: 'gone'; reason: string };
