import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Determines the client behind a proxy, if the proxy is trusted. */
export interface ProxyTrust {
  /** Address of the client, IPv6 cut to its /64, which is what one household or attacker holds. */
  clientOf(request: IncomingMessage): string;
  /** The `Host` the client used. */
  hostOf(request: IncomingMessage): string;
}

/** @param trusted addresses or CIDR blocks. @throws RangeError for one that is neither */
export function createProxyTrust(trusted: readonly string[]): ProxyTrust {
  const list = toBlockList(trusted);
  const isTrusted = (address: string) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  const isBehindProxy = (request: IncomingMessage) => trusted.length > 0 && isTrusted(peerOf(request));

  return {
    clientOf(request) {
      const peer = peerOf(request);
      if (!isBehindProxy(request)) return toBucket(peer);
      return toBucket(lastUntrusted(forwardedFor(request), isTrusted) ?? peer);
    },
    hostOf(request) {
      const forwarded = isBehindProxy(request) ? request.headers['x-forwarded-host'] : undefined;
      return (typeof forwarded === 'string' && forwarded.split(',')[0]?.trim()) || (request.headers.host ?? '');
    },
  };
}

function toBlockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(address) === 0) throw new RangeError(`${entry} is not an IP address or CIDR block`);
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

function peerOf(request: IncomingMessage): string {
  return withoutMapping(request.socket.remoteAddress ?? '');
}

function forwardedFor(request: IncomingMessage): string[] {
  const header = request.headers['x-forwarded-for'];
  return String(header ?? '')
    .split(',')
    .map((part) => withoutMapping(part.trim()));
}

/** Each proxy appends the address it saw, so only the part right of the first untrusted address is reliable. */
function lastUntrusted(addresses: string[], isTrusted: (address: string) => boolean): string | null {
  const address = addresses.findLast((candidate) => isIP(candidate) === 0 || !isTrusted(candidate));
  return address !== undefined && isIP(address) !== 0 ? address : null;
}

function withoutMapping(address: string): string {
  return address.toLowerCase().startsWith('::ffff:') && address.includes('.')
    ? address.slice('::ffff:'.length)
    : address;
}

function toBucket(address: string): string {
  return isIP(address) === 6 ? `${firstGroups(address)}::/64` : address;
}

function firstGroups(address: string): string {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':');
    groups.push(...Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => '0'), ...after);
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
