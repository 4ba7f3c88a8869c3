import { isIPv6 } from 'node:net';

const HOST = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,255})(?::(\d{1,5}))?$/i;
const MAX_PORT = 65_535;

/** The name in a `Host` header in lower case, without port and final dot, IPv6 in its short form; null if it is invalid. */
export function hostNameOf(header: string): string | null {
  const [, name, port] = HOST.exec(header) ?? [];
  if (name === undefined || Number(port ?? 0) > MAX_PORT) return null;
  if (name.startsWith('[')) return canonicalIpv6(name);
  return name.toLowerCase().replace(/\.$/, '') || null;
}

/** A configured name or address in the form of `hostNameOf`; IPv6 also without brackets. */
export function toHostName(text: string): string | null {
  return hostNameOf(isIPv6(text) ? `[${text}]` : text);
}

function canonicalIpv6(bracketed: string): string | null {
  return URL.parse(`http://${bracketed}`)?.hostname ?? null;
}
