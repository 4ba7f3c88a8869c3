import { describe, expect, it } from 'vitest';
import { createAddressGuard } from './address-guard.ts';

const guard = createAddressGuard([]);

describe('the public address space', () => {
  it.each(['8.8.8.8', '1.1.1.1', '172.15.0.1', '172.32.0.1', '192.167.0.1', '2606:4700:4700::1111', '::ffff:8.8.8.8'])(
    'contains %s',
    (address) => {
      expect(guard.isAllowed(address)).toBe(true);
    },
  );

  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '203.0.113.9',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    '2606:4700::1%eth0',
    'ff02::1',
    'localhost',
    '',
  ])('does not contain %s', (address) => {
    expect(guard.isAllowed(address)).toBe(false);
  });
});

describe('an exception', () => {
  it.each([
    ['10.1.0.0/16', '10.1.2.3', true],
    ['10.1.0.0/16', '10.2.0.1', false],
    ['10.1.0.0/16', '::ffff:10.1.2.3', true],
    ['127.0.0.1', '127.0.0.1', true],
    ['127.0.0.1', '127.0.0.2', false],
    ['fd00::/8', 'fd12::1', true],
    ['::1', '::1', true],
    ['0.0.0.0/0', '192.168.0.1', true],
  ])('of %s allows %s: %s', (block, address, isAllowed) => {
    expect(createAddressGuard([block]).isAllowed(address)).toBe(isAllowed);
  });

  it.each([
    ['127.0.0.1', 'misstep serve --allow-private-webhooks 127.0.0.1'],
    ['10.1.2.3', 'misstep serve --allow-private-webhooks 10.1.2.3'],
    ['::1', 'misstep serve --allow-private-webhooks ::1'],
    // Link-local addresses, where clouds serve credentials, and reserved addresses.
    ['169.254.169.254', null],
    ['0.0.0.0', null],
  ])('of %s is by %s', (address, command) => {
    expect(createAddressGuard([], '--allow-private-webhooks').commandToAllow(address)).toBe(command);
    expect(createAddressGuard([]).commandToAllow(address)).toBe(null);
  });

  it.each(['10.0.0.0/33', 'nowhere', '10.0.0.0/', '10.0.0.0/8/8', '::/129', '10.0.0.0/-1'])('is not %s', (block) => {
    expect(() => createAddressGuard([block])).toThrow(RangeError);
  });
});
