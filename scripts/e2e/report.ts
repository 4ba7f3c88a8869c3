import { existsSync, readFileSync } from 'node:fs';

export type CheckState = 'passed' | 'failed' | 'skipped';

/** One test of one program. */
export interface Check {
  program: string;
  title: string;
  state: CheckState;
}

export type Report = readonly Check[];

export type Tally = Record<CheckState, number>;

/** An empty report where the tests did not come to an end. */
export function readReport(file: string): Report {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : [];
}

export function tallyOf(report: Report): Tally {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0 };
  for (const { state } of report) tally[state] += 1;
  return tally;
}
