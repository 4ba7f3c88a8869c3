import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, resolve } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AlertApp, detection, openAlertApp } from '../../../test/support/alert-app.ts';
import { runSpans, traceIdOf } from '../../../test/support/store-app.ts';
import { preferenceStoreOf } from '../../../test/support/stored-preferences.ts';
import type { ScriptedResponse, WebhookReceiver } from '../../../test/support/webhook-receiver.ts';
import { systemRandom } from '../../core/id.ts';
import { WebAddress } from '../../core/web-address.ts';
import { AlertDelivery } from './alert-delivery.ts';
import { AlertRouter } from './alert-router.ts';
import type { SendAlert } from './alert-senders.ts';

const PAGES = new WebAddress('http://127.0.0.1:4319');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let app: AlertApp;
beforeEach(async () => {
  app = await openAlertApp();
});
afterEach(() => app.close());

const alerts = () => app.store.services.alerts;
const preferences = () => alerts().preferences(app.tenantId);
const history = async () =>
  (await alerts().list(app.tenantId, { state: null, issueId: null }, { page: 1, pageSize: 200, cursor: null })).items;
const deliveries = async () => (await history()).flatMap((alert) => alert.deliveries);
const issueId = async () =>
  (await app.store.db.selectFrom('issues').select('issue_id').executeTakeFirstOrThrow()).issue_id;
const titles = (receiver: WebhookReceiver) => receiver.posts.map(({ json }) => json.text ?? json.embeds?.[0]?.title);
const onlyTeamChat = () => app.changePreferences({ channels: { team_chat: app.channels().team_chat } });
const allChannels = () => app.changePreferences({ channels: app.channels() });
const quiet = (overrides: object = {}) => ({
  quiet_hours: {
    enabled: true,
    start: '11:00',
    end: '13:00',
    timezone: 'UTC',
    severity_floor_during: 'critical' as const,
    ...overrides,
  },
});

