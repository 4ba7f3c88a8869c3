/** `npm run test:e2e [-- NAME...]`: installs the real programs, runs their tests against the executable, reports each check. */
import { spawn } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { installProgram } from './install.ts';
import { cacheFolder, PROGRAMS, type ProgramName, resultsFile } from './programs.ts';
import { readReport, readResults, type Tally, tallyOf, withReport } from './report.ts';

const root = resolve(import.meta.dirname, '../..');
const names = process.argv.slice(2);
const unknown = names.filter((name) => !PROGRAMS.some((known) => known === name));
if (unknown.length > 0) {
  process.stderr.write(`misstep: unknown program ${unknown.join(', ')}; known: ${PROGRAMS.join(', ')}\n`);
  process.exit(2);
}
const chosen = PROGRAMS.filter((name) => names.length === 0 || names.includes(name));
const cache = cacheFolder(process.env);
mkdirSync(cache, { recursive: true });

const missing = new Map<ProgramName, string>();
for (const name of chosen) {
  const reason = await installProgram(cache, name);
  if (reason !== null) missing.set(name, reason);
}
const report = join(cache, `report-${process.pid}.json`);
const code = await runTests(chosen, report);
const checks = readReport(report);
rmSync(report, { force: true });
const results = resultsFile(cache);
const today = new Date().toISOString().slice(0, 10);
writeFileSync(`${results}.new`, JSON.stringify(withReport(readResults(results), checks, today)));
renameSync(`${results}.new`, results);
const tally = tallyOf(checks);
for (const [name, reason] of missing) process.stdout.write(`skipped  ${name}: ${reason}\n`);
process.stdout.write(`${summary(tally)}\n`);
// A program that was requested by name and cannot be installed counts as not tested.
process.exitCode = code === 0 && tally.passed > 0 && names.every((name) => !missing.has(name as ProgramName)) ? 0 : 1;

function summary({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

function runTests(programs: readonly ProgramName[], reportFile: string): Promise<number> {
  const files = programs.map((name) => `test/e2e/${name}.test.ts`);
  const reporter = join(import.meta.dirname, 'line-reporter.ts');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', ...files, `--reporter=${reporter}`, '--maxWorkers=1', '--no-file-parallelism'];
  const env = { ...process.env, MISSTEP_E2E: cache, MISSTEP_E2E_REPORT: reportFile };
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env });
  return new Promise((done) => child.once('exit', (status) => done(status ?? 1)));
}
