import { AppError, type FieldError } from '../../core/app-error.ts';
import { isMask, maskedSecret, maskedUrl } from './masked-secret.ts';
import type { PreferencesInput } from './preferences.record.ts';
import { type Preferences, withChange } from './preferences.ts';

const WEBHOOKS = ['team_chat', 'community_chat', 'webhook'] as const;
const SECRET = /^whsec_[A-Za-z0-9+/]+={0,2}$/;

/**
 * The preferences after a change: masks stand for what they mask, and whatever is switched on has what it needs.
 * @param urlProblem why a URL may not be used; null where it may
 * @throws AppError `invalid_body` with a pointer to each field at fault
 */
export function checkedChange(
  before: Preferences,
  input: PreferencesInput,
  { urlProblem, makeSecret }: { urlProblem(url: URL): string | null; makeSecret(): string },
): { preferences: Preferences; isSecretMade: boolean } {
  const errors: FieldError[] = [];
  const after = withChange(before, withoutStatus(input) as never);
  for (const channel of WEBHOOKS) {
    const pointer = `/channels/${channel}/webhook_url`;
    const settings = after.channels[channel];
    const old = before.channels[channel].webhook_url;
    if (settings.webhook_url !== null && old !== null && settings.webhook_url === maskedUrl(old))
      settings.webhook_url = old;
    const problem =
      settings.webhook_url === null || settings.webhook_url === old ? null : wrongUrl(settings.webhook_url);
    if (problem !== null) errors.push({ pointer, message: problem });
    if (settings.enabled && settings.webhook_url === null)
      errors.push({ pointer, message: 'is needed while the channel is on' });
  }
  const { webhook, email } = after.channels;
  const oldSecret = before.channels.webhook.secret;
  if (oldSecret !== null && webhook.secret === maskedSecret(oldSecret)) webhook.secret = oldSecret;
  if (webhook.secret !== null && !isSecret(webhook.secret))
    errors.push({ pointer: '/channels/webhook/secret', message: 'must be whsec_ and 24 to 64 bytes in base64' });
  const isSecretMade = webhook.webhook_url !== null && webhook.secret === null;
  if (isSecretMade) webhook.secret = makeSecret();
  if (email.enabled && email.addresses.length === 0)
    errors.push({ pointer: '/channels/email/addresses', message: 'needs an address while the channel is on' });
  const { start, end } = after.quiet_hours;
  if (start === end) errors.push({ pointer: '/quiet_hours/end', message: 'must differ from the start' });
  if (errors.length > 0) throw new AppError('invalid_body', 'The preferences do not fit.', { errors });
  return { preferences: after, isSecretMade };

  function wrongUrl(text: string): string | null {
    if (isMask(text)) return 'is the mask of another URL; give the whole URL';
    const url = URL.parse(text);
    return url === null ? 'must be a URL such as https://…' : urlProblem(url);
  }
}

/** What GET adds for reading is not kept. */
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
