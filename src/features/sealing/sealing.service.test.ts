import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { preferenceStoreOf } from '../../../test/support/stored-preferences.ts';
import { DEFAULT_CONFIG, databaseFileOf } from '../../app/config.ts';
import { type App, openApp } from '../../app/open-app.ts';
import { copyBeforeMigrating } from '../../store/data-folder/migration-copies.ts';
import { writeSetting } from '../../store/setting.store.ts';
import { insertSigningKey } from '../../store/signing-key.store.ts';
import { inTransaction } from '../../store/transaction.ts';

const clock = { now: () => Date.UTC(2026, 0, 15, 12) };
const SIGNING_SECRET = 'c2lnbmluZy1rZXktdGhhdC1nb2VzLXdpdGhvdXQtc2VhbA';
const CHAT_URL = 'https://hooks.chat.example/services/T0/B0/plain-text-address';
const HOOK_SECRET = 'whsec_cGxhaW4tdGV4dC1zZWNyZXQtb2YtdGhlLXdlYmhvb2s=';
const SECRETS = [SIGNING_SECRET, CHAT_URL, HOOK_SECRET];

let folder: string;
let app: App;
let tenantId: string;
let apiKey: string;

const open = () => openApp({ ...DEFAULT_CONFIG, dataFolder: folder }, { clock });
const reopen = async () => {
  await app.close();
  app = await open();
};

/** The names of the files that hold one of the secrets, as bytes. */
function filesWithSecrets(): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => SECRETS.some((secret) => readFileSync(file).includes(secret)));
}

/** As a version before 0019 left it: secrets in the file, in the log and in a copy. */
async function storePlainSecrets(): Promise<void> {
  const { db } = app.store;
  await insertSigningKey(db, { kid: 'sig_old', secret: SIGNING_SECRET, created_at: 1, retired_at: null });
  await inTransaction(db, (transaction) =>
    writeSetting(
      transaction,
      1,
      'notifications',
      {
        channels: {
          team_chat: { enabled: true, webhook_url: CHAT_URL },
          webhook: { enabled: true, webhook_url: `${CHAT_URL}/2`, secret: HOOK_SECRET },
        },
      },
      1,
    ),
  );
  await copyBeforeMigrating({ file: databaseFileOf(folder), durability: 'normal' }, clock);
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-sealing-'));
  app = await open();
  const tenant = await app.services.tenants.create({ name: 'desk' });
  [tenantId, apiKey] = [tenant.tenant_id, tenant.api_key];
});
afterEach(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

describe('secrets that are stored as plain text', () => {
  it('are in no byte of the data folder after a start, and still work', async () => {
    await storePlainSecrets();
    expect(filesWithSecrets().length).toBeGreaterThanOrEqual(2);
    expect(await app.services.sealing.run()).toEqual({ lost: [] });
    expect(filesWithSecrets()).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.bak'))).toEqual([]);
    const { channels } = await preferenceStoreOf(folder).read(app.store.db, 1);
    expect(channels.team_chat).toEqual({ enabled: true, webhook_url: CHAT_URL });
    expect(channels.webhook.secret).toBe(HOOK_SECRET);
    const { access_token } = await app.services.tokens.exchange(apiKey);
    expect(JSON.parse(Buffer.from(access_token.split('.')[0] as string, 'base64url').toString()).kid).toBe('sig_old');
    await reopen();
    expect(filesWithSecrets()).toEqual([]);
  });

  it('are sealed once: another run leaves the rows as they are', async () => {
    await storePlainSecrets();
    await app.services.sealing.run();
    const rows = async () => [
      await app.store.db.selectFrom('signing_keys').selectAll().execute(),
      await app.store.db.selectFrom('settings').selectAll().execute(),
    ];
    const before = await rows();
    await app.services.sealing.run();
    expect(await rows()).toEqual(before);
  });

  it('are completed by the next start where a reader kept old pages of the log', async () => {
    await storePlainSecrets();
    const reader = new BetterSqlite3(databaseFileOf(folder), { readonly: true });
    reader.exec('begin; select count(*) from tenants');
    await app.services.sealing.run();
    expect(filesWithSecrets()).not.toEqual([]);
    reader.close();
    await app.services.sealing.run();
    expect(filesWithSecrets()).toEqual([]);
  }, 20_000);

  it('of later versions are never written', async () => {
    await app.services.sealing.run();
    await app.services.alerts.changePreferences(tenantId, {
      channels: { team_chat: { enabled: true, webhook_url: CHAT_URL } },
    });
    await app.services.tokens.exchange(apiKey);
    expect(filesWithSecrets()).toEqual([]);
    expect(await app.store.db.selectFrom('signing_keys').select('secret').execute()).toEqual([
      { secret: expect.stringMatching(/^sealed:1:/) },
    ]);
  });
});

describe('a store opened with another secret key', () => {
  beforeEach(async () => {
    await storePlainSecrets();
    await app.services.sealing.run();
  });

  it.each([
    ['changed', () => writeFileSync(join(folder, 'secret-key'), 'another-secret-key-altogether\n')],
    ['missing', () => rmSync(join(folder, 'secret-key'))],
  ])('(%s) says what to enter again, makes new signing keys, and goes on', async (_name, change) => {
    const { access_token: before } = await app.services.tokens.exchange(apiKey);
    await app.close();
    change();
    app = await open();
    const { lost } = await app.services.sealing.run();
    expect(lost).toEqual([`alert channels team_chat, webhook of ${tenantId}`]);
    const { channels } = await app.services.alerts.preferences(tenantId);
    expect(channels.team_chat).toMatchObject({ enabled: true, webhook_url: null });
    expect(channels.team_chat?.status).toMatchObject({ state: 'failing', problem: expect.stringMatching(/again/) });
    expect(await app.services.tokens.verify(before)).toBeNull();
    const { access_token } = await app.services.tokens.exchange(apiKey);
    expect(await app.services.tokens.verify(access_token)).toMatchObject({ tenantId });
    await app.services.alerts.changePreferences(tenantId, {
      channels: {
        team_chat: { webhook_url: CHAT_URL },
        webhook: { webhook_url: `${CHAT_URL}/2`, secret: HOOK_SECRET },
      },
    });
    expect((await app.services.sealing.run()).lost).toEqual([]);
  });

  it('that only reads creates no key', async () => {
    await app.close();
    rmSync(join(folder, 'secret-key'));
    app = await open();
    await app.services.alerts.preferences(tenantId);
    expect(existsSync(join(folder, 'secret-key'))).toBe(false);
  });
});
