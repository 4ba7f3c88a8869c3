import { rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';
import type { Check, CheckState } from './report.ts';

interface Failure {
  message: string;
  diff?: string;
}

const INDENT = ' '.repeat(9);

/** Prints one line for each program and check, and writes the same as a report to `MISSTEP_E2E_REPORT`. */
export default class LineReporter implements Reporter {
  readonly #checks: Check[] = [];
  readonly #reportFile = process.env.MISSTEP_E2E_REPORT;

  onTestRunStart(): void {
    if (this.#reportFile) rmSync(this.#reportFile, { force: true });
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    if (state === 'pending') return;
    this.#report(test.module, state, test.name, errors, groupOf(test));
  }

  onTestSuiteResult(suite: TestSuite): void {
    if (suite.errors().length > 0) this.#report(suite.module, 'failed', 'starts and stops', suite.errors());
  }

  onTestModuleEnd(module: TestModule): void {
    if (module.errors().length > 0) this.#report(module, 'failed', 'test file', module.errors());
  }

  onTestRunEnd(): void {
    if (this.#reportFile) writeFileSync(this.#reportFile, JSON.stringify(this.#checks));
  }

  #report(module: TestModule, state: CheckState, title: string, errors: readonly Failure[] = [], group = ''): void {
    const program = basename(module.moduleId).replace(/\.test\.ts$/, '');
    this.#checks.push({ program, group, title, state });
    process.stdout.write(`${state.padEnd(7)}  ${[program, group, title].filter(Boolean).join(': ')}\n`);
    for (const { message, diff } of errors) {
      const text = [message, diff && stripVTControlCharacters(diff)].filter(Boolean).join('\n');
      process.stdout.write(`${text.trimEnd().replaceAll(/^/gm, INDENT)}\n`);
    }
  }
}

/** Names of the groups below the program's own. */
function groupOf(test: TestCase): string {
  const names: string[] = [];
  for (let group = test.parent; group.type === 'suite'; group = group.parent) names.unshift(group.name);
  return names.slice(1).join(': ');
}
