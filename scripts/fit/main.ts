/** Fits all shipped models in a fixed order: models first, then calibrations that depend on them. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_DATA, dataFolder } from './load-set.ts';

const HELP = `npm run calibrate -- [options]
  --data DIR   folder of the labelled sets (default ${DEFAULT_DATA})
  --only NAME  one step: injection, grounding, attribution, trail, calibration

Same data, same bytes. Fits do not decide what is enabled by default; the maturity in the manifests of the detectors does.`;

const ROOT = join(import.meta.dirname, '../..');

/** Each writes its own generated files and gives the same bytes for the same data. */
const STEPS: readonly { name: string; script: string; args: readonly string[] }[] = [
  { name: 'grounding', script: 'scripts/fit/grounding.ts', args: ['--write'] },
  { name: 'injection', script: 'scripts/fit/injection.ts', args: ['--write'] },
  { name: 'attribution', script: 'scripts/fit/attribution.ts', args: ['--write'] },
  { name: 'trail', script: 'scripts/fit/trail.ts', args: ['--write'] },
  { name: 'calibration', script: 'scripts/fit/calibration.ts', args: ['--write'] },
];

const args = process.argv.slice(2);
if (args.includes('--help')) console.log(HELP);
else process.exitCode = run(dataFolder(args), args[args.indexOf('--only') + 1]);

function run(data: string, only: string | undefined): number {
  if (!existsSync(data)) {
    print(`skipped: there are no labelled sets under ${data}`);
    return 1;
  }
  const isOne = args.includes('--only');
  const chosen = STEPS.filter(({ name, script }) => (!isOne || name === only) && existsSync(join(ROOT, script)));
  if (chosen.length === 0) {
    print(`unknown step ${only ?? ''}; there are: ${STEPS.map(({ name }) => name).join(', ')}`);
    return 2;
  }
  for (const { name, script, args: own } of chosen) {
    print(name);
    const { status } = spawnSync(process.execPath, [script, '--data', data, ...own], { cwd: ROOT, stdio: 'inherit' });
    if (status !== 0) return status ?? 1;
  }
  return 0;
}

function print(line: string): void {
  process.stderr.write(`calibrate: ${line}\n`);
}
