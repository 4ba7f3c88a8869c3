import type { InstanceFeatures } from '../features/identity/session.record.ts';
import type { AppConfig } from './config.ts';

/** Which optional parts of the instance are configured. */
export function instanceFeaturesOf(
  config: Pick<AppConfig, 'judge' | 'payment' | 'alerts' | 'datadog'>,
): InstanceFeatures {
  return {
    judge: config.judge.endpoint !== null,
    billing: config.payment !== null,
    mail: config.alerts.smtp !== null,
    datadog: config.datadog !== null,
  };
}
