import type { AlertChannel, SendOutcome } from '../../core/alert.ts';
import type { Clock } from '../../core/clock.ts';
import { failDeliveries } from '../../store/alert-delivery.store.ts';
import type { Db } from '../../store/connection.ts';
import { changeChannelState } from './channel-state.ts';
import type { PreferenceStore } from './preference-store.ts';
import type { Preferences } from './preferences.ts';

/** Records outcomes of deliveries, and switches off a channel whose receiver no longer exists. */
export class ChannelHealth {
  readonly #clock: Clock;
  readonly #preferences: PreferenceStore;

  constructor(clock: Clock, preferences: PreferenceStore) {
    this.#clock = clock;
    this.#preferences = preferences;
  }

  async record(
    transaction: Db,
    tenantNo: number,
    channel: AlertChannel,
    outcome: SendOutcome,
    usedUrl: string | null,
  ): Promise<void> {
    const now = this.#clock.now();
    if (outcome.kind === 'delivered') {
      const healthyState = { problem: null, problemAt: null, lastDeliveredAt: now, pausedUntil: null };
      await changeChannelState(transaction, tenantNo, channel, healthyState, now);
      return;
    }
    const failure = { problem: outcome.reason, problemAt: now };
    if (outcome.kind === 'removed') return this.#switchOff(transaction, tenantNo, channel, outcome.reason, usedUrl);
    const pausedUntil = outcome.kind === 'retry' && outcome.afterMs !== null ? now + outcome.afterMs : null;
    await changeChannelState(transaction, tenantNo, channel, { ...failure, pausedUntil }, now);
  }

  async #switchOff(
    transaction: Db,
    tenantNo: number,
    channel: AlertChannel,
    reason: string,
    usedUrl: string | null,
  ): Promise<void> {
    const now = this.#clock.now();
    const preferences = await this.#preferences.read(transaction, tenantNo);
    // The URL was changed during the attempt; the new one stays enabled.
    if (urlOf(preferences, channel) !== usedUrl) return;
    const settings = preferences.channels[channel];
    const channels = { ...preferences.channels, [channel]: { ...settings, enabled: false } };
    await this.#preferences.write(transaction, tenantNo, { ...preferences, channels }, now);
    const problem = `Switched off: ${reason}`;
    await changeChannelState(transaction, tenantNo, channel, { disabledAt: now, problem, problemAt: now }, now);
    await failDeliveries(transaction, tenantNo, channel, problem);
  }
}

/** Where a channel's messages go; null for mail. */
export function urlOf({ channels }: Preferences, channel: AlertChannel): string | null {
  return channel === 'email' ? null : channels[channel].webhook_url;
}
