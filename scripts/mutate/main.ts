import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { mutantsOf } from './mutants.ts';
import { type FileResult, killedPercent, mutationPage } from './report.ts';
import { MUTATION_TARGETS, type MutationTarget } from './targets.ts';

/**
 * `npm run mutate [-- --file PART] [--write]`: mutates each target in one place at a time and runs its tests. Prints the
 * mutants that survive; `--write` writes `docs/mutation.md`.
 */
const { values: flags } = parseArgs({ options: { file: { type: 'string' }, write: { type: 'boolean' } } });
const root = resolve(import.meta.dirname, '../..');
/** A mutant whose tests take longer counts as killed, because they no longer end. */
const MAX_MS = 60_000;

const results: FileResult[] = [];
for (const target of MUTATION_TARGETS.filter(({ file }) => file.includes(flags.file ?? ''))) {
  const result = await runTarget(target);
  results.push(result);
  const { file, mutants, survivors } = result;
  console.log(`${killedPercent([result]).toFixed(0)} % of ${mutants.length} killed: ${file}`);
  for (const { line, description } of survivors) console.log(`  ${file}:${line}  ${description}`);
}
console.log(`${killedPercent(results).toFixed(1)} % killed`);
if (flags.write) writeFileSync(join(root, 'docs/mutation.md'), mutationPage(results));

async function runTarget({ file, tests }: MutationTarget): Promise<FileResult> {
  const mutants = mutantsOf(readFileSync(join(root, file), 'utf8'));
  const survived = new Set<number>();
  for (let next = 0; next < mutants.length; ) next = await runFrom(next, file, tests, survived);
  return { file, mutants, survivors: mutants.filter((_, at) => survived.has(at)) };
}

/** @returns the next mutant: after the last one, or after the one with which the tests did not end */
async function runFrom(first: number, file: string, tests: readonly string[], survived: Set<number>): Promise<number> {
  const script = join(import.meta.dirname, 'run-tests.ts');
  const child = spawn(process.execPath, [script, file, String(first), ...tests], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let next = first;
  let isTimedOut = false;
  const stop = () => {
    isTimedOut = true;
    child.kill('SIGKILL');
  };
  let timer = setTimeout(stop, MAX_MS);
  for await (const line of createInterface({ input: child.stdout })) {
    const [, number, outcome] = /^mutant (\d+) (killed|survived)$/.exec(line) ?? [];
    if (number === undefined) continue;
    if (outcome === 'survived') survived.add(Number(number));
    next = Number(number) + 1;
    clearTimeout(timer);
    timer = setTimeout(stop, MAX_MS);
  }
  clearTimeout(timer);
  if (isTimedOut) return next + 1;
  if (child.exitCode !== null && child.exitCode !== 0) throw new Error(`the tests of ${file} cannot be run`);
  return next;
}
