import type { Detection } from '../../src/core/detection.ts';
import type { PreferencesInput } from '../../src/features/alerts/preferences.record.ts';
import { createInThreadExecutor } from '../../src/features/analysis/executor.ts';
import { createModelCatalog } from '../../src/formats/model-catalog/catalog.ts';
import { respondAsDiscord, respondAsSlack } from './chat-limits.ts';
import { type MailServer, startMailServer } from './mail-server.ts';
import { openStoreApp, runSpans, type StoreApp, spanIdOf, traceIdOf } from './store-app.ts';
import { startReceiver, type WebhookReceiver } from './webhook-receiver.ts';

/** A store with fixed analysis results, and a local receiver for every channel. */
export interface AlertApp {
  store: StoreApp;
  tenantId: string;
  teamChat: WebhookReceiver;
  communityChat: WebhookReceiver;
  webhook: WebhookReceiver;
  mail: MailServer;
  /** Sends a new trace whose analysis reports these detections. */
  detect(...detections: Detection[]): Promise<string>;
  /** Sends the newest trace again with a later span; its analysis now reports these detections. */
  redetect(...detections: Detection[]): Promise<void>;
  /** Processes alerts until none is due. */
  runDue(): Promise<void>;
  /** Advances the clock, then processes due alerts. */
  advance(ms: number): Promise<void>;
  changePreferences(change: PreferencesInput): Promise<void>;
  /** Settings of the channels with all of them enabled. */
  channels(): NonNullable<PreferencesInput['channels']>;
  close(): Promise<void>;
}

export async function openAlertApp(): Promise<AlertApp> {
  const [teamChat, communityChat, webhook, mail] = await Promise.all([
    startReceiver(respondAsSlack),
    startReceiver(respondAsDiscord),
    startReceiver(),
    startMailServer(),
  ]);
  let current: Detection[] = [];
  const inner = createInThreadExecutor(createModelCatalog());
  const run: typeof inner.run = async (input) => ({ ...(await inner.run(input)), detections: current });
  const smtp = { url: mail.url, from: 'Misstep <alerts@misstep.example>' };
  const store = await openStoreApp({
    config: { alerts: { smtp, allowPrivateWebhooks: ['127.0.0.0/8'] } },
    dependencies: { executor: { ...inner, run } },
  });
  const tenantId = await store.newTenant();
  let traces = 0;
  let later = 0;

  async function runDue(): Promise<void> {
    while ((await store.services.alerts.runDue(200)) > 0);
  }

  return {
    store,
    tenantId,
    teamChat,
    communityChat,
    webhook,
    mail,
    async detect(...detections) {
      current = detections;
      traces += 1;
      await store.send(tenantId, runSpans(traces));
      await store.settle();
      return traceIdOf(traces);
    },
    async redetect(...detections) {
      current = detections;
      later += 1;
      const [span] = runSpans(traces);
      await store.send(tenantId, [{ ...span!, spanId: spanIdOf(100 + later), parentSpanId: span!.spanId }]);
      await store.settle();
    },
    runDue,
    async advance(ms) {
      store.clock.advance(ms);
      await runDue();
    },
    async changePreferences(change) {
      await store.services.alerts.changePreferences(tenantId, change);
    },
    channels: () => ({
      team_chat: { enabled: true, webhook_url: `${teamChat.url}/services/T1/B1/secret` },
      community_chat: { enabled: true, webhook_url: `${communityChat.url}/api/webhooks/1/token` },
      email: { enabled: true, addresses: ['ops@example.com', 'lead@example.com'] },
      webhook: { enabled: true, webhook_url: `${webhook.url}/hook` },
    }),
    async close() {
      await store.close();
      await Promise.all([teamChat, communityChat, webhook, mail].map((server) => server.close()));
    },
  };
}

/** A detection; each fingerprint has a separate issue. */
export function detection(overrides: Partial<Detection> = {}): Detection {
  return {
    type: 'loop',
    subtype: 'exact',
    failureModes: ['F3'],
    agent: 'planner',
    spanIds: ['s1'],
    step: 1,
    confidence: 0.6,
    isCalibrated: false,
    severity: 'warning',
    tier: 'experimental',
    method: 'rule',
    title: 'Repeated call',
    explanation: 'It went round.',
    businessImpact: 'Tokens.',
    suggestedAction: 'Stop.',
    evidence: [],
    wastedTokens: 0,
    wastedCostUsd: 0,
    fixes: [],
    fingerprint: 'fp-loop',
    ...overrides,
  };
}
