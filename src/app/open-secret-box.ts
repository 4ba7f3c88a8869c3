import type { Random } from '../core/id.ts';
import { createSecretBox, type SecretBox } from '../features/integrations/secret-box.ts';
import type { AppConfig } from './config.ts';
import { readOrCreateSecretKey, readSecretKey } from './secret-key.ts';

/** Seals with `MISSTEP_SECRET_KEY`, else with the file `secret-key` in the data folder; opening creates no file. */
export function openSecretBox(
  { integrations, dataFolder }: Pick<AppConfig, 'integrations' | 'dataFolder'>,
  random: Random,
): SecretBox {
  return createSecretBox(
    () => integrations.readSecretKey() ?? readOrCreateSecretKey(dataFolder),
    random,
    () => integrations.readSecretKey() ?? readSecretKey(dataFolder),
  );
}
