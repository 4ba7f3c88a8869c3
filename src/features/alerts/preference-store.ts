import type { AlertChannel } from '../../core/alert.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Db } from '../../store/connection.ts';
import { readSetting, writeSetting } from '../../store/setting.store.ts';
import type { Cipher } from '../integrations/cipher.ts';
import { isSealed, openText, sealText } from '../sealing/sealed-text.ts';
import { DEFAULT_PREFERENCES, type Preferences, withChange } from './preferences.ts';

/** Name of the setting. */
export const PREFERENCES = 'notifications';

const SECRET_FIELDS = [
  ['team_chat', 'webhook_url'],
  ['community_chat', 'webhook_url'],
  ['webhook', 'webhook_url'],
  ['webhook', 'secret'],
] as const;

/** Notification preferences in the store. Webhook URLs and keys are encrypted there. */
export interface PreferenceStore {
  /** Members that a newer version added get their defaults; a secret encrypted with another key is null. */
  read(db: Db, tenantNo: number): Promise<Preferences>;
  write(db: Db, tenantNo: number, preferences: Preferences, now: number): Promise<void>;
  /** Channels with a secret that was encrypted with another key: it must be entered again. */
  lostChannels(db: Db, tenantNo: number): Promise<AlertChannel[]>;
  /** Encrypts what is stored as plain text. @returns whether there was any */
  sealStored(db: Db, tenantNo: number, now: number): Promise<boolean>;
}

export function createPreferenceStore(cipher: Cipher): PreferenceStore {
  const ownerOf = (tenantNo: number, channel: string, field: string) => `alerts/${tenantNo}/${channel}/${field}`;

  async function stored(db: Db, tenantNo: number): Promise<Preferences> {
    const setting = (await readSetting(db, tenantNo, PREFERENCES)) as Partial<Preferences> | null;
    return withChange(DEFAULT_PREFERENCES, setting ?? {});
  }

  function mapSecrets(
    preferences: Preferences,
    change: (text: string, channel: AlertChannel, field: string) => string | null,
  ): Preferences {
    const channels = structuredClone(preferences.channels);
    for (const [channel, field] of SECRET_FIELDS) {
      const settings: Partial<Record<typeof field, string | null>> = channels[channel];
      const text = settings[field];
      if (text != null) settings[field] = change(text, channel, field);
    }
    return { ...preferences, channels };
  }

  async function write(db: Db, tenantNo: number, preferences: Preferences, now: number): Promise<void> {
    const sealed = mapSecrets(preferences, (text, channel, field) =>
      sealText(cipher, text, ownerOf(tenantNo, channel, field)),
    );
    await writeSetting(db, tenantNo, PREFERENCES, sealed as unknown as JsonObject, now);
  }

  return {
    write,
    async read(db, tenantNo) {
      return mapSecrets(await stored(db, tenantNo), (text, channel, field) =>
        openText(cipher, text, ownerOf(tenantNo, channel, field)),
      );
    },
    async lostChannels(db, tenantNo) {
      const lost = new Set<AlertChannel>();
      mapSecrets(await stored(db, tenantNo), (text, channel, field) => {
        if (openText(cipher, text, ownerOf(tenantNo, channel, field)) === null) lost.add(channel);
        return text;
      });
      return [...lost];
    },
    async sealStored(db, tenantNo, now) {
      const preferences = await stored(db, tenantNo);
      let hasPlain = false;
      mapSecrets(preferences, (text) => {
        hasPlain ||= !isSealed(text);
        return text;
      });
      if (hasPlain) await write(db, tenantNo, preferences, now);
      return hasPlain;
    },
  };
}
