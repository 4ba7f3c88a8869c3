import { AppError } from '../../core/app-error.ts';
import type { FieldError } from '../../core/field-error.ts';
import { partProblem } from '../../platforms/outbound/url-parts.ts';
import { isMask, maskedSecret, maskedUrl } from './masked-secret.ts';
import type { PreferencesInput } from './preferences.record.ts';
import { type Preferences, withChange } from './preferences.ts';

const WEBHOOKS = ['team_chat', 'community_chat', 'webhook'] as const;
const SECRET = /^whsec_[A-Za-z0-9+/]+={0,2}$/;

/**
 * The preferences after a change: masks are replaced by the masked values, and every enabled channel is complete.
 * @param urlProblem why a URL is rejected; null if it is allowed
 * @throws AppError `invalid_body` with a pointer to each invalid field
 */
export function validateChange(
  before: Preferences,
  input: PreferencesInput,
  { urlProblem, createSecret }: { urlProblem(url: URL): string | null; createSecret(): string },
): { preferences: Preferences; isSecretNew: boolean } {
  const after = unmasked(before, withChange(before, withoutStatus(input) as never));
  const errors = [
    ...WEBHOOKS.flatMap((channel) => urlErrors(channel, before, after, urlProblem)),
    ...secretErrors(after),
    ...otherErrors(after),
  ];
  if (errors.length > 0) throw new AppError('invalid_body', 'The preferences failed validation.', { errors });
  const { webhook } = after.channels;
  const isSecretNew = webhook.webhook_url !== null && webhook.secret === null;
  if (isSecretNew) webhook.secret = createSecret();
  return { preferences: after, isSecretNew };
}

/** Replaces masks by the masked values. */
function unmasked(before: Preferences, after: Preferences): Preferences {
  for (const channel of WEBHOOKS) {
    const old = before.channels[channel].webhook_url;
    if (old !== null && after.channels[channel].webhook_url === maskedUrl(old))
      after.channels[channel].webhook_url = old;
  }
  const { secret } = before.channels.webhook;
  if (secret !== null && after.channels.webhook.secret === maskedSecret(secret)) after.channels.webhook.secret = secret;
  return after;
}

function urlErrors(
  channel: (typeof WEBHOOKS)[number],
  before: Preferences,
  after: Preferences,
  urlProblem: (url: URL) => string | null,
): FieldError[] {
  const pointer = `/channels/${channel}/webhook_url`;
  const { enabled, webhook_url: text } = after.channels[channel];
  if (text === null) return enabled ? [{ pointer, message: 'is required while the channel is enabled' }] : [];
  if (text === before.channels[channel].webhook_url) return [];
  if (isMask(text)) return [{ pointer, message: 'is the mask of another URL; send the full URL' }];
  const url = URL.parse(text);
  const message =
    url === null ? 'must be a URL such as https://…' : (partProblem(text, ['fragment']) ?? urlProblem(url));
  return message === null ? [] : [{ pointer, message }];
}

function secretErrors({ channels }: Preferences): FieldError[] {
  const { secret } = channels.webhook;
  if (secret === null || isSecret(secret)) return [];
  return [{ pointer: '/channels/webhook/secret', message: 'must be whsec_ and 24 to 64 bytes in base64' }];
}

function otherErrors({ channels, quiet_hours: hours }: Preferences): FieldError[] {
  const errors: FieldError[] = [];
  if (channels.email.enabled && channels.email.addresses.length === 0)
    errors.push({ pointer: '/channels/email/addresses', message: 'needs an address while the channel is enabled' });
  if (hours.start === hours.end) errors.push({ pointer: '/quiet_hours/end', message: 'must differ from the start' });
  return errors;
}

/** Read-only members of GET are not stored. */
function withoutStatus({ channels, ...rest }: PreferencesInput): object {
  const kept = Object.entries(channels ?? {}).map(([name, settings]) => {
    const { status: _status, ...own } = settings ?? {};
    return [name, own];
  });
  return { ...rest, channels: Object.fromEntries(kept) };
}

function isSecret(text: string): boolean {
  const bytes = Buffer.from(text.slice('whsec_'.length), 'base64').length;
  return SECRET.test(text) && bytes >= 24 && bytes <= 64;
}