describe('a detection', () => {
  it('sends one message to every enabled channel', async () => {
    await allChannels();
    const traceId = await app.detect(detection());
    await app.runDue();
    await app.advance(MINUTE);
    const { channels } = await preferenceStoreOf(dirname(app.store.file)).read(app.store.db, 1);
    expect(titles(app.teamChat)).toEqual(['Warning: Repeated call']);
    expect(titles(app.communityChat)).toEqual(['Warning: Repeated call']);
    expect(app.communityChat.posts[0]?.path).toBe('/api/webhooks/1/token?wait=true');
    expect(app.mail.mails.map(({ to, mail }) => [to, mail.subject])).toEqual([
      [['ops@example.com'], '[Misstep] Warning: Repeated call'],
      [['lead@example.com'], '[Misstep] Warning: Repeated call'],
    ]);
    const [mail] = app.mail.mails;
    expect(mail?.from).toBe('alerts@misstep.example');
    for (const part of [traceId, 'loop/exact', 'It went round.']) {
      expect(mail?.mail.text).toContain(part);
      expect(mail?.mail.html).toContain(part);
    }
    const [hook] = app.webhook.posts;
    vi.useFakeTimers({ toFake: ['Date'], now: app.store.clock.now() });
    const signed = hook?.headers as Record<string, string>;
    const verified = new Webhook(String(channels.webhook.secret)).verify(hook?.text ?? '', signed);
    expect(() => new Webhook('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw').verify(hook?.text ?? '', signed)).toThrow();
    vi.useRealTimers();
    expect(verified).toMatchObject({ type: 'alert.detection', data: { trace_id: traceId, severity: 'warning' } });
    expect((await deliveries()).map(({ channel, state }) => [channel, state])).toEqual([
      ['community_chat', 'delivered'],
      ['email', 'delivered'],
      ['email', 'delivered'],
      ['team_chat', 'delivered'],
      ['webhook', 'delivered'],
    ]);
  });

  it.each<[string, Parameters<typeof detection>[0], number]>([
    ['below the minimum severity sends no alert', { severity: 'info' }, 0],
    ['that is an observation sends no alert', { severity: 'observation' }, 0],
    ['of a detector with a lower floor alerts', { severity: 'info', type: 'injection' }, 1],
    ['of a detector with a higher minimum severity sends no alert', { type: 'derailment' }, 0],
  ])('%s', async (_name, value, count) => {
    await onlyTeamChat();
    await app.changePreferences({
      per_detector: { injection: { min_severity: 'info' }, derailment: { min_severity: 'critical' } },
    });
    await app.detect(detection(value));
    await app.runDue();
    expect(app.teamChat.posts).toHaveLength(count);
  });

  it('sends no alert while no channel is enabled, and none later', async () => {
    await app.detect(detection());
    await app.runDue();
    await onlyTeamChat();
    await app.advance(HOUR);
    expect([app.teamChat.posts.length, await history()]).toEqual([0, []]);
  });

  it('that is withdrawn before its alert is sent sends no alert', async () => {
    await onlyTeamChat();
    const traceId = await app.detect(detection());
    await app.store.db.updateTable('detections').set({ withdrawn_at: 1 }).where('trace_id', '=', traceId).execute();
    await app.runDue();
    expect(app.teamChat.posts).toEqual([]);
  });

  it('that is withdrawn after its alert sends one follow-up to the receivers of the alert', async () => {
    await allChannels();
    const traceId = await app.detect(detection());
    await app.runDue();
    await app.redetect();
    await app.advance(MINUTE);
    await app.redetect();
    await app.advance(HOUR);
    const both = ['Warning: Repeated call', 'Withdrawn: Repeated call'];
    expect(titles(app.teamChat)).toEqual(both);
    expect(titles(app.communityChat)).toEqual(both);
    expect(JSON.stringify(app.teamChat.posts[1]?.json)).toContain('the failure is no longer found');
    expect(app.mail.mails.map(({ mail }) => mail.subject)).toEqual(
      [both[0], both[0], both[1], both[1]].map((title) => `[Misstep] ${title}`),
    );
    expect(app.webhook.posts.map(({ json }) => [json.type, json.data.trace_id])).toEqual([
      ['alert.detection', traceId],
      ['alert.withdrawal', traceId],
    ]);
    expect((await history()).map(({ kind, state }) => [kind, state])).toEqual([
      ['withdrawal', 'sent'],
      ['detection', 'sent'],
    ]);
  });

  it('that is withdrawn after its alert informs no channel that was enabled later', async () => {
    await onlyTeamChat();
    await app.detect(detection());
    await app.runDue();
    await allChannels();
    await app.redetect();
    await app.advance(MINUTE);
    expect(titles(app.teamChat)).toEqual(['Warning: Repeated call', 'Withdrawn: Repeated call']);
    expect([app.communityChat.posts, app.webhook.posts, app.mail.mails]).toEqual([[], [], []]);
  });

  it('that is withdrawn and found again sends no follow-up', async () => {
    await onlyTeamChat();
    await app.detect(detection());
    await app.runDue();
    await app.redetect();
    await app.redetect(detection());
    await app.runDue();
    expect(titles(app.teamChat)).toEqual(['Warning: Repeated call']);
  });

  it('that is withdrawn in quiet hours sends its follow-up when they end', async () => {
    await onlyTeamChat();
    await app.detect(detection());
    await app.runDue();
    await app.changePreferences(quiet());
    await app.redetect();
    await app.runDue();
    expect(titles(app.teamChat)).toEqual(['Warning: Repeated call']);
    await app.advance(2 * HOUR);
    expect(titles(app.teamChat)).toEqual(['Warning: Repeated call', 'Withdrawn: Repeated call']);
  });

  it('that was marked as false sends no follow-up when it is withdrawn', async () => {
    await onlyTeamChat();
    const traceId = await app.detect(detection());
    await app.runDue();
    await app.store.db.updateTable('detections').set({ is_valid: 0 }).where('trace_id', '=', traceId).execute();
    await app.redetect();
    await app.advance(MINUTE);
    expect(titles(app.teamChat)).toEqual(['Warning: Repeated call']);
  });

  it('alerts no other tenant', async () => {
    await onlyTeamChat();
    const other = await app.store.newTenant();
    await app.detect(detection());
    await app.runDue();
    const page = { page: 1, pageSize: 50, cursor: null };
    expect((await alerts().list(other, { state: null, issueId: null }, page)).items).toEqual([]);
    expect(await history()).toHaveLength(1);
  });
});

