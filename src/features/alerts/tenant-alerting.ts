import type { AlertItem } from '../../core/alert.ts';
import type { Db } from '../../store/connection.ts';
import { readIssue } from '../../store/issue.store.ts';
import type { AlertFoldTable } from '../../store/schema.ts';
import { type IssueStatus, statusAt } from '../issues/triage.ts';
import { foldFacts } from './alert-fold.ts';
import { type AlertTarget, targetsOf } from './alert-targets.ts';
import { type ChannelStates, readChannelStates } from './channel-state.ts';
import { type AlertDecision, decideAlert } from './decide-alert.ts';
import type { PreferenceStore } from './preference-store.ts';
import type { Preferences, QuietHours } from './preferences.ts';

/** What the alerts of one tenant depend on, read once for a transaction. */
export class TenantAlerting {
  readonly tenantNo: number;
  readonly preferences: Preferences;
  readonly targets: readonly AlertTarget[];
  readonly channelStates: ChannelStates;
  /** End of the quiet window that contains `now`; null outside. */
  readonly #quietUntil: number | null;
  readonly #now: number;
  readonly #issues = new Map<string, IssueStatus | null>();

  private constructor(
    tenantNo: number,
    now: number,
    read: { preferences: Preferences; targets: AlertTarget[]; channelStates: ChannelStates; quietUntil: number | null },
  ) {
    this.tenantNo = tenantNo;
    this.preferences = read.preferences;
    this.targets = read.targets;
    this.channelStates = read.channelStates;
    this.#quietUntil = read.quietUntil;
    this.#now = now;
  }

  static async read(
    db: Db,
    tenantNo: number,
    options: { preferences: PreferenceStore; canMail: boolean },
    now: number,
  ): Promise<TenantAlerting> {
    const preferences = await options.preferences.read(db, tenantNo);
    return new TenantAlerting(tenantNo, now, {
      preferences,
      channelStates: await readChannelStates(db, tenantNo),
      targets: targetsOf(preferences, options.canMail),
      quietUntil: await endOfQuiet(preferences.quiet_hours, now),
    });
  }

  async decide(
    db: Db,
    item: AlertItem,
    { fold, isWithdrawn }: { fold: AlertFoldTable | null; isWithdrawn: boolean },
  ): Promise<AlertDecision> {
    return decideAlert({
      type: item.type,
      severity: item.severity,
      isHistory: false,
      isWithdrawn,
      issueStatus: await this.#issueStatusOf(db, item.issueId),
      fold: foldFacts(fold),
      hasChannel: this.targets.length > 0,
      preferences: this.preferences,
      quietUntil: this.#quietUntil,
      now: this.#now,
    });
  }

  async #issueStatusOf(db: Db, issueId: string | null): Promise<IssueStatus | null> {
    if (issueId === null) return null;
    const known = this.#issues.get(issueId);
    if (known !== undefined) return known;
    const row = await readIssue(db, this.tenantNo, issueId);
    const status = row && statusAt(row, this.#now);
    this.#issues.set(issueId, status);
    return status;
  }
}

/** The time zone data is loaded only for tenants with quiet hours. */
async function endOfQuiet(hours: QuietHours, now: number): Promise<number | null> {
  if (!hours.enabled) return null;
  const { quietHoursEnd: quietUntil } = await import('./quiet-hours.ts');
  try {
    return quietUntil(hours, now);
  } catch {
    // An unknown time zone of one tenant must not stop the alerts of all tenants.
    return null;
  }
}
