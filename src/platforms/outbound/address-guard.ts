import { BlockList, isIP } from 'node:net';

/** Decides which addresses a user's URL may resolve to. */
export interface AddressGuard {
  isAllowed(address: string): boolean;
  /** The command with which the operator allows an address that is not public; null if none should. */
  commandToAllow(address: string): string | null;
}

/** Non-public addresses, after the IANA special-purpose address registries. */
const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** This machine and private networks; not link-local addresses, where clouds serve credentials. */
export const PRIVATE_NETWORKS = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1',
  'fc00::/7',
];
/** Only global unicast is public; within it, tunnels, which may end anywhere, and documentation ranges are not. */
const GLOBAL_V6 = '2000::/3';
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
const MAPPED_V4 = '::ffff:0:0/96';

/**
 * @param allowed CIDR blocks or addresses that are allowed although they are not public
 * @param flag of `misstep serve` that sets `allowed`
 * @throws RangeError for an entry that is neither
 */
export function createAddressGuard(allowed: readonly string[], flag: string | null = null): AddressGuard {
  const exceptions = toBlockList(allowed);
  const privateNetworks = toBlockList(PRIVATE_NETWORKS);
  const specialV4 = toBlockList(SPECIAL_V4);
  const specialV6 = toBlockList(SPECIAL_V6);
  const globalV6 = toBlockList([GLOBAL_V6]);
  const mappedV4 = toBlockList([MAPPED_V4]);

  function isPublic(address: string, family: 'ipv4' | 'ipv6'): boolean {
    if (family === 'ipv4' || mappedV4.check(address, family)) return !specialV4.check(address, family);
    return globalV6.check(address, family) && !specialV6.check(address, family);
  }

  return {
    isAllowed(address) {
      // A zone names an interface of this machine: such an address is never public.
      if (isIP(address) === 0 || address.includes('%')) return false;
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      return exceptions.check(address, family) || isPublic(address, family);
    },
    commandToAllow(address) {
      const version = isIP(address);
      if (flag === null || version === 0 || !privateNetworks.check(address, version === 6 ? 'ipv6' : 'ipv4'))
        return null;
      return `misstep serve ${flag} ${address}`;
    },
  };
}

function toBlockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix, ...rest] = entry.split('/');
    const version = isIP(address);
    const bits = prefix === undefined ? null : Number(prefix);
    const maxBits = version === 6 ? 128 : 32;
    const isValid =
      version !== 0 && rest.length === 0 && (bits === null || isWholeWithin(bits, maxBits, prefix as string));
    if (!isValid) throw new RangeError(`${entry} is not an IP address or CIDR block`);
    list.addSubnet(address, bits ?? maxBits, version === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

function isWholeWithin(bits: number, maxBits: number, text: string): boolean {
  return /^\d{1,3}$/.test(text) && bits <= maxBits;
}