describe('history', () => {
  const spans = () => ({ spans: runSpans(500), rejections: [] });
  const analyzed = (isAlertRequested?: boolean) =>
    app.store.services.analysis.analyzeTrace(app.tenantId, traceIdOf(500), { isAlertRequested });
  beforeEach(async () => {
    await onlyTeamChat();
    await app.detect(detection());
    await app.runDue();
    app.teamChat.posts.length = 0;
    app.store.clock.advance(HOUR);
  });

  it.each<[string, () => Promise<unknown>, number]>([
    ['that is imported sends no alert', async () => {}, 0],
    ['that is analyzed on demand sends no alert', () => analyzed(), 0],
    ['that is asked to alert does', () => analyzed(true), 1],
  ])('%s', async (_name, act, count) => {
    await app.store.services.ingest.ingestSpans(app.tenantId, spans(), { isHistory: true });
    await act();
    await app.store.settle();
    await app.runDue();
    expect(app.teamChat.posts).toHaveLength(count);
  });

  it('ends when live spans come', async () => {
    await app.store.services.ingest.ingestSpans(app.tenantId, spans(), { isHistory: true });
    await app.store.services.ingest.ingestSpans(app.tenantId, spans());
    await app.store.settle();
    await app.runDue();
    expect(app.teamChat.posts).toHaveLength(1);
  });

  it('does not include a live trace that is analyzed on demand before it settles', async () => {
    await app.store.services.ingest.ingestSpans(app.tenantId, spans());
    await analyzed();
    await app.store.settle();
    await app.runDue();
    expect(app.teamChat.posts).toHaveLength(1);
  });
});

describe('a storm', () => {
  it('of 500 detections of one issue in 5 minutes is one alert and one follow-up', async () => {
    await allChannels();
    for (let number = 0; number < 500; number += 1) {
      await app.detect(detection());
      if (number % 7 === 0) await app.runDue();
      // Settling took two seconds off the 0.6 seconds between two.
      app.store.clock.advance(600 - 2_000);
    }
    await app.advance(5 * MINUTE);
    expect(titles(app.teamChat)).toEqual(['Warning: Repeated call']);
    await app.advance(5 * MINUTE);
    await app.advance(HOUR);
    expect(titles(app.teamChat)).toEqual(['Warning: Repeated call', 'Warning, 499 more: Repeated call']);
    expect(titles(app.communityChat)).toHaveLength(2);
    expect(app.webhook.posts.map(({ json }) => [json.type, json.data.repeats])).toEqual([
      ['alert.detection', undefined],
      ['alert.follow_up', 499],
    ]);
    expect(app.mail.mails).toHaveLength(4);
  }, 120_000);

  it('does not hide another issue, nor what is worse', async () => {
    await onlyTeamChat();
    await app.detect(detection());
    await app.runDue();
    await app.detect(detection({ fingerprint: 'other', title: 'Another' }));
    await app.detect(detection({ severity: 'critical', title: 'Worse' }));
    await app.detect(detection({ title: 'Folded' }));
    await app.runDue();
    expect(titles(app.teamChat)).toEqual(['Warning: Repeated call', 'Warning: Another', 'Critical: Worse']);
    await app.advance(11 * MINUTE);
    expect(titles(app.teamChat).slice(3)).toEqual(['Warning, 1 more: Folded']);
  });

  it('keeps the end of its window when a more severe detection is sent within it', async () => {
    await onlyTeamChat();
    await app.detect(detection());
    await app.runDue();
    await app.advance(6 * MINUTE);
    await app.detect(detection({ severity: 'critical', title: 'Worse' }));
    await app.detect(detection({ severity: 'critical', title: 'Worse again' }));
    await app.runDue();
    expect(titles(app.teamChat)).toEqual(['Warning: Repeated call', 'Critical: Worse']);
    await app.advance(4 * MINUTE);
    expect(titles(app.teamChat).slice(2)).toEqual(['Critical, 1 more: Worse again']);
  });

  it('that has ended lets the next detection be sent at once', async () => {
    await onlyTeamChat();
    await app.detect(detection());
    await app.runDue();
    await app.advance(10 * MINUTE);
    await app.detect(detection());
    await app.runDue();
    expect(titles(app.teamChat)).toHaveLength(2);
  });
});

