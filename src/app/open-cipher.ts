import type { Random } from '../core/id.ts';
import { type Cipher, createCipher } from '../features/integrations/cipher.ts';
import type { AppConfig } from './config.ts';
import { readOrCreateSecretKey, readSecretKey } from './secret-key.ts';

/** Encrypts with `MISSTEP_SECRET_KEY`, otherwise with the file `secret-key` in the data folder; decrypting creates no file. */
export function openCipher(
  { integrations, dataFolder }: Pick<AppConfig, 'integrations' | 'dataFolder'>,
  random: Random,
): Cipher {
  return createCipher(
    () => integrations.readSecretKey() ?? readOrCreateSecretKey(dataFolder),
    random,
    () => integrations.readSecretKey() ?? readSecretKey(dataFolder),
  );
}
