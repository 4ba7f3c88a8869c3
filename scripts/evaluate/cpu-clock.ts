/** Milliseconds of processor time of this process so far: what other work on the machine does not lengthen. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