const IGNORE = { kind: 'ignore', until: null, runs: null } as const;

describe('an issue', () => {
  const log = async () => {
    await app.advance(11 * MINUTE);
    app.teamChat.posts.length = 0;
    await app.detect(detection());
    await app.runDue();
    return app.teamChat.posts.length;
  };
  beforeEach(async () => {
    await onlyTeamChat();
    await app.detect(detection());
    await app.runDue();
  });

  it('that is ignored sends no alert until it is reopened', async () => {
    const { issues } = app.store.services;
    const ignored = await issues.change(app.tenantId, await issueId(), IGNORE, 'key_1');
    expect(ignored.ignored_at).toBe(new Date(app.store.clock.now()).toISOString());
    expect(await log()).toBe(0);
    await issues.change(app.tenantId, await issueId(), { kind: 'reopen' }, 'key_1');
    expect(await log()).toBe(1);
  });

  it('that is ignored until it recurs alerts about the next run', async () => {
    const { issues } = app.store.services;
    await issues.change(app.tenantId, await issueId(), { ...IGNORE, runs: 1 }, 'key_1');
    expect(await log()).toBe(1);
  });

  it('that is snoozed alerts again when the snooze is over', async () => {
    const { issues } = app.store.services;
    const until = app.store.clock.now() + HOUR;
    const snoozed = await issues.change(app.tenantId, await issueId(), { kind: 'snooze', until }, 'key_1');
    expect(snoozed.ignored_until).toBe(new Date(until).toISOString());
    expect(await log()).toBe(0);
    app.store.clock.advance(HOUR);
    expect(await log()).toBe(1);
  });

  it('cannot be snoozed into the past, nor by another tenant', async () => {
    const { issues } = app.store.services;
    const id = await issueId();
    const over = { kind: 'snooze', until: app.store.clock.now() } as const;
    await expect(issues.change(app.tenantId, id, over, 'key_1')).rejects.toMatchObject({ code: 'invalid_body' });
    const other = await app.store.newTenant();
    await expect(issues.change(other, id, IGNORE, 'key_1')).rejects.toMatchObject({ code: 'not_found' });
    expect(await log()).toBe(1);
  });
});

