import type { DetectionType } from '../../core/detection.ts';
import type { Severity } from '../../core/severity.ts';

/** Recipients, content and time of alerts; one per tenant, as stored. */
export interface Preferences {
  min_severity: Severity;
  channels: {
    team_chat: { enabled: boolean; webhook_url: string | null };
    community_chat: { enabled: boolean; webhook_url: string | null };
    email: { enabled: boolean; addresses: string[] };
    /** `secret` signs: `whsec_` and base64. */
    webhook: { enabled: boolean; webhook_url: string | null; secret: string | null };
  };
  /** Minimum severities that replace `min_severity`. */
  per_detector: Partial<Record<DetectionType, { min_severity: Severity }>>;
  quiet_hours: QuietHours;
  /** Above this number held alerts are sent as one message per channel. */
  digest: { enabled: boolean; more_than: number };
}

export interface QuietHours {
  enabled: boolean;
  /** `HH:MM` on the clock of `timezone`. An end at or before the start is on the next day. */
  start: string;
  end: string;
  /** IANA name. */
  timezone: string;
  /** Alerts of at least this severity are sent regardless. */
  severity_floor_during: Severity;
}

export const DEFAULT_PREFERENCES: Preferences = {
  min_severity: 'warning',
  channels: {
    team_chat: { enabled: false, webhook_url: null },
    community_chat: { enabled: false, webhook_url: null },
    email: { enabled: false, addresses: [] },
    webhook: { enabled: false, webhook_url: null, secret: null },
  },
  per_detector: {},
  quiet_hours: { enabled: false, start: '22:00', end: '07:00', timezone: 'UTC', severity_floor_during: 'critical' },
  digest: { enabled: true, more_than: 10 },
};

/** The same shape with optional members; null resets a member. */
export interface PreferencesChange {
  min_severity?: Severity | null;
  channels?: { [Channel in keyof Preferences['channels']]?: Partial<Preferences['channels'][Channel]> };
  per_detector?: Preferences['per_detector'] | null;
  quiet_hours?: Partial<QuietHours> | null;
  digest?: Partial<Preferences['digest']> | null;
}

/** Named members are set, others are kept; the minimum severities by detector are set as a whole. */
export function withChange(before: Preferences, change: PreferencesChange): Preferences {
  const { channels } = change;
  return {
    min_severity:
      change.min_severity === undefined
        ? before.min_severity
        : (change.min_severity ?? DEFAULT_PREFERENCES.min_severity),
    channels: {
      team_chat: { ...before.channels.team_chat, ...channels?.team_chat },
      community_chat: { ...before.channels.community_chat, ...channels?.community_chat },
      email: { ...before.channels.email, ...channels?.email },
      webhook: { ...before.channels.webhook, ...channels?.webhook },
    },
    per_detector: change.per_detector === undefined ? before.per_detector : (change.per_detector ?? {}),
    quiet_hours:
      change.quiet_hours === null ? DEFAULT_PREFERENCES.quiet_hours : { ...before.quiet_hours, ...change.quiet_hours },
    digest: change.digest === null ? DEFAULT_PREFERENCES.digest : { ...before.digest, ...change.digest },
  };
}

/** The effective minimum severity for a detector. */
export function floorOf({ min_severity, per_detector }: Preferences, type: DetectionType): Severity {
  return per_detector[type]?.min_severity ?? min_severity;
}
