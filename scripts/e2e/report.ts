import { existsSync, readFileSync } from 'node:fs';

export type CheckState = 'passed' | 'failed' | 'skipped';

/** One test of one program. */
export interface Check {
  program: string;
  /** Names of the groups that the test is in, such as a variant of the program; may be empty. */
  group: string;
  title: string;
  state: CheckState;
}

export type Report = readonly Check[];

export type Tally = Record<CheckState, number>;

/** The newest run of each program's tests. */
export type Results = Record<string, { date: string; checks: Report }>;

export function readResults(file: string): Results {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : {};
}

/** Replaces the results of programs that this report ran. Programs with only skipped tests did not run. */
export function withReport(results: Results, report: Report, date: string): Results {
  const ran = [...new Set(report.filter(({ state }) => state !== 'skipped').map(({ program }) => program))];
  const fresh = ran.map((name) => [name, { date, checks: report.filter(({ program }) => program === name) }]);
  return { ...results, ...Object.fromEntries(fresh) };
}

/** An empty report if the tests did not finish. */
export function readReport(file: string): Report {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : [];
}

export function tallyOf(report: Report): Tally {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0 };
  for (const { state } of report) tally[state] += 1;
  return tally;
}
