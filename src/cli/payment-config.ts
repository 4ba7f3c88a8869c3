import { AppError } from '../core/app-error.ts';
import type { PaymentConfig, PaymentPrice } from '../platforms/stripe/payment-provider.ts';
import { assertBaseUrl } from './base-url.ts';
import type { Io } from './io.ts';
import { secretVariable } from './secret-variable.ts';

const PRICE = /^(pro|team|enterprise)=(price_[A-Za-z0-9_]+)(?::(\d+(?:\.\d{1,2})?))?$/;

/** Null without `MISSTEP_STRIPE_KEY(_FILE)`. @throws AppError `usage` */
export function toPaymentConfig(env: Io['env']): PaymentConfig | null {
  const secretKey = secretVariable(env, 'MISSTEP_STRIPE_KEY');
  if (!secretKey) return null;
  return {
    secretKey,
    webhookSecrets: listOf(secretVariable(env, 'MISSTEP_STRIPE_WEBHOOK_SECRET')),
    prices: Object.fromEntries(listOf(env.MISSTEP_STRIPE_PRICES).map(toPrice)),
    ...toAddress(env.MISSTEP_STRIPE_URL),
    returnUrl: toReturnUrl(env.MISSTEP_STRIPE_RETURN_URL),
  };
}

function toPrice(text: string): [string, PaymentPrice] {
  const [, plan, priceId, amount] = PRICE.exec(text) ?? [];
  if (plan === undefined || priceId === undefined)
    throw new AppError(
      'usage',
      `MISSTEP_STRIPE_PRICES takes items such as pro=price_123 or pro=price_123:49, not ${JSON.stringify(text)}.`,
    );
  return [plan, { priceId, usdPerMonth: amount === undefined ? null : Number(amount) }];
}

/** Overrides the provider's address, for example with a proxy's. */
function toAddress(text: string | undefined): Pick<PaymentConfig, 'address'> {
  if (!text) return {};
  assertBaseUrl('MISSTEP_STRIPE_URL', text, 'https://api.stripe.com');
  const { protocol, hostname, port, pathname } = new URL(text);
  if (pathname !== '/') throw new AppError('usage', 'MISSTEP_STRIPE_URL takes no path.');
  const isHttps = protocol === 'https:';
  return {
    address: { host: hostname, port: Number(port || (isHttps ? 443 : 80)), protocol: isHttps ? 'https' : 'http' },
  };
}

function toReturnUrl(text: string | undefined): string | null {
  if (!text) return null;
  const protocol = URL.parse(text)?.protocol;
  if (protocol === 'https:' || protocol === 'http:') return text;
  throw new AppError('usage', `MISSTEP_STRIPE_RETURN_URL takes an http(s) URL, not ${JSON.stringify(text)}.`);
}

function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
