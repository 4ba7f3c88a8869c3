import { describe, expect, it } from 'vitest';
import { PRIVATE_NETWORKS } from '../platforms/outbound/address-guard.ts';
import { toIntegrationConfig } from './integration-config.ts';

describe('where platforms may stand', () => {
  it.each<[string, Record<string, string>, string[] | undefined, boolean, readonly string[]]>([
    ['one’s own network, for oneself', {}, undefined, true, PRIVATE_NETWORKS],
    ['public addresses, for others', {}, undefined, false, []],
    ['what is named, for others', {}, ['10.0.0.0/8'], false, ['10.0.0.0/8']],
    ['what is named alone, for oneself', {}, ['10.0.0.0/8'], true, ['10.0.0.0/8']],
    [
      'what the variable names',
      { MISSTEP_ALLOW_PRIVATE_PLATFORMS: '10.0.0.1, ::1' },
      undefined,
      false,
      ['10.0.0.1', '::1'],
    ],
    [
      'what the flag names before the variable',
      { MISSTEP_ALLOW_PRIVATE_PLATFORMS: '::1' },
      ['10.0.0.1'],
      false,
      ['10.0.0.1'],
    ],
  ])('is %s', (_name, env, flag, isSingleUser, expected) => {
    expect(toIntegrationConfig(env, flag, isSingleUser).allowPrivate).toEqual(expected);
  });

  it('is no name', () => {
    expect(() => toIntegrationConfig({}, ['n8n.example'], false)).toThrow('--allow-private-platforms');
  });
});

describe('the key', () => {
  it('comes from the environment', () => {
    expect(toIntegrationConfig({ MISSTEP_SECRET_KEY: 'x'.repeat(16) }, undefined, true).readSecretKey()).toBe(
      'x'.repeat(16),
    );
    expect(toIntegrationConfig({}, undefined, true).readSecretKey()).toBeNull();
  });

  it('is not too short', () => {
    const { readSecretKey } = toIntegrationConfig({ MISSTEP_SECRET_KEY: 'short' }, undefined, true);
    expect(readSecretKey).toThrow('16 characters');
  });
});
