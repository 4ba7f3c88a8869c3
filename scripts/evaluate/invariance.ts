import { readFileSync, writeFileSync } from 'node:fs';
import type { EncodingName } from '../../test/support/invariance/encodings.ts';
import { dataFolder, loadSet } from '../fit/load-set.ts';
import { type EncodedRun, encodedRuns, SENT_ENCODINGS } from './invariance/encoding-differences.ts';
import { differs, ENCODINGS_TITLE, encodingsMarkdown } from './invariance/encodings-markdown.ts';
import { type RenamedRun, renamedRuns } from './invariance/rename-differences.ts';
import { renamesMarkdown } from './invariance/renames-markdown.ts';
import { TRACE_SETS, type TraceSet } from './outcome.ts';
import { RUN_SOURCES } from './runs/run-sources.ts';

/**
 * Compares the detections of the runs of the development sets with those of the same runs with other names (`--renames`) or
 * in other encodings (`--encodings`), and prints counts; without either option it does both. `--write` writes the parts of
 * docs/invariance.md instead. `--list` prints the differences of each run in the encodings.
 * `node scripts/evaluate/invariance.ts [--renames] [--encodings] [--set NAME]… [--encoding NAME]… [--every N] [--data DIR] [--list] [--write]`
 */
const args = process.argv.slice(2);
const valuesOf = (option: string) =>
  args.flatMap((arg, at) => (arg === option && args[at + 1] !== undefined ? [args[at + 1]!] : []));
const isAll = !args.includes('--renames') && !args.includes('--encodings');
const every = Number(valuesOf('--every')[0] ?? 1);

function chosen<Name extends string>(option: string, known: readonly Name[]): Name[] {
  const named = valuesOf(option);
  const found = known.filter((name) => named.length === 0 || named.includes(name));
  if (found.length === 0) throw new Error(`${option}: none of ${named.join(', ')} is known`);
  return found;
}

const runSets = RUN_SOURCES.map(({ set }) => set);
const sets = chosen<TraceSet>(
  '--set',
  TRACE_SETS.filter((set) => runSets.includes(set)),
);
const encodings = chosen<EncodingName>('--encoding', SENT_ENCODINGS);
const renamedFound: RenamedRun[] = [];
const encodedFound: EncodedRun[] = [];
const totals = new Map<string, number>();
for (const set of sets) {
  const records = loadSet(set, dataFolder()).filter((_, n) => n % every === 0);
  for (const record of records) {
    if (isAll || args.includes('--renames')) renamedFound.push(...renamedRuns(record));
    if (isAll || args.includes('--encodings')) encodedFound.push(...encodedRuns(set, record, encodings));
  }
  totals.set(set, records.length);
  process.stderr.write(`${set}: ${records.length} runs\n`);
}

if (args.includes('--list')) for (const run of encodedFound.filter(differs)) console.log(described(run));
const parts = [
  renamedFound.length > 0 ? renamesMarkdown(renamedFound, sets) : null,
  encodedFound.length > 0 ? encodingsMarkdown(encodedFound, totals, every) : null,
];
if (args.includes('--write')) write(parts);
else console.log(parts.filter((part) => part !== null).join('\n'));

function described({ set, id, encoding, outcome, lost, gained, moved }: EncodedRun): string {
  const signed = (sign: string, lines: readonly string[]) => lines.map((line) => `${sign} ${line}`);
  const all = [...signed('-', lost), ...signed('+', gained), ...signed('~', moved)];
  return [set, id, outcome, encoding, all.join(', ')].join('\t');
}

/** Replaces the parts that were computed and keeps the others. */
function write([renames, other]: readonly (string | null)[]): void {
  const file = new URL('../../docs/invariance.md', import.meta.url);
  const text = readFileSync(file, 'utf8');
  const at = text.indexOf(ENCODINGS_TITLE);
  const written = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
  writeFileSync(file, `${(renames ?? written[0]!).trimEnd()}\n\n${other ?? written[1]!}`);
}
