// Compares the product's figures of recorded coding-agent sessions with a recount from the raw files:
//   node scripts/sessions/compare.ts [--executable FILE] [--ids] [FILE or FOLDER...]
// Without files: the sessions in ../shared/clients/sessions. Exit code 1 when a session differs.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Comparison, compare } from './comparison.ts';
import { report } from './comparison-report.ts';
import { importAndShow } from './misstep-program.ts';
import { recountFile } from './recount.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SESSIONS = resolve(ROOT, '../shared/clients/sessions');
const PRODUCTS = ['claude-code', 'codex', 'opencode', 'pi', 'copilot-cli', 'swe-agent'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { executable: { type: 'string' }, ids: { type: 'boolean', default: false } },
});
const command = values.executable ? [resolve(values.executable)] : [process.execPath, join(ROOT, 'bin/misstep.ts')];

if (positionals.length === 0 && !existsSync(SESSIONS))
  console.log(`Skipped: no recorded sessions in ${SESSIONS}. Name files or folders to compare others.`);
else await compareAll(filesOf(positionals.length > 0 ? positionals : PRODUCTS.map((one) => join(SESSIONS, one))));

async function compareAll(files: readonly string[]): Promise<void> {
  const comparisons: Comparison[] = [];
  const waiting = [...files];
  const work = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const count = recountFile(file);
      if (count === null) console.error(`${file}: not a session of ${PRODUCTS.join(', ')}`);
      else comparisons.push(compare(basename(file), count, await importAndShow(command, file)));
      console.error(`${comparisons.length} of ${files.length}: ${basename(file)}`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work));
  const order = files.map((file) => basename(file));
  comparisons.sort((a, b) => order.indexOf(a.file) - order.indexOf(b.file));
  console.log(report(comparisons));
  if (values.ids) for (const one of comparisons) printIds(one);
  if (comparisons.some((one) => one.differences.length > 0)) process.exitCode = 1;
}

function printIds({ file, missedIds, extraIds, product }: Comparison): void {
  if (product.message !== '') console.log(`${file}: ${product.message}`);
  for (const id of missedIds) console.log(`${file}: missed failure ${id}`);
  for (const id of extraIds) console.log(`${file}: marked failed without a flag ${id}`);
}

function filesOf(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path)
      .sort()
      .map((name) => join(path, name));
  });
}
