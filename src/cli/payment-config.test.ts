import { describe, expect, it } from 'vitest';
import { toDatadogEndpoint } from './datadog-config.ts';
import { toPaymentConfig } from './payment-config.ts';

const KEY = { MISSTEP_STRIPE_KEY: 'sk_live_secret' };

describe('payment settings', () => {
  it('are none without a key', () => {
    expect(toPaymentConfig({ MISSTEP_STRIPE_PRICES: 'pro=price_1' })).toBeNull();
  });

  it('name secrets, prices and the way back', () => {
    const env = {
      ...KEY,
      MISSTEP_STRIPE_WEBHOOK_SECRET: 'whsec_1, whsec_2',
      MISSTEP_STRIPE_PRICES: 'pro=price_1:49.50,team=price_2',
      MISSTEP_STRIPE_RETURN_URL: 'https://app.example.com/billing',
    };
    expect(toPaymentConfig(env)).toEqual({
      secretKey: 'sk_live_secret',
      webhookSecrets: ['whsec_1', 'whsec_2'],
      prices: { pro: { priceId: 'price_1', usdPerMonth: 49.5 }, team: { priceId: 'price_2', usdPerMonth: null } },
      returnUrl: 'https://app.example.com/billing',
    });
  });

  it.each([
    ['an unknown plan', { MISSTEP_STRIPE_PRICES: 'gold=price_1' }],
    ['the free plan', { MISSTEP_STRIPE_PRICES: 'free=price_1' }],
    ['no price id', { MISSTEP_STRIPE_PRICES: 'pro=49' }],
    ['an amount that is none', { MISSTEP_STRIPE_PRICES: 'pro=price_1:cheap' }],
    ['a way back that is no web page', { MISSTEP_STRIPE_RETURN_URL: 'app.example.com' }],
  ])('with %s are refused, without a word of the key', (_title, env) => {
    expect(() => toPaymentConfig({ ...KEY, ...env })).toThrow(expect.objectContaining({ code: 'usage' }));
    expect(() => toPaymentConfig({ ...KEY, ...env })).not.toThrow(/sk_live/);
  });
});

describe('Datadog settings', () => {
  const key = { MISSTEP_DATADOG_API_KEY: 'dd-secret' };

  it('are none without a key', () => {
    expect(toDatadogEndpoint({ MISSTEP_DATADOG_SITE: 'datadoghq.eu' })).toBeNull();
  });

  it.each([
    [undefined, 'https://api.datadoghq.com'],
    ['datadoghq.eu', 'https://api.datadoghq.eu'],
    ['us5.datadoghq.com', 'https://api.us5.datadoghq.com'],
  ])('with the site %s lead to %s', (site, baseUrl) => {
    expect(toDatadogEndpoint({ ...key, MISSTEP_DATADOG_SITE: site })).toMatchObject({ baseUrl, apiKey: 'dd-secret' });
  });

  it.each(['https://datadoghq.com', 'datadoghq.com/x', 'localhost', 'a@b.com', 'datadoghq.com:80'])(
    'refuse the site %s, without a word of the key',
    (site) => {
      const read = () => toDatadogEndpoint({ ...key, MISSTEP_DATADOG_SITE: site });
      expect(read).toThrow(expect.objectContaining({ code: 'usage' }));
      expect(read).not.toThrow(/dd-secret/);
    },
  );
});
