import { type AlertService, createAlertService } from '../features/alerts/alert.service.ts';
import { createSendAlert } from '../features/alerts/alert-senders.ts';
import { createAddressGuard } from '../platforms/outbound/address-guard.ts';
import { createPost } from '../platforms/outbound/post.ts';
import { urlProblem } from '../platforms/outbound/send-request.ts';
import type { AppDependencies } from './app-dependencies.ts';
import type { AppConfig } from './config.ts';

type AlertParts = Pick<
  Parameters<typeof createAlertService>[0],
  'db' | 'clock' | 'random' | 'leases' | 'preferences' | 'webAddress' | 'tenantNoOf' | 'onDelivered'
>;

/** Builds the alert service with its senders: webhooks, chats and mail. */
export async function openAlerts({
  config,
  dependencies,
  ...parts
}: AlertParts & {
  config: Pick<AppConfig, 'alerts'>;
  dependencies: Pick<AppDependencies, 'resolveHost'>;
}): Promise<AlertService> {
  const { smtp, allowPrivateWebhooks } = config.alerts;
  const guard = createAddressGuard(allowPrivateWebhooks, '--allow-private-webhooks');
  const post = createPost({ guard, resolveHost: dependencies.resolveHost });
  // Most commands that open a store never send mail.
  const sendMail = smtp === null ? null : (await import('../platforms/smtp/send-mail.ts')).createSendMail(smtp);
  return createAlertService({
    ...parts,
    send: createSendAlert({ post, sendMail, clock: parts.clock }),
    canMail: sendMail !== null,
    urlProblem: (url) => urlProblem(url, guard),
  });
}
