/** Highest first. */
export const SEVERITIES = ['critical', 'warning', 'info', 'observation'] as const;
export type Severity = (typeof SEVERITIES)[number];

export function isAtLeast(severity: Severity, floor: Severity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(floor);
}

export function maxSeverity(severities: Severity[]): Severity | null {
  return SEVERITIES.find((severity) => severities.includes(severity)) ?? null;
}