describe('quiet hours', () => {
  const hold = async (count: number, fields: Parameters<typeof detection>[0] = {}) => {
    for (let number = 0; number < count; number += 1)
      await app.detect(detection({ fingerprint: `fp ${number}`, title: `Fault ${number}`, ...fields }));
    await app.runDue();
  };
  beforeEach(async () => {
    await onlyTeamChat();
    await app.changePreferences(quiet());
  });

  it('hold an alert until they end', async () => {
    await hold(1);
    expect(await history()).toMatchObject([{ state: 'held', held_until: '2026-01-15T13:00:00.000Z' }]);
    await app.advance(30 * MINUTE);
    expect(app.teamChat.posts).toEqual([]);
    await app.advance(30 * MINUTE);
    await app.advance(HOUR);
    expect(titles(app.teamChat)).toEqual(['Warning: Fault 0']);
    expect(await history()).toMatchObject([{ state: 'sent', held_until: null }]);
  });

  it('let pass what is severe enough', async () => {
    await hold(1, { severity: 'critical' });
    expect(titles(app.teamChat)).toEqual(['Critical: Fault 0']);
  });

  it.each([
    [10, 10],
    [11, 1],
    [25, 1],
  ])('end with %d held alerts in %d messages, each once', async (held, messages) => {
    await hold(held);
    await app.advance(2 * HOUR);
    await app.advance(24 * HOUR);
    expect(app.teamChat.posts).toHaveLength(messages);
    const text = JSON.stringify(app.teamChat.posts.map(({ json }) => json));
    if (messages > 1)
      for (let number = 0; number < held; number += 1) expect(text.split(`Fault ${number}"`).length).toBeGreaterThan(1);
    else expect(text).toContain(`${held} alerts from quiet hours`);
    expect(new Set((await history()).map((alert) => alert.message_id)).size).toBe(messages);
  });

  it('end without a digest if digests are disabled', async () => {
    await app.changePreferences({ digest: { enabled: false } });
    await hold(12);
    await app.advance(2 * HOUR);
    expect(app.teamChat.posts).toHaveLength(12);
  });

  it.each([
    ['with concurrent edits', 12],
    ['in one leap', 1],
  ])('count repeats that were held, %s', async (_name, steps) => {
    for (let number = 0; number < 5; number += 1) await app.detect(detection());
    await app.runDue();
    for (let step = 0; step < steps; step += 1) await app.advance((2 * HOUR) / steps);
    expect(titles(app.teamChat)).toEqual(['Warning: Repeated call', 'Warning, 4 more: Repeated call']);
  });

  it('drop what was withdrawn, ignored or marked as false meanwhile', async () => {
    await hold(4);
    const rows = await app.store.db.selectFrom('issues').select(['issue_id', 'title']).execute();
    const ignored = rows.find(({ title }) => title === 'Fault 1')?.issue_id ?? '';
    await app.store.services.issues.change(app.tenantId, ignored, IGNORE, 'key_1');
    await app.store.db.updateTable('detections').set({ withdrawn_at: 1 }).where('fingerprint', '=', 'fp 2').execute();
    await app.store.db.updateTable('detections').set({ is_valid: 0 }).where('fingerprint', '=', 'fp 3').execute();
    await app.advance(2 * HOUR);
    expect(titles(app.teamChat)).toEqual(['Warning: Fault 0']);
    expect((await history()).map(({ state, reason }) => [state, reason])).toEqual([
      ['dropped', 'withdrawn'],
      ['dropped', 'withdrawn'],
      ['dropped', 'ignored'],
      ['sent', 'quiet_hours'],
    ]);
  });

  it('that are disabled release held alerts at once', async () => {
    await hold(1);
    await app.changePreferences({ quiet_hours: { enabled: false } });
    await app.runDue();
    expect(app.teamChat.posts).toHaveLength(1);
  });

  it('that are moved hold until their new end', async () => {
    await hold(1);
    await app.changePreferences(quiet({ end: '15:00' }));
    await app.advance(HOUR + MINUTE);
    expect(app.teamChat.posts).toEqual([]);
    await app.advance(2 * HOUR);
    expect(app.teamChat.posts).toHaveLength(1);
  });

  it('that ended and started again while no process ran still hold alerts', async () => {
    await hold(1);
    app.store.clock.advance(24 * HOUR);
    await app.runDue();
    expect(app.teamChat.posts).toEqual([]);
    await app.advance(HOUR);
    expect(app.teamChat.posts).toHaveLength(1);
  });
});

describe('a receiver that never answers', () => {
  it('delays no alert of another tenant and no later decision', async () => {
    app.webhook.respond = () => ({ status: 0, isHeld: true });
    await app.changePreferences({ channels: { webhook: app.channels().webhook } });
    const other = await app.store.newTenant();
    await alerts().changePreferences(other, { channels: { team_chat: app.channels().team_chat } });
    await app.detect(detection());
    while (app.webhook.posts.length === 0) await alerts().feed(50);

    await app.store.send(other, runSpans(99));
    await app.store.settle();
    while (app.teamChat.posts.length === 0) await alerts().feed(50);
    await app.detect(detection({ fingerprint: 'fp-next' }));
    while ((await history()).length < 2) await alerts().feed(50);
    // The second message of the receiver waits for the first.
    expect(app.webhook.posts).toHaveLength(1);
    alerts().close();
    app.webhook.dropConnections();
    await alerts().idle();
    expect((await deliveries()).map(({ state }) => state)).toEqual(['pending', 'pending']);
  });
});

