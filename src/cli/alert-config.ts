import type { AlertConfig } from '../app/config.ts';
import { AppError } from '../core/app-error.ts';
import { createAddressGuard } from '../platforms/outbound/address-guard.ts';
import { partProblem } from '../platforms/outbound/url-parts.ts';
import type { Io } from './io.ts';
import { secretVariable } from './secret-variable.ts';

/** Mail settings, and the private networks to which webhooks may be sent. @throws AppError `usage` */
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
  const parsed = URL.parse(url);
  // The message omits the text, which may contain a password.
  if (parsed === null || (parsed.protocol !== 'smtp:' && parsed.protocol !== 'smtps:') || parsed.hostname === '')
    throw new AppError('usage', 'MISSTEP_SMTP_URL takes a URL such as smtp://user:password@mail.example.com:587.');
  const problem = smtpProblem(url, parsed);
  if (problem !== null) throw new AppError('usage', `MISSTEP_SMTP_URL ${problem}.`);
  if (!from?.includes('@'))
    throw new AppError('usage', 'MISSTEP_SMTP_URL requires MISSTEP_SMTP_FROM: the address of the sender.');
  return { url, from };
}

function smtpProblem(text: string, url: URL): string | null {
  if (url.search === '' || REQUIRE_TLS.test(url.search)) {
    const parts = partProblem(text, url.search === '' ? ['query', 'fragment'] : ['fragment']);
    return (
      parts ?? (isDecodable(url.username) && isDecodable(url.password) ? null : 'has a % that is not encoded as %25')
    );
  }
  return 'takes no query other than ?require_tls=true';
}

const REQUIRE_TLS = /^\?require_tls=(?:true|false)$/;

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
