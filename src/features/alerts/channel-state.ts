import type { AlertChannel } from '../../core/alert.ts';
import { toRfc3339 } from '../../core/clock.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Db } from '../../store/connection.ts';
import { readSetting, writeSetting } from '../../store/setting.store.ts';
import type { ChannelStatus } from './preferences.record.ts';

/** Delivery state of a channel. Times are Unix milliseconds. */
export interface ChannelState {
  /** Since when it is disabled because its receiver no longer exists. */
  disabledAt: number | null;
  problem: string | null;
  problemAt: number | null;
  lastDeliveredAt: number | null;
  /** The receiver accepts no messages before this time (`Retry-After`). */
  pausedUntil: number | null;
}

export type ChannelStates = Partial<Record<AlertChannel, ChannelState>>;

const NO_DELIVERY_YET: ChannelState = {
  disabledAt: null,
  problem: null,
  problemAt: null,
  lastDeliveredAt: null,
  pausedUntil: null,
};

const STATES = 'notification_channels';

export async function readChannelStates(db: Db, tenantNo: number): Promise<ChannelStates> {
  return ((await readSetting(db, tenantNo, STATES)) ?? {}) as ChannelStates;
}

/** Call it inside a transaction: it reads before it writes. */
export async function changeChannelState(
  db: Db,
  tenantNo: number,
  channel: AlertChannel,
  change: Partial<ChannelState>,
  now: number,
): Promise<void> {
  const states = await readChannelStates(db, tenantNo);
  const changed = { ...states, [channel]: { ...NO_DELIVERY_YET, ...states[channel], ...change } };
  await writeSetting(db, tenantNo, STATES, changed as unknown as JsonObject, now);
}

/** The status of a channel whose address or key was encrypted with another secret key. */
export function toLostStatus(state: ChannelState = NO_DELIVERY_YET): ChannelStatus {
  return { ...toStatus(state, true, true), state: 'failing', problem: LOST_SECRET };
}

/** @param isAvailable false if this server cannot send over the channel at all */
export function toStatus(
  state: ChannelState = NO_DELIVERY_YET,
  isEnabled: boolean,
  isAvailable: boolean,
): ChannelStatus {
  const isUnavailable = isEnabled && !isAvailable;
  return {
    state: stateName(state, isEnabled, isAvailable),
    problem: isUnavailable ? NO_MAIL_SERVER : state.problem,
    problem_at: isUnavailable || state.problemAt === null ? null : toRfc3339(state.problemAt),
    last_delivered_at: state.lastDeliveredAt === null ? null : toRfc3339(state.lastDeliveredAt),
  };
}

function stateName(state: ChannelState, isEnabled: boolean, isAvailable: boolean): ChannelStatus['state'] {
  if (!isEnabled) return state.disabledAt === null ? 'off' : 'disabled';
  if (!isAvailable) return 'unavailable';
  return state.problem === null ? 'ok' : 'failing';
}

export const NO_MAIL_SERVER =
  'This server has no mail settings; its operator sets MISSTEP_SMTP_URL and MISSTEP_SMTP_FROM.';

const LOST_SECRET = 'The stored address or key was sealed with another secret key. Enter it again.';
