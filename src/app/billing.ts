import type { Kysely } from 'kysely';
import type { Clock } from '../core/clock.ts';
import { readOrCreateInstanceValue } from '../store/instance.store.ts';
import type { Database } from '../store/schema.ts';
import type { AppConfig } from './config.ts';

/** When billing was first enabled on this instance. */
export async function billingEnabledSince(db: Kysely<Database>, clock: Clock): Promise<number> {
  return Number(await readOrCreateInstanceValue(db, 'billed_since', () => String(clock.now())));
}

/** Most commands that open a store never call a payment provider. */
export async function createPayment(config: AppConfig['payment']) {
  if (config === null) return null;
  const { createStripeProvider } = await import('../platforms/stripe/stripe-provider.ts');
  return { provider: createStripeProvider(config), config };
}
