import type { Kysely } from 'kysely';
import type { Clock } from '../core/clock.ts';
import { readOrCreateInstanceValue } from '../store/instance.store.ts';
import type { Database } from '../store/schema.ts';
import type { AppConfig } from './config.ts';

/** When this instance had billing first. */
export async function billedSince(db: Kysely<Database>, clock: Clock): Promise<number> {
  return Number(await readOrCreateInstanceValue(db, 'billed_since', () => String(clock.now())));
}

/** Most programs that open a store never ask a payment provider. */
export async function paymentOf(config: AppConfig['payment']) {
  if (config === null) return null;
  const { createStripeProvider } = await import('../platforms/stripe/stripe-provider.ts');
  return { provider: createStripeProvider(config), config };
}
