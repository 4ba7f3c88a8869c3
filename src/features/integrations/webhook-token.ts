import type { Random } from '../../core/id.ts';
import { hashSecret, newSecret } from '../identity/api-key.ts';
import type { WebhookAccess } from './registration.record.ts';

/** Has the prefix of all Misstep secrets and a digit, so that redaction recognizes it wherever a platform echoes it. */
const PREFIX = 'mst_w1_';
const PATTERN = /^mst_w1_[0-9A-Za-z]{43}$/;
const SECRET_BYTES = 32;

/** The random part of a webhook URL: 256 random bits. */
export function newWebhookToken(random: Random): string {
  return PREFIX + newSecret(random);
}

/** SHA-256, hex, as stored; null for anything but a token. */
export function hashWebhookToken(token: string): string | null {
  return PATTERN.test(token) ? hashSecret(token) : null;
}

/** The shared secret of signed webhooks, in the format of Standard Webhooks. */
export function newWebhookSecret(random: Random): string {
  return `whsec_${Buffer.from(random(SECRET_BYTES)).toString('base64')}`;
}

/** The address and the secret of a new webhook, and the hash that is stored of its token. */
export function newWebhookAccess(
  integration: string,
  random: Random,
): { access: WebhookAccess; tokenHash: string | null } {
  const token = newWebhookToken(random);
  const access = { path: `/api/v1/${integration}/webhook/${token}`, secret: newWebhookSecret(random) };
  return { access, tokenHash: hashWebhookToken(token) };
}
