import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp, type Tenant } from '../../../test/support/http-app.ts';
import { preferenceStoreOf } from '../../../test/support/stored-preferences.ts';
import type { Json } from '../../core/json.ts';

let http: HttpFixture;
let tenant: Tenant;
beforeEach(async () => {
  http = await startHttpApp();
  tenant = await http.newTenant();
});
afterEach(() => http.close());

const path = () => `/api/v1/tenants/${tenant.tenantId}/preferences/notifications`;
const get = async () => (await http.send({ path: path(), credential: tenant.apiKey })).json;
const put = (body: Json) => http.send({ method: 'PUT', path: path(), credential: tenant.apiKey, body });
const stored = () => preferenceStoreOf(http.dataFolder).read(http.app.store.db, 1);

const SLACK = 'https://hooks.slack.com/services/T000/B000/sEcReTsEcReT';

describe('notification preferences', () => {
  it('have no channel and the floor warning by default', async () => {
    expect(await get()).toMatchObject({
      min_severity: 'warning',
      channels: {
        team_chat: { enabled: false, webhook_url: null, status: { state: 'off', problem: null } },
        community_chat: { enabled: false },
        email: { enabled: false, addresses: [] },
        webhook: { enabled: false, secret: null },
      },
      per_detector: {},
      quiet_hours: { enabled: false },
      digest: { enabled: true, more_than: 10 },
    });
  });

  it('changes the given members, and null restores a default', async () => {
    await put({ min_severity: 'info', per_detector: { loop: { min_severity: 'critical' } } });
    await put({ quiet_hours: { enabled: true, timezone: 'Asia/Kathmandu' } });
    expect(await get()).toMatchObject({
      min_severity: 'info',
      per_detector: { loop: { min_severity: 'critical' } },
      quiet_hours: { enabled: true, start: '22:00', end: '07:00', timezone: 'Asia/Kathmandu' },
    });
    await put({ min_severity: null, per_detector: {}, quiet_hours: null });
    expect(await get()).toMatchObject({ min_severity: 'warning', per_detector: {}, quiet_hours: { enabled: false } });
  });

  it('accept their own response without a change', async () => {
    await put({
      channels: {
        team_chat: { enabled: true, webhook_url: SLACK },
        webhook: { enabled: true, webhook_url: 'https://example.com/hook?key=abc' },
        email: { enabled: true, addresses: ['ops@example.com'] },
      },
      per_detector: { injection: { min_severity: 'info' } },
    });
    const [before, answer] = [await stored(), await get()];
    expect((await put(answer)).json).toEqual(answer);
    expect(await stored()).toEqual(before);
  });
});

describe('a secret', () => {
  it('in a URL is masked, and sending the mask keeps it', async () => {
    const answer = await put({ channels: { team_chat: { enabled: true, webhook_url: SLACK } } });
    const mask = 'https://hooks.slack.com/****cReT';
    expect(answer.json.channels.team_chat.webhook_url).toBe(mask);
    expect(answer.text).not.toContain('sEcReT');
    await put({ channels: { team_chat: { enabled: false, webhook_url: mask } } });
    expect((await stored()).channels.team_chat).toEqual({ enabled: false, webhook_url: SLACK });
  });

  it('is not restored by the mask of another URL', async () => {
    await put({ channels: { team_chat: { webhook_url: SLACK } } });
    const answer = await put({ channels: { team_chat: { webhook_url: 'https://hooks.slack.com/****0000' } } });
    expect(answer).toMatchObject({ status: 422, json: { errors: [{ pointer: '/channels/team_chat/webhook_url' }] } });
    expect((await stored()).channels.team_chat.webhook_url).toBe(SLACK);
  });

  it('that signs is created, shown once, kept when its mask is sent, and replaced when null is sent', async () => {
    const hook = { enabled: true, webhook_url: 'https://example.com/hook' };
    const first = (await put({ channels: { webhook: hook } })).json.channels.webhook.secret;
    expect(first).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const mask = (await get()).channels.webhook.secret;
    expect(mask).toBe(`whsec_****${first.slice(-4)}`);
    expect((await put({ channels: { webhook: { secret: mask } } })).json.channels.webhook.secret).toBe(mask);
    expect((await stored()).channels.webhook.secret).toBe(first);
    const second = (await put({ channels: { webhook: { secret: null } } })).json.channels.webhook.secret;
    expect(second).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(second).not.toBe(first);
    const own = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    expect((await put({ channels: { webhook: { secret: own } } })).json.channels.webhook.secret).toBe('whsec_****LaSw');
  });

  it('never reaches the log', async () => {
    await put({ channels: { team_chat: { webhook_url: SLACK } } });
    expect(JSON.stringify(http.logLines)).not.toContain('sEcReT');
  });
});

it('names the address that is not public, and the command that allows it', async () => {
  const channels = { webhook: { enabled: true, webhook_url: 'http://127.0.0.1:9477/hook' } };
  expect((await put({ channels })).json.errors).toEqual([
    {
      pointer: '/channels/webhook/webhook_url',
      message:
        'points to 127.0.0.1, which is not a public address; the operator of the server can allow it with `misstep serve --allow-private-webhooks 127.0.0.1`',
    },
  ]);
});

