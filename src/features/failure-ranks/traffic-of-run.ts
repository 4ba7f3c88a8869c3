import { createHash } from 'node:crypto';

/** What two runs must share to be in one traffic group. */
export interface RunOrigin {
  serviceName: string | null;
  framework: string;
  /** In any order. */
  agents: readonly string[];
}

/** The same text for runs of the same service, framework and set of agents. */
export function trafficOfRun({ serviceName, framework, agents }: RunOrigin): string {
  const identity = JSON.stringify([serviceName, framework, [...new Set(agents)].sort()]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 32);
}
