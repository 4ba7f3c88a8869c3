import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createProxyTrust } from './peer-address.ts';

function request(remoteAddress: string, headers: Record<string, string> = {}): IncomingMessage {
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
}

describe('clientOf', () => {
  it.each([
    ['the peer', '203.0.113.7', '', [], '203.0.113.7'],
    ['a mapped peer', '::ffff:203.0.113.7', '', [], '203.0.113.7'],
    ['the peer if no proxy is trusted', '203.0.113.7', '198.51.100.1', [], '203.0.113.7'],
    ['the peer if it is not a trusted proxy', '203.0.113.7', '198.51.100.1', ['10.0.0.0/8'], '203.0.113.7'],
    ['a trusted proxy', '10.0.0.1', '198.51.100.1', ['10.0.0.0/8'], '198.51.100.1'],
    [
      'the last untrusted address of a chain',
      '10.0.0.1',
      '1.1.1.1, 198.51.100.1, 10.2.2.2',
      ['10.0.0.0/8'],
      '198.51.100.1',
    ],
    ['the proxy if it forwards no address', '10.0.0.1', '', ['10.0.0.1'], '10.0.0.1'],
    ['the proxy if it forwards an invalid address', '10.0.0.1', '198.51.100.1, <x>', ['10.0.0.1'], '10.0.0.1'],
    ['IPv6 by /64', '2001:db8:1:2:aaaa::1', '', [], '2001:db8:1:2::/64'],
    ['short IPv6 by /64', '2001:db8::1', '', [], '2001:db8:0:0::/64'],
    ['loopback IPv6', '::1', '', [], '0:0:0:0::/64'],
    ['an IPv6 zone', 'fe80::1%eth0', '', [], 'fe80:0:0:0::/64'],
    ['a trusted IPv6 block', '2001:db8::1', '198.51.100.1', ['2001:db8::/32'], '198.51.100.1'],
  ])('is %s', (_name, peer, forwarded, trusted, expected) => {
    const headers: Record<string, string> = forwarded ? { 'x-forwarded-for': forwarded } : {};
    expect(createProxyTrust(trusted).clientOf(request(peer, headers))).toBe(expected);
  });

  it('distinguishes two /64 but not addresses of one', () => {
    const clientOf = (address: string) => createProxyTrust([]).clientOf(request(address));
    expect(clientOf('2001:db8:1:2::1')).toBe(clientOf('2001:db8:1:2:ffff::9'));
    expect(clientOf('2001:db8:1:2::1')).not.toBe(clientOf('2001:db8:1:3::1'));
  });

  it('rejects a proxy that is not an address', () => {
    expect(() => createProxyTrust(['proxy.example'])).toThrow(RangeError);
  });
});

describe('hostOf', () => {
  it.each([
    ['Host', '203.0.113.7', 'a.example'],
    ['X-Forwarded-Host of a trusted proxy', '10.0.0.1', 'b.example'],
  ])('reads %s', (_name, peer, expected) => {
    const headers = { host: 'a.example', 'x-forwarded-host': 'b.example, c.example' };
    expect(createProxyTrust(['10.0.0.1']).hostOf(request(peer, headers))).toBe(expected);
  });
});