describe('invalid preferences', () => {
  const url = (webhook_url: string) => ({ channels: { team_chat: { enabled: true, webhook_url } } });
  const URL_POINTER = '/channels/team_chat/webhook_url';
  it.each<[string, Json, string]>([
    ['an unknown severity', { min_severity: 'urgent' }, '/min_severity'],
    ['an unknown member', { min_severty: 'info' }, '/min_severty'],
    ['an unknown channel', { channels: { pager: {} } }, '/channels/pager'],
    ['an unknown detector', { per_detector: { bogus: { min_severity: 'info' } } }, '/per_detector/bogus'],
    ['a channel that is on without a URL', { channels: { team_chat: { enabled: true } } }, URL_POINTER],
    ['no URL', url('hooks.slack.com'), URL_POINTER],
    ['another protocol', url('ftp://example.com/'), URL_POINTER],
    ['a private address', url('http://10.0.0.1/'), URL_POINTER],
    ['loopback in another spelling', url('http://0x7f.1/'), URL_POINTER],
    ['loopback of IPv6', url('http://[::1]/'), URL_POINTER],
    ['the metadata service', url('http://169.254.169.254/'), URL_POINTER],
    ['a password in the URL', url('https://me:pass@example.com/'), URL_POINTER],
    ['a fragment', url('https://example.com/hook#part'), URL_POINTER],
    ['an empty fragment', url('https://example.com/hook#'), URL_POINTER],
    ['mail without recipients', { channels: { email: { enabled: true } } }, '/channels/email/addresses'],
    ['no address', { channels: { email: { addresses: ['ops'] } } }, '/channels/email/addresses/0'],
    [
      'a header in an address',
      { channels: { email: { addresses: ['a@example.com\r\nBcc: b@example.com'] } } },
      '/channels/email/addresses/0',
    ],
    [
      'two addresses in one',
      { channels: { email: { addresses: ['a@example.com,b@example.com'] } } },
      '/channels/email/addresses/0',
    ],
    ['no time of day', { quiet_hours: { start: '24:00' } }, '/quiet_hours/start'],
    ['no window', { quiet_hours: { start: '07:00' } }, '/quiet_hours/end'],
    ['no time zone', { quiet_hours: { timezone: 'Berlin' } }, '/quiet_hours/timezone'],
    ['a bare offset', { quiet_hours: { timezone: '+02:00' } }, '/quiet_hours/timezone'],
    ['a short secret', { channels: { webhook: { secret: 'whsec_c2hvcnQ=' } } }, '/channels/webhook/secret'],
    ['a digest of none', { digest: { more_than: 0 } }, '/digest/more_than'],
    ['null for a switch', { channels: { email: { enabled: null } } }, '/channels/email/enabled'],
  ])('%s is refused by name and changes nothing', async (_name, body, pointer) => {
    const before = await get();
    const answer = await put(body);
    expect(answer).toMatchObject({ status: 422, json: { code: 'invalid_body' } });
    expect(answer.json.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
    expect(await get()).toEqual(before);
  });
});

describe('a test', () => {
  const test = () => http.send({ method: 'POST', path: `${path()}/test`, credential: tenant.apiKey });

  it('without channels sends nothing', async () => {
    expect((await test()).json).toEqual({ results: [] });
  });

  it('reports missing settings and forbidden addresses', async () => {
    await put({
      channels: {
        team_chat: { enabled: true, webhook_url: 'http://localhost:1/' },
        email: { enabled: true, addresses: ['ops@example.com'] },
      },
    });
    expect((await test()).json.results).toEqual([
      {
        channel: 'team_chat',
        target: null,
        delivered: false,
        problem:
          'The host name resolves to an address that is not public. The operator of the server can allow it with `misstep serve --allow-private-webhooks ADDRESS`.',
      },
      { channel: 'email', target: null, delivered: false, problem: expect.stringContaining('MISSTEP_SMTP_URL') },
    ]);
    const { team_chat, email } = (await get()).channels;
    expect([team_chat.status.state, email.status.state]).toEqual(['failing', 'unavailable']);
  });
});

describe('an action on an issue', () => {
  const post = (issueId: string, verb: string, body?: Json) =>
    http.send({
      method: 'POST',
      path: `/api/v1/tenants/${tenant.tenantId}/issues/${issueId}/${verb}`,
      credential: tenant.apiKey,
      body,
    });
  it.each<[string, Json | undefined]>([
    ['resolve', undefined],
    ['reopen', undefined],
    ['ignore', { runs: 1 }],
    ['snooze', { until: '2027-01-01' }],
  ])('that is not there: %s', async (verb, body) => {
    expect(await post('iss_none', verb, body)).toMatchObject({ status: 404, json: { code: 'not_found' } });
  });

  it.each<[Json, string]>([
    [{ until: 'soon' }, '/until'],
    [{ until: '2001-01-01' }, '/until'],
    [{ runs: 1 }, '/runs'],
  ])('until %j is refused', async (body, pointer) => {
    expect(await post('iss_none', 'snooze', body)).toMatchObject({ status: 422, json: { errors: [{ pointer }] } });
  });
});
