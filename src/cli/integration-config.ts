import type { IntegrationConfig } from '../app/config.ts';
import { AppError } from '../core/app-error.ts';
import { createAddressGuard, PRIVATE_NETWORKS } from '../platforms/outbound/address-guard.ts';
import type { Io } from './io.ts';
import { secretVariable } from './secret-variable.ts';

const MIN_KEY_CHARACTERS = 16;

/**
 * The key that encrypts platform credentials, and the private networks in which platforms are allowed.
 * @param isSingleUser only the user of the command can register addresses, so all private networks are allowed
 * @throws AppError `usage`
 */
export function toIntegrationConfig(
  env: Io['env'],
  allowed: readonly string[] | undefined,
  isSingleUser: boolean,
): IntegrationConfig {
  const named = allowed ?? listOf(env.MISSTEP_ALLOW_PRIVATE_PLATFORMS);
  const allowPrivate = named.length > 0 || !isSingleUser ? named : PRIVATE_NETWORKS;
  try {
    createAddressGuard(allowPrivate);
  } catch (error) {
    throw new AppError('usage', `--allow-private-platforms: ${(error as Error).message}.`);
  }
  return { readSecretKey: () => readSecretKey(env), allowPrivate };
}

/** @throws AppError `usage` */
function readSecretKey(env: Io['env']): string | null {
  const key = secretVariable(env, 'MISSTEP_SECRET_KEY') ?? null;
  if (key !== null && key.length < MIN_KEY_CHARACTERS)
    throw new AppError('usage', `MISSTEP_SECRET_KEY needs at least ${MIN_KEY_CHARACTERS} characters.`);
  return key;
}

function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
