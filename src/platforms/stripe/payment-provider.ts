import type { PaymentEvent } from './payment-event.ts';

export interface PaymentConfig {
  secretKey: string;
  /** Each may have signed; empty takes no events. */
  webhookSecrets: readonly string[];
  /** By plan. */
  prices: Readonly<Record<string, PaymentPrice>>;
  /** Where people come back to; null: every request names it. */
  returnUrl: string | null;
  /** Another address than the provider's. */
  address?: { host: string; port: number; protocol: 'http' | 'https' };
}

export interface PaymentPrice {
  priceId: string;
  /** For the list of plans only; null where it is not told. */
  usdPerMonth: number | null;
}

export interface CheckoutOrder {
  priceId: string;
  plan: string;
  tenantId: string;
  customerId: string | null;
  successUrl: string;
  cancelUrl: string;
}

/** What billing asks of a payment provider. @throws AppError `unreachable`, `unavailable` */
export interface PaymentProvider {
  checkout(order: CheckoutOrder): Promise<{ sessionId: string; url: string; expiresAt: number }>;
  /** Where a customer sees invoices and changes or ends the subscription. */
  portal(customerId: string, returnUrl: string): Promise<string>;
  /**
   * Checks the signature over the bytes as they came.
   * @param now Unix milliseconds
   * @throws AppError `unauthenticated`, `malformed`, `invalid_body`
   */
  readEvent(body: Buffer, signature: string, now: number): PaymentEvent;
}
