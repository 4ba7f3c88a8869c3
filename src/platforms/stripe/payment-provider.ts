import type { PaymentEvent } from './payment-event.ts';

export interface PaymentConfig {
  secretKey: string;
  /** An event may be signed with any of them; if empty, no events are accepted. */
  webhookSecrets: readonly string[];
  /** By plan. */
  prices: Readonly<Record<string, PaymentPrice>>;
  /** Return URL; null: every request names it. */
  returnUrl: string | null;
  /** Overrides the provider's address. */
  address?: { host: string; port: number; protocol: 'http' | 'https' };
}

export interface PaymentPrice {
  priceId: string;
  /** Only for the list of plans; null if it is not reported. */
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

/** Operations of a payment provider. @throws AppError `unreachable`, `unavailable` */
export interface PaymentProvider {
  checkout(order: CheckoutOrder): Promise<{ sessionId: string; url: string; expiresAt: number }>;
  /** URL where a customer sees invoices and changes or cancels the subscription. */
  portal(customerId: string, returnUrl: string): Promise<string>;
  /**
   * Verifies the signature over the raw bytes.
   * @param now Unix milliseconds
   * @throws AppError `unauthenticated`, `malformed`, `invalid_body`
   */
  readEvent(body: Buffer, signature: string, now: number): PaymentEvent;
}
