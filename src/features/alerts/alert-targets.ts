import { ALERT_CHANNELS, type AlertChannel } from '../../core/alert.ts';
import type { Preferences } from './preferences.ts';

/** One receiver of a message; `target` is the mail address, otherwise empty. */
export interface AlertTarget {
  channel: AlertChannel;
  target: string;
}

/** Every receiver that the preferences name and this server can reach. */
export function targetsOf({ channels }: Preferences, canMail: boolean): AlertTarget[] {
  return ALERT_CHANNELS.flatMap((channel): AlertTarget[] => {
    if (!channels[channel].enabled) return [];
    if (channel !== 'email') return channels[channel].webhook_url === null ? [] : [{ channel, target: '' }];
    return canMail ? [...new Set(channels.email.addresses)].map((target) => ({ channel, target })) : [];
  });
}
