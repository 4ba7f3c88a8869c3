import { HealingService, type HealingServiceOptions } from '../features/healing/healing.service.ts';
import { createSettingsExecutor } from '../features/healing/settings.executor.ts';
import type { SettingsService } from '../features/settings/settings.service.ts';
import { createConfigFileExecutor } from '../platforms/healing/config-file.executor.ts';
import type { AnyExecutor } from '../platforms/healing/executor.ts';
import { createHttpJsonExecutor } from '../platforms/healing/http-json.executor.ts';
import { createJsonResourceClient } from '../platforms/healing/json-resource.ts';
import { createAddressGuard } from '../platforms/outbound/address-guard.ts';
import { createSendRequest } from '../platforms/outbound/send-request.ts';
import type { AppDependencies } from './app-dependencies.ts';
import type { AppConfig } from './config.ts';

/** Builds the healing service with an executor for each kind of resource that it can change. */
export function openHealing({
  config,
  dependencies,
  settings,
  platformExecutors,
  ...parts
}: Omit<HealingServiceOptions, 'executors'> & {
  config: Pick<AppConfig, 'alerts' | 'healingRoots'>;
  dependencies: Pick<AppDependencies, 'resolveHost' | 'healingExecutors'>;
  settings: Pick<SettingsService, 'forget'>;
  platformExecutors: readonly AnyExecutor[];
}): HealingService {
  const { db, clock } = parts;
  const guard = createAddressGuard(config.alerts.allowPrivateWebhooks, '--allow-private-webhooks');
  const sendRequest = createSendRequest({ guard, resolveHost: dependencies.resolveHost });
  return new HealingService({
    ...parts,
    executors: [
      createConfigFileExecutor(config.healingRoots),
      createSettingsExecutor({ db, clock, forget: (tenantNo) => settings.forget(tenantNo) }),
      createHttpJsonExecutor(createJsonResourceClient(sendRequest)),
      ...platformExecutors,
      ...(dependencies.healingExecutors ?? []),
    ],
  });
}
