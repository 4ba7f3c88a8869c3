import type { DetectionType } from '../../core/detection.ts';
import { isAtLeast, type Severity } from '../../core/severity.ts';
import type { IssueStatus } from '../issues/triage.ts';
import { floorOf, type Preferences } from './preferences.ts';

/** All inputs of the decision. */
export interface AlertSituation {
  type: DetectionType;
  severity: Severity;
  /** Analyzed as history, or analyzed before: no alert was requested. */
  isHistory: boolean;
  /** Withdrawn by a later analysis, or marked as false by a user. */
  isWithdrawn: boolean;
  /** The status of its issue; null for a detection without one. */
  issueStatus: IssueStatus | null;
  /** Open since an alert about the same issue; `severity` is the highest that was sent. */
  fold: { severity: Severity; closesAt: number } | null;
  /** Whether an enabled channel can send. */
  hasChannel: boolean;
  preferences: Preferences;
  /** End of the quiet window that contains `now`; null outside. */
  quietUntil: number | null;
  now: number;
}

export type DropReason = 'history' | 'withdrawn' | 'below_floor' | 'ignored' | 'no_channel';

export type AlertDecision =
  | { action: 'drop'; reason: DropReason }
  /** Counted for the follow-up of an alert that was sent. */
  | { action: 'fold' }
  | { action: 'hold'; until: number }
  | { action: 'send' };

/** Repeats of one issue within this time after its alert are sent as one follow-up. */
export const FOLD_MS = 10 * 60_000;

/** Decides about the alert of a detection, or about a held one. */
export function decideAlert(situation: AlertSituation): AlertDecision {
  const reason = reasonToDrop(situation);
  if (reason !== null) return { action: 'drop', reason };
  const { severity, fold, preferences, quietUntil, now } = situation;
  // A severity above everything sent for the issue is sent at once.
  if (fold !== null && now < fold.closesAt && isAtLeast(fold.severity, severity)) return { action: 'fold' };
  const isAllowedNow = quietUntil === null || isAtLeast(severity, preferences.quiet_hours.severity_floor_during);
  return isAllowedNow ? { action: 'send' } : { action: 'hold', until: quietUntil };
}

function reasonToDrop(situation: AlertSituation): DropReason | null {
  const { type, severity, issueStatus, preferences } = situation;
  if (situation.isHistory) return 'history';
  if (situation.isWithdrawn) return 'withdrawn';
  if (!isAtLeast(severity, floorOf(preferences, type))) return 'below_floor';
  if (issueStatus === 'ignored') return 'ignored';
  return situation.hasChannel ? null : 'no_channel';
}
