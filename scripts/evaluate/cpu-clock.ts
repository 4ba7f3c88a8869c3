/** Milliseconds of processor time of this process so far, independent of other work on the machine. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
