import { DEFAULT_CONFIG } from '../../src/app/config.ts';
import { openCipher } from '../../src/app/open-cipher.ts';
import { systemRandom } from '../../src/core/id.ts';
import { createPreferenceStore, type PreferenceStore } from '../../src/features/alerts/preference-store.ts';

/** Notification preferences in the store of a data folder, as its server reads them. */
export function preferenceStoreOf(dataFolder: string): PreferenceStore {
  return createPreferenceStore(openCipher({ ...DEFAULT_CONFIG, dataFolder }, systemRandom));
}