describe('a receiver', () => {
  const answer = (...answers: ScriptedResponse[]) => void app.teamChat.responses.push(...answers);
  beforeEach(onlyTeamChat);

  it('that fails is retried with increasing delays until it succeeds', async () => {
    answer({ status: 500 }, { status: 502 }, { status: 0, isBroken: true });
    await app.detect(detection());
    const tries: number[] = [];
    for (let second = 0; second < 240; second += 1) {
      await app.advance(SECOND);
      if (app.teamChat.posts.length > tries.length) tries.push(second);
    }
    expect(tries).toHaveLength(4);
    const pauses = tries.slice(1).map((second, place) => second - (tries[place] as number));
    expect(pauses[0]).toBeGreaterThanOrEqual(4);
    expect(pauses[1]).toBeGreaterThan(pauses[0] as number);
    expect(pauses[2]).toBeGreaterThan(pauses[1] as number);
    expect(await deliveries()).toMatchObject([{ state: 'delivered', attempts: 4, problem: null }]);
  });

  it('that sends Retry-After gets no message before that, including later messages', async () => {
    answer({ status: 429, headers: { 'retry-after': '120' } });
    await app.detect(detection());
    await app.runDue();
    await app.detect(detection({ fingerprint: 'later', title: 'Later' }));
    await app.advance(100 * SECOND);
    expect(app.teamChat.posts).toHaveLength(1);
    await app.advance(30 * SECOND);
    expect(titles(app.teamChat)).toEqual(['Warning: Repeated call', 'Warning: Repeated call', 'Warning: Later']);
    expect((await deliveries()).map(({ attempts }) => attempts)).toEqual([1, 1]);
  });

  it.each([404, 410])('that answers %d is switched off, visibly, and on again by hand', async (status) => {
    answer({ status, body: 'channel_is_archived' });
    await app.detect(detection());
    await app.detect(detection({ fingerprint: 'second' }));
    await app.advance(HOUR);
    expect(app.teamChat.posts).toHaveLength(1);
    const { team_chat: off } = (await preferences()).channels;
    expect(off).toMatchObject({
      enabled: false,
      status: { state: 'disabled', problem: `Switched off: The receiver answered ${status} (channel_is_archived).` },
    });
    expect((await deliveries()).map(({ state }) => state)).toEqual(['failed', 'failed']);
    await app.detect(detection({ fingerprint: 'third' }));
    await app.runDue();
    expect(app.teamChat.posts).toHaveLength(1);
    await app.changePreferences({ channels: { team_chat: { enabled: true } } });
    expect((await preferences()).channels.team_chat.status).toMatchObject({ state: 'ok', problem: null });
    await app.detect(detection({ fingerprint: 'fourth' }));
    await app.runDue();
    expect(app.teamChat.posts).toHaveLength(2);
  });

  it.each([400, 403, 302])('that answers %d is not tried again with this message', async (status) => {
    answer({ status, body: 'no', headers: { location: `${app.webhook.url}/elsewhere` } });
    await app.detect(detection());
    await app.advance(HOUR);
    expect([app.teamChat.posts.length, app.webhook.posts.length]).toEqual([1, 0]);
    expect(await deliveries()).toMatchObject([{ state: 'failed', problem: `The receiver answered ${status} (no).` }]);
    expect((await preferences()).channels.team_chat).toMatchObject({ enabled: true, status: { state: 'failing' } });
  });

  it('that always fails is given up within a day', async () => {
    app.teamChat.respond = () => ({ status: 503 });
    await app.detect(detection());
    for (let hour = 0; hour < 30; hour += 1) await app.advance(HOUR);
    expect(app.teamChat.posts.length).toBeGreaterThan(4);
    expect(await deliveries()).toMatchObject([{ state: 'failed', problem: 'Given up. The receiver answered 503.' }]);
    const before = app.teamChat.posts.length;
    await app.advance(24 * HOUR);
    expect(app.teamChat.posts).toHaveLength(before);
  });

  it('that is replaced while the old one answers 410 stays enabled', async () => {
    const url = `${app.teamChat.url}/services/new`;
    app.teamChat.respond = () => ({ status: 404 });
    await app.detect(detection());
    const working = app.runDue();
    await app.changePreferences({ channels: { team_chat: { webhook_url: url } } });
    await working;
    const { enabled } = (await preferences()).channels.team_chat;
    const usedNew = app.teamChat.posts.some(({ path }) => path === '/services/new');
    expect(enabled).toBe(!usedNew);
  });

  it('is the one of the preferences at the time of the try', async () => {
    answer({ status: 500 });
    await app.detect(detection());
    await app.runDue();
    await app.changePreferences({ channels: { team_chat: { webhook_url: `${app.teamChat.url}/moved` } } });
    await app.advance(MINUTE);
    expect(app.teamChat.posts.at(-1)?.path).toBe('/moved');
  });

  it('that was removed from the preferences gets no more messages', async () => {
    answer({ status: 500 });
    await app.detect(detection());
    await app.runDue();
    await app.changePreferences({ channels: { team_chat: { enabled: false } } });
    await app.advance(HOUR);
    expect(app.teamChat.posts).toHaveLength(1);
    expect(await deliveries()).toMatchObject([{ state: 'cancelled' }]);
  });
});

