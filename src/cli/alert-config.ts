import type { AlertConfig } from '../app/config.ts';
import { AppError } from '../core/app-error.ts';
import { createAddressGuard } from '../platforms/outbound/address-guard.ts';
import type { Io } from './io.ts';
import { secretVariable } from './secret-variable.ts';

/** Mail settings and the addresses that webhooks may lead to. @throws AppError `usage` */
export function toAlertConfig(env: Io['env'], allowed: readonly string[] | undefined): AlertConfig {
  const allowPrivateWebhooks = allowed ?? listOf(env.MISSTEP_ALLOW_PRIVATE_WEBHOOKS);
  try {
    createAddressGuard(allowPrivateWebhooks);
  } catch (error) {
    throw new AppError('usage', `--allow-private-webhooks: ${(error as Error).message}.`);
  }
  return { smtp: toSmtp(secretVariable(env, 'MISSTEP_SMTP_URL'), env.MISSTEP_SMTP_FROM), allowPrivateWebhooks };
}

function toSmtp(url: string | undefined, from: string | undefined): AlertConfig['smtp'] {
  if (url === undefined) return null;
  const protocol = URL.parse(url)?.protocol;
  // The text may hold a password and is not repeated.
  if (protocol !== 'smtp:' && protocol !== 'smtps:')
    throw new AppError('usage', 'MISSTEP_SMTP_URL takes a URL such as smtp://user:password@mail.example.com:587.');
  if (!from?.includes('@'))
    throw new AppError(
      'usage',
      'MISSTEP_SMTP_FROM is needed beside MISSTEP_SMTP_URL: the address that mails come from.',
    );
  return { url, from };
}

function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
