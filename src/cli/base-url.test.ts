import { describe, expect, it } from 'vitest';
import { assertBaseUrl } from './base-url.ts';
import { toDatadogEndpoint } from './datadog-config.ts';
import { toPaymentConfig } from './payment-config.ts';

describe('a base address', () => {
  it.each(['http://127.0.0.1:4319', 'https://desk.example/base/', 'http://[::1]:80'])('%s is accepted', (text) => {
    expect(() => assertBaseUrl('--server', text, 'http://x')).not.toThrow();
  });

  it.each([
    ['nonsense', 'takes an address'],
    ['ftp://desk.example', 'takes an address'],
    ['http://desk.example/?a=1', 'no query'],
    ['http://desk.example?', 'no query'],
    ['http://desk.example/#top', 'no fragment'],
    ['http://desk.example#', 'no fragment'],
    ['http://user@desk.example', 'no user name'],
    ['http://user:secret@desk.example', 'no password'],
  ])('%s is refused with the name of the field', (text, message) => {
    expect(() => assertBaseUrl('--server', text, 'http://x')).toThrow(message);
    expect(() => assertBaseUrl('--server', text, 'http://x')).toThrow(/^--server/);
    expect(() => assertBaseUrl('--server', text, 'http://x')).not.toThrow(/secret/);
  });
});

describe('the addresses of vendors', () => {
  const datadog = (url: string) => toDatadogEndpoint({ MISSTEP_DATADOG_API_KEY: 'k', MISSTEP_DATADOG_URL: url });
  const stripe = (url: string) => toPaymentConfig({ MISSTEP_STRIPE_KEY: 'k', MISSTEP_STRIPE_URL: url });

  it('can be set', () => {
    expect(datadog('http://127.0.0.1:8080/')?.baseUrl).toBe('http://127.0.0.1:8080');
    expect(datadog('')?.baseUrl).toBe('https://api.datadoghq.com');
    expect(stripe('http://127.0.0.1:8080')?.address).toEqual({ host: '127.0.0.1', port: 8080, protocol: 'http' });
    expect(stripe('https://proxy.example')?.address).toEqual({ host: 'proxy.example', port: 443, protocol: 'https' });
    expect(stripe('')).not.toHaveProperty('address');
  });

  it.each(['http://x/?a=1', 'http://u@x', 'x'])('%s is rejected', (url) => {
    expect(() => datadog(url)).toThrow(/^MISSTEP_DATADOG_URL/);
    expect(() => stripe(url)).toThrow(/^MISSTEP_STRIPE_URL/);
  });
});
