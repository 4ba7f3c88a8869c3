import { hash } from 'node:crypto';

/** What the runs of one trace's sender have in common. */
export interface RunSource {
  serviceName: string | null;
  framework: string;
  name: string;
}

/** Platforms that send no service name, and whose runs have the name of their workflow. */
const NAMED_BY_WORKFLOW: ReadonlySet<string> = new Set(['n8n', 'dify']);

/**
 * What separates equal failures of different senders: the service, otherwise the workflow of a platform. Null if neither is
 * known.
 */
export function issueScopeOf({ serviceName, framework, name }: RunSource): string | null {
  if (serviceName !== null) return JSON.stringify(['service', serviceName]);
  return NAMED_BY_WORKFLOW.has(framework) ? JSON.stringify(['workflow', framework, name]) : null;
}

/** The fingerprint of an issue. @param fingerprint of its detections, which does not depend on the sender */
export function issueFingerprint(fingerprint: string, scope: string | null): string {
  return scope === null ? fingerprint : hash('sha256', `${fingerprint}\n${scope}`, 'hex').slice(0, 16);
}