describe('the failure of one receiver', () => {
  it('does not repeat messages to other receivers', async () => {
    await allChannels();
    app.communityChat.responses.push(
      { status: 429, headers: { 'retry-after': '1' }, body: { retry_after: 64.57, global: false } },
      { status: 500 },
    );
    app.mail.rejectionCode = (address) =>
      address === 'lead@example.com' && app.store.clock.now() < NOON + 20 * SECOND ? 451 : null;
    app.webhook.responses.push({ status: 500 });
    await app.detect(detection());
    await app.runDue();
    for (let minute = 0; minute < 10; minute += 1) await app.advance(MINUTE);
    expect(app.teamChat.posts).toHaveLength(1);
    expect(app.communityChat.posts).toHaveLength(3);
    expect(app.mail.mails.map(({ to }) => to[0]).sort()).toEqual(['lead@example.com', 'ops@example.com']);
    expect(new Set(app.webhook.posts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(app.webhook.posts.map(({ text }) => text)).toEqual(Array(2).fill(app.webhook.posts[0]?.text));
    expect((await deliveries()).every(({ state }) => state === 'delivered')).toBe(true);
  });

  it('respects the retry delay in the body of the community chat', async () => {
    await app.changePreferences({ channels: { community_chat: app.channels().community_chat } });
    app.communityChat.responses.push({ status: 429, headers: { 'retry-after': '1' }, body: { retry_after: 64.57 } });
    await app.detect(detection());
    await app.runDue();
    await app.advance(64 * SECOND);
    expect(app.communityChat.posts).toHaveLength(1);
    await app.advance(SECOND);
    expect(app.communityChat.posts).toHaveLength(2);
  });

  it('of an address that does not exist is final', async () => {
    await app.changePreferences({ channels: { email: app.channels().email } });
    app.mail.rejectionCode = (address) => (address === 'lead@example.com' ? 550 : null);
    await app.detect(detection());
    await app.advance(HOUR);
    expect((await deliveries()).map(({ target, state }) => [target, state])).toEqual([
      ['lead@example.com', 'failed'],
      ['ops@example.com', 'delivered'],
    ]);
  });
});

const NOON = Date.UTC(2026, 0, 15, 12);

describe('a crash', () => {
  /** A process that dies when it has sent `most` messages: nothing after that is written. */
  function dyingProcess(most: number) {
    const { db } = app.store;
    const preferences = preferenceStoreOf(dirname(app.store.file));
    const options = { db, clock: app.store.clock, random: systemRandom, preferences };
    let sent = 0;
    const send: SendAlert = async (_message, to) => {
      if (sent === most) return new Promise(() => {});
      sent += 1;
      const response = await fetch(`${to.channel === 'team_chat' ? app.teamChat.url : app.webhook.url}/direct`, {
        method: 'POST',
        body: JSON.stringify({ text: 'x', blocks: [{ type: 'header', text: { type: 'plain_text', text: 'x' } }] }),
      });
      return response.ok ? { kind: 'delivered' } : { kind: 'failed', reason: 'no' };
    };
    return {
      router: new AlertRouter({ ...options, canMail: false, webAddress: PAGES }),
      delivery: new AlertDelivery({ ...options, send, leases: { owner: async () => 'me' } }),
    };
  }

  it.each([0, 1, 2, 3])('after %d of 4 sends loses no message and repeats no accepted one', async (most) => {
    await onlyTeamChat();
    for (let number = 0; number < 4; number += 1) await app.detect(detection({ fingerprint: `fp ${number}` }));
    const dying = dyingProcess(most);
    await dying.router.routeDetections(app.store.clock.now(), 100);
    void dying.delivery.deliverDue(100);
    await expect.poll(() => app.teamChat.posts.length).toBe(most);
    await expect.poll(async () => (await deliveries()).filter(({ state }) => state === 'delivered').length).toBe(most);
    // What the dead one had taken is free when its lease is over.
    await app.advance(SECOND);
    expect(app.teamChat.posts).toHaveLength(most);
    await app.advance(3 * MINUTE);
    expect(app.teamChat.posts).toHaveLength(4);
    await app.advance(HOUR);
    expect(app.teamChat.posts).toHaveLength(4);
  });

  it('of a real process, killed while a receiver has not answered, repeats only what was not answered', async () => {
    await onlyTeamChat();
    for (let number = 0; number < 4; number += 1)
      await app.detect(detection({ fingerprint: `fp ${number}`, title: `Fault ${number}` }));
    app.teamChat.responses.push({ status: 200 }, { status: 200 }, { status: 0, isHeld: true });
    const program = resolve(import.meta.dirname, '../../../test/support/alert-sender-process.ts');
    const args = [program, dirname(app.store.file), String(app.store.clock.now())];
    const child = spawn(process.execPath, args, { stdio: 'inherit' });
    await expect.poll(() => app.teamChat.posts.length, { timeout: 20_000 }).toBe(3);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');
    await app.advance(SECOND);
    expect(app.teamChat.posts).toHaveLength(3);
    await app.advance(2 * MINUTE);
    await app.advance(HOUR);
    const order = [0, 1, 2, 2, 3].map((number) => `Warning: Fault ${number}`);
    expect(titles(app.teamChat)).toEqual(order);
  }, 30_000);

  it('between a decision and its message is undone as a whole', async () => {
    await onlyTeamChat();
    await app.detect(detection());
    const { db, clock } = app.store;
    const random = () => {
      throw new Error('killed');
    };
    const preferences = preferenceStoreOf(dirname(app.store.file));
    const router = new AlertRouter({ db, clock, random, canMail: false, preferences, webAddress: PAGES });
    await expect(router.routeDetections(clock.now(), 10)).rejects.toThrow('killed');
    await app.runDue();
    expect(app.teamChat.posts).toHaveLength(1);
  });

  it('leaves two processes at work that do not double anything', async () => {
    await onlyTeamChat();
    for (let number = 0; number < 20; number += 1) await app.detect(detection({ fingerprint: `fp ${number}` }));
    const second = await app.store.openSecond({});
    const runs = [alerts(), second.services.alerts, alerts(), second.services.alerts];
    // In turn and not at once: in one thread a connection that waits for a lock would stop the one that holds it.
    for (const each of runs) await each.runDue(7);
    await app.runDue();
    await second.close();
    expect(app.teamChat.posts).toHaveLength(20);
  });
});

describe('the next time something is due', () => {
  it('is that of the earliest of all', async () => {
    const due = () => alerts().nextDueAt();
    expect(await due()).toBeNull();
    await onlyTeamChat();
    app.teamChat.responses.push({ status: 503, headers: { 'retry-after': '30' } });
    await app.detect(detection());
    expect(await due()).toBe(app.store.clock.now());
    await app.runDue();
    expect(await due()).toBe(app.store.clock.now() + 30 * SECOND);
    await app.advance(30 * SECOND);
    expect(await due()).toBe(app.store.clock.now() - 30 * SECOND + 10 * MINUTE);
    await app.advance(10 * MINUTE);
    expect(await due()).toBeNull();
    await app.changePreferences(quiet());
    await app.detect(detection({ fingerprint: 'held' }));
    await app.runDue();
    await app.advance(10 * MINUTE);
    expect(await due()).toBe(Date.UTC(2026, 0, 15, 13));
  });
});
