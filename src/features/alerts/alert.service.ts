import type { Kysely } from 'kysely';
import type { AlertChannel } from '../../core/alert.ts';
import type { Clock } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
import type { WebAddress } from '../../core/web-address.ts';
import { type AlertFilter, countAlerts, listAlerts, makeHeldDue } from '../../store/alert.store.ts';
import { deliveriesOfMessages } from '../../store/alert-delivery.store.ts';
import type { Database } from '../../store/schema.ts';
import { inTransaction } from '../../store/transaction.ts';
import { toPage, toRange } from '../_kit/cursor.ts';
import type { Page, PageRequest } from '../_kit/page.ts';
import type { LeaseManager } from '../leases/lease-manager.ts';
import { type AlertRecord, toAlertRecord } from './alert.record.ts';
import { AlertDelivery, type OnAlertDelivered } from './alert-delivery.ts';
import { AlertRouter } from './alert-router.ts';
import type { SendAlert } from './alert-senders.ts';
import { targetsOf } from './alert-targets.ts';
import { AlertWork } from './alert-work.ts';
import { urlOf } from './channel-health.ts';
import {
  type ChannelStates,
  changeChannelState,
  NO_MAIL_SERVER,
  readChannelStates,
  toLostStatus,
  toStatus,
} from './channel-state.ts';
import { maskedSecret, maskedUrl } from './masked-secret.ts';
import type { PreferenceStore } from './preference-store.ts';
import type { PreferencesInput, PreferencesRecord } from './preferences.record.ts';
import type { Preferences } from './preferences.ts';
import { validateChange } from './validate-change.ts';

export interface TestResult {
  channel: AlertChannel;
  target: string | null;
  delivered: boolean;
  problem: string | null;
}

export interface AlertService {
  preferences(tenantId: string): Promise<PreferencesRecord>;
  /** Named members are set, others are kept. @throws AppError `invalid_body` */
  changePreferences(tenantId: string, change: PreferencesInput): Promise<PreferencesRecord>;
  /** Sends a test at once to every enabled receiver. */
  test(tenantId: string): Promise<TestResult[]>;
  /** Newest first. */
  list(tenantId: string, filter: AlertFilter, page: PageRequest): Promise<Page<AlertRecord>>;
  /** Decides and sends everything that is due. @returns how much was processed, 0 if nothing is due */
  runDue(limit: number): Promise<number>;
  /** Runs continuously: decides what is due, starts to send it, and does not wait for slow receivers. @returns 0 if nothing is due or in progress */
  feed(limit: number): Promise<number>;
  /** Stops sending further messages. */
  close(): void;
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>;
  /** Unix milliseconds when the next work is due; null if none is queued. */
  nextDueAt(): Promise<number | null>;
}

export interface AlertOptions {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  tenantNoOf(tenantId: string): Promise<number>;
  send: SendAlert;
  preferences: PreferenceStore;
  leases: Pick<LeaseManager, 'owner'>;
  /** Whether this server has mail settings. */
  canMail: boolean;
  /** Address of the dashboard, for links in alerts. */
  webAddress: WebAddress;
  /** Why a URL is not allowed, decided without resolving its name; null if it is allowed. */
  urlProblem(url: URL): string | null;
  onDelivered?: OnAlertDelivered;
}

const SECRET_BYTES = 32;

