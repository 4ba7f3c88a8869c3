import type { DetectionType } from '../../core/detection.ts';
import { isAtLeast, type Severity } from '../../core/severity.ts';
import type { IssueStatus } from '../issues/triage.ts';
import { floorOf, type Preferences } from './preferences.ts';

/** All that a decision depends on. */
export interface AlertSituation {
  type: DetectionType;
  severity: Severity;
  /** Analysed as history, or judged before: nobody asked to be alerted. */
  isHistory: boolean;
  /** Withdrawn by a later analysis, or marked as false by a user. */
  isWithdrawn: boolean;
  /** The status of its issue; null for a detection without one. */
  issueStatus: IssueStatus | null;
  /** Open since an alert about the same issue; `severity` is the worst that was told. */
  fold: { severity: Severity; closesAt: number } | null;
  /** Some enabled channel can send. */
  hasChannel: boolean;
  preferences: Preferences;
  /** End of the quiet window that `now` lies in; null outside. */
  quietUntil: number | null;
  now: number;
}

export type DropReason = 'history' | 'withdrawn' | 'below_floor' | 'ignored' | 'no_channel';

export type AlertDecision =
  | { action: 'drop'; reason: DropReason }
  /** Counted for the follow-up of an alert that went out. */
  | { action: 'fold' }
  | { action: 'hold'; until: number }
  | { action: 'send' };

/** Repeats of one issue that come this soon after its alert are told together. */
export const FOLD_MS = 10 * 60_000;

/** What becomes of a detection's alert, or of a held one that is looked at again. */
export function decideAlert(situation: AlertSituation): AlertDecision {
  const reason = reasonToDrop(situation);
  if (reason !== null) return { action: 'drop', reason };
  const { severity, fold, preferences, quietUntil, now } = situation;
  // What is worse than all that was told of the issue is news.
  if (fold !== null && now < fold.closesAt && isAtLeast(fold.severity, severity)) return { action: 'fold' };
  const isHeard = quietUntil === null || isAtLeast(severity, preferences.quiet_hours.severity_floor_during);
  return isHeard ? { action: 'send' } : { action: 'hold', until: quietUntil };
}

function reasonToDrop(situation: AlertSituation): DropReason | null {
  const { type, severity, issueStatus, preferences } = situation;
  if (situation.isHistory) return 'history';
  if (situation.isWithdrawn) return 'withdrawn';
  if (!isAtLeast(severity, floorOf(preferences, type))) return 'below_floor';
  if (issueStatus === 'ignored') return 'ignored';
  return situation.hasChannel ? null : 'no_channel';
}
