const LOOPBACK_V4 = /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;

/** Whether a host name (IPv6 with or without brackets) always means this machine. */
export function isLoopbackName(name: string): boolean {
  return (
    name === 'localhost' || name.endsWith('.localhost') || name === '::1' || name === '[::1]' || LOOPBACK_V4.test(name)
  );
}
