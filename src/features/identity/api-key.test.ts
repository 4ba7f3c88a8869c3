import { describe, expect, it } from 'vitest';
import { newId, systemRandom } from '../../core/id.ts';
import { formatApiKey, hashSecret, isSecret, newSecret, parseApiKey } from './api-key.ts';

const keyId = newId('key', { now: () => 1_760_000_000_000 });
const secret = newSecret(systemRandom);
const text = formatApiKey({ keyId, secret });

describe('API key', () => {
  it('reads what it wrote', () => {
    expect(text).toMatch(/^mst_[0-9a-z]{26}_[0-9A-Za-z]{49}$/);
    expect(parseApiKey(text)).toEqual({ keyId, secret });
  });

  it('has a secret of fixed length, whatever the random bytes', () => {
    expect(newSecret((size) => new Uint8Array(size))).toBe('0'.repeat(43));
    expect(newSecret((size) => new Uint8Array(size).fill(255))).toHaveLength(43);
  });

  it.each([
    ['empty', ''],
    ['another prefix', text.replace('mst_', 'sk_')],
    ['a mistyped digit', text.slice(0, 40) + (text[40] === 'A' ? 'B' : 'A') + text.slice(41)],
    ['a wrong checksum', `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`],
    ['one digit too many', `${text}0`],
    ['a newline behind', `${text}\n`],
    ['a very long text', `mst_${'a'.repeat(1_000_000)}`],
  ])('refuses %s', (_name, wrong) => {
    expect(parseApiKey(wrong)).toBeNull();
  });

  it.each([
    ['the right secret', secret, true],
    ['another secret', newSecret(systemRandom), false],
    ['an empty secret', '', false],
  ])('compares %s', (_name, candidate, expected) => {
    expect(isSecret(candidate, hashSecret(secret))).toBe(expected);
  });

  it('does not match a malformed hash', () => {
    expect(isSecret(secret, '')).toBe(false);
    expect(isSecret(secret, 'zz')).toBe(false);
  });
});
