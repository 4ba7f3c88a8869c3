import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { respondAsSlack } from '../../../test/support/chat-limits.ts';
import { derailedRun } from '../../../test/support/derailed-run.ts';
import { type JudgeServer, startJudgeServer } from '../../../test/support/judge-server.ts';
import { sendJson } from '../../../test/support/send-json.ts';
import { openStoreApp, runSpans, type StoreApp, traceIdOf } from '../../../test/support/store-app.ts';
import { startReceiver, type WebhookReceiver } from '../../../test/support/webhook-receiver.ts';
import { ALERT_WAIT_MS } from './judge-cache.ts';

const YES = '{"answer":"yes","reason":"It is a recipe."}';
const NO = '{"answer":"no","reason":"It takes the request up."}';
const UNSURE = '{"answer":"unsure","reason":"Cannot tell."}';

let server: JudgeServer;
let chat: WebhookReceiver;
let store: StoreApp;
let tenantId: string;
beforeEach(async () => {
  [server, chat] = await Promise.all([startJudgeServer(), startReceiver(respondAsSlack)]);
  await open();
});
afterEach(async () => {
  await store.close();
  await Promise.all([server.close(), chat.close()]);
});

async function open(change: { isConfigured?: boolean; isWanted?: boolean; calls?: number } = {}): Promise<void> {
  const { isConfigured = true, isWanted = true, calls = 10 } = change;
  const url = `${server.url}/v1`;
  const provider = 'openai' as const;
  const endpoint = { provider, url, model: 'small', apiKey: 'k', maxTokens: 300, timeoutMs: 2_000 };
  store = await openStoreApp({
    config: {
      judge: { endpoint: isConfigured ? endpoint : null, budget: { calls, tokens: 100_000 } },
      alerts: { smtp: null, allowPrivateWebhooks: ['127.0.0.0/8'] },
    },
    dependencies: { judge: { sleep: async () => {} } },
  });
  tenantId = await store.newTenant();
  // What the model is asked about is in preview by default.
  await store.services.settings.switchDetectors(tenantId, { derailment: true });
  const channel = { enabled: true, webhook_url: `${chat.url}/services/T1/B1/secret` };
  await store.services.alerts.changePreferences(tenantId, { channels: { team_chat: channel } });
  if (isWanted) await store.services.judge.change(tenantId, { enabled: true });
}

async function reopen(change: Parameters<typeof open>[0]): Promise<void> {
  await store.close();
  await open(change);
}

const judge = () => store.services.judge.runDue(50);
/** How many alerts have come by now, once everything that is due is done. */
async function alerts(): Promise<number> {
  while ((await store.services.alerts.runDue(50)) > 0);
  return chat.posts.length;
}
async function derail(): Promise<void> {
  await store.send(tenantId, derailedRun(1));
  await store.settle();
}

describe('an alert about a detection that a model is asked about', () => {
  it.each([
    ['comes after it agreed', YES, 1],
    ['comes after it was not sure', UNSURE, 1],
    ['comes after it spoke in riddles', 'garbage', 1],
    ['does not come where it took it for a false alarm', NO, 0],
  ])('%s', async (_name, answer, count) => {
    server.behave(() => answer);
    await derail();
    expect(await alerts()).toBe(0);
    expect(await store.services.alerts.nextDueAt()).toBe(store.clock.now() + ALERT_WAIT_MS);
    await judge();
    expect(await alerts()).toBe(count);
    store.clock.advance(ALERT_WAIT_MS);
    expect(await alerts()).toBe(count);
  });

  it('is sent in time if the model is never asked', async () => {
    await derail();
    store.clock.advance(ALERT_WAIT_MS - 1);
    expect(await alerts()).toBe(0);
    store.clock.advance(1);
    expect(await alerts()).toBe(1);
    server.behave(() => NO);
    await judge();
    expect(await alerts()).toBe(1);
  });

  it('is sent at once if the model cannot be reached', async () => {
    server.behave(() => (response) => sendJson(response, 503, {}));
    await derail();
    await judge();
    expect(await alerts()).toBe(1);
  });

  it('is sent at once if the budget is used up', async () => {
    await reopen({ calls: 0 });
    await derail();
    await judge();
    expect(await alerts()).toBe(1);
    expect(server.requests).toEqual([]);
  });

  it('is deleted with its trace', async () => {
    await derail();
    await store.services.deletion.deleteTrace(tenantId, traceIdOf(1));
    store.clock.advance(ALERT_WAIT_MS);
    expect(await alerts()).toBe(0);
    expect(await store.db.selectFrom('outbox').select('outbox_id').execute()).toEqual([]);
  });
});

describe('no alert waits', () => {
  it.each([
    ['where no model is configured', { isConfigured: false }],
    ['where the tenant does not want one asked', { isWanted: false }],
  ])('%s', async (_name, change) => {
    await reopen(change);
    await derail();
    expect(await alerts()).toBe(1);
  });

  it('about what the model is not asked about', async () => {
    await store.send(tenantId, runSpans(1));
    await store.send(tenantId, loopingRun());
    await store.settle();
    expect(await alerts()).toBeGreaterThan(0);
    expect(server.requests).toEqual([]);
  });
});

/** The same call with the same result, nine times. */
function loopingRun() {
  const [, tool, , root] = runSpans(2);
  const calls = Array.from({ length: 9 }, (_, at) => ({ ...tool!, spanId: `c${at.toString(16).padStart(15, '0')}` }));
  return [...calls, root!];
}