export function createAlertService(options: AlertOptions): AlertService {
  const { db, clock, random, tenantNoOf, canMail, send, preferences: stored } = options;
  const router = new AlertRouter({ db, clock, random, canMail, preferences: stored, webAddress: options.webAddress });
  const delivery = new AlertDelivery({
    db,
    clock,
    random,
    send,
    preferences: stored,
    leases: options.leases,
    onDelivered: options.onDelivered,
  });
  const createSecret = () => `whsec_${Buffer.from(random(SECRET_BYTES)).toString('base64')}`;
  const work = new AlertWork({ db, clock, router, delivery });

  async function testOne(tenantNo: number, preferences: Preferences, to: { channel: AlertChannel; target: string }) {
    const now = clock.now();
    const message = { id: newId('msg', clock, random), content: { kind: 'test', at: now } as const, createdAt: now };
    const outcome = await send(message, to, preferences);
    if (outcome !== null) await delivery.recordOutcome(tenantNo, to.channel, outcome, urlOf(preferences, to.channel));
    const problem = outcome === null || outcome.kind === 'delivered' ? null : outcome.reason;
    return { channel: to.channel, target: to.target || null, delivered: outcome?.kind === 'delivered', problem };
  }

  return {
    async preferences(tenantId) {
      const tenantNo = await tenantNoOf(tenantId);
      const lost = await stored.lostChannels(db, tenantNo);
      return toRecord(await stored.read(db, tenantNo), await readChannelStates(db, tenantNo), { canMail, lost });
    },
    async changePreferences(tenantId, input) {
      const tenantNo = await tenantNoOf(tenantId);
      return inTransaction(db, async (transaction) => {
        const now = clock.now();
        const before = await stored.read(transaction, tenantNo);
        const checks = { urlProblem: options.urlProblem, createSecret };
        const { preferences: after, isSecretNew } = validateChange(before, input, checks);
        await stored.write(transaction, tenantNo, after, now);
        for (const channel of renewedChannels(before, after)) {
          const fresh = { disabledAt: null, problem: null, problemAt: null, pausedUntil: null };
          await changeChannelState(transaction, tenantNo, channel, fresh, now);
        }
        await makeHeldDue(transaction, tenantNo, now);
        const record = toRecord(after, await readChannelStates(transaction, tenantNo), { canMail, lost: [] });
        if (isSecretNew) record.channels.webhook.secret = after.channels.webhook.secret;
        return record;
      });
    },
    async test(tenantId) {
      const tenantNo = await tenantNoOf(tenantId);
      const preferences = await stored.read(db, tenantNo);
      const targets = targetsOf(preferences, canMail);
      const results: TestResult[] = await Promise.all(targets.map((to) => testOne(tenantNo, preferences, to)));
      const isMailMissing = preferences.channels.email.enabled && !canMail;
      if (isMailMissing) results.push({ channel: 'email', target: null, delivered: false, problem: NO_MAIL_SERVER });
      return results;
    },
    async list(tenantId, filter, page) {
      const tenantNo = await tenantNoOf(tenantId);
      const rows = await listAlerts(db, tenantNo, filter, toRange(page));
      const messageIds = rows.flatMap((row) => (row.message_id === null ? [] : [row.message_id]));
      const deliveries = await deliveriesOfMessages(db, tenantNo, [...new Set(messageIds)]);
      return toPage(rows, await countAlerts(db, tenantNo, filter), page, {
        toItem: (row) => toAlertRecord(row, deliveries.get(row.message_id ?? '') ?? []),
        positionOf: (row) => ({ at: row.created_at, id: row.alert_id }),
      });
    },
    runDue: (limit) => work.runDue(limit),
    feed: (limit) => work.feed(limit),
    close: () => delivery.close(),
    idle: () => delivery.idle(),
    nextDueAt: () => work.nextDueAt(),
  };
}

/** A newly enabled or redirected channel starts without history. */
function renewedChannels(before: Preferences, after: Preferences): AlertChannel[] {
  const channels = Object.keys(after.channels) as AlertChannel[];
  return channels.filter((channel) => {
    const isSwitchedOn = after.channels[channel].enabled && !before.channels[channel].enabled;
    return isSwitchedOn || urlOf(before, channel) !== urlOf(after, channel);
  });
}

function toRecord(
  preferences: Preferences,
  states: ChannelStates,
  { canMail, lost }: { canMail: boolean; lost: readonly AlertChannel[] },
): PreferencesRecord {
  const { channels } = preferences;
  const shown = (channel: 'team_chat' | 'community_chat' | 'webhook') => {
    const { enabled, webhook_url: url } = channels[channel];
    return {
      enabled,
      webhook_url: url === null ? null : maskedUrl(url),
      status: lost.includes(channel) ? toLostStatus(states[channel]) : toStatus(states[channel], enabled, true),
    };
  };
  const { secret } = channels.webhook;
  return {
    ...preferences,
    channels: {
      team_chat: shown('team_chat'),
      community_chat: shown('community_chat'),
      email: { ...channels.email, status: toStatus(states.email, channels.email.enabled, canMail) },
      webhook: { ...shown('webhook'), secret: secret === null ? null : maskedSecret(secret) },
    },
  };
}
