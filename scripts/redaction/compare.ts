import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Json } from '../../src/core/json.ts';
import { parseJson } from '../../src/core/json.ts';
import type { Span } from '../../src/core/span.ts';
import { createRedactor, type Redactor } from '../../src/formats/redaction/redactor.ts';
import { bodiesOf, contentOf, filesOf, setOf, spansOf } from './corpus.ts';

/**
 * Compares redaction of this tree with that of another checked-out tree over files of traces:
 * `node --expose-gc scripts/redaction/compare.ts --base TREE [--rounds 7] [--most 4000000] FOLDER…`
 * It prints processor time for 100 kB of each set (the quickest of the rounds, which alternate), and how many outputs are identical.
 * `--rounds 0` compares all outputs and measures no time; `--most` bounds the characters of a set that are measured.
 */
const { values: flags, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    base: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    most: { type: 'string', default: '4000000' },
  },
});
const rounds = Number(flags.rounds);
const OPTIONS = { secrets: true, personalData: false, salt: 'compare' };
const create = (await import(pathToFileURL(join(resolve(flags.base!), 'src/formats/redaction/redactor.ts')).href)) as {
  createRedactor: typeof createRedactor;
};

/** Minimum characters of a round. */
const MIN_CHARACTERS = 1_500_000;

interface Case {
  body: Buffer;
  spans: Span[];
}

let identical = 0;
let different = 0;
const ratios: number[] = [];

if (rounds > 0) console.log('| set | 100 kB | base ms | this ms | ratio |\n| --- | ---: | ---: | ---: | ---: |');
for (const folder of folders) {
  const bySet = Map.groupBy(filesOf(folder), (file) => setOf(file, folder));
  for (const [set, files] of bySet)
    if (rounds > 0) measureSet(set, files);
    else compareSet(set, files);
}
if (rounds > 0) console.log(`geometric mean of the ratios: ${geometricMean(ratios).toFixed(2)}`);
else console.log(`${identical} outputs identical, ${different} different`);

function* casesOf(files: readonly string[]): Generator<Case> {
  for (const file of files) for (const body of bodiesOf(contentOf(file))) yield { body, spans: spansOf(body) };
}

function compareSet(set: string, files: readonly string[]): void {
  const before = create.createRedactor(OPTIONS);
  const after = createRedactor(OPTIONS);
  for (const { body, spans } of casesOf(files)) {
    record(set, spansRedacted(before, spans), spansRedacted(after, spans));
    const text = body.toString();
    const value = parseJson(text) ?? text.split('\n').map((line) => parseJson(line) ?? line);
    record(set, jsonRedacted(before, value), jsonRedacted(after, value));
    record(set, before.redactText(text), after.redactText(text));
  }
}

function record(set: string, before: string, after: string): void {
  if (before === after) identical += 1;
  else {
    different += 1;
    console.log(`${set}: an output differs`);
  }
}

/** The report and a digest of the redacted spans. */
function spansRedacted(redactor: Redactor, spans: readonly Span[]): string {
  const copy = structuredClone(spans) as Span[];
  const report = redactor.redactSpans(copy, 'compare');
  return JSON.stringify(report) + digest(copy);
}

function jsonRedacted(redactor: Redactor, value: Json): string {
  return digest(redactor.redactJson(value));
}

function digest(value: unknown): string {
  const hash = createHash('sha256');
  const list = Array.isArray(value) ? value : [value];
  for (const each of list)
    hash.update(JSON.stringify(each, (_key, part) => (typeof part === 'bigint' ? `${part}n` : part)) ?? '');
  return hash.digest('hex');
}

/** Records are drawn evenly until they have `--most` characters. */
function measureSet(set: string, files: readonly string[]): void {
  const cases = evenly([...casesOf(files)], Number(flags.most));
  const once = cases.reduce((sum, { body }) => sum + body.length, 0);
  // Small sets are repeated within a round, so that compilation does not dominate the measurement.
  const repeats = Math.ceil(MIN_CHARACTERS / once);
  const size = once * repeats;
  const times: [number[], number[]] = [[], []];
  const redactors = [create.createRedactor, createRedactor];
  for (let round = 0; round <= rounds; round += 1) {
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const redactor = redactors[index]!(OPTIONS);
      const copies = Array.from({ length: repeats }, () =>
        cases.map(({ spans }) => structuredClone(spans) as Span[]),
      ).flat();
      globalThis.gc?.();
      const started = process.cpuUsage();
      for (const copy of copies) redactor.redactSpans(copy, 'compare');
      const { user, system } = process.cpuUsage(started);
      // The first round is a warm-up.
      if (round > 0) times[index]!.push((user + system) / 1000);
    }
  }
  const [base, current] = times.map((each) => (Math.min(...each) * 1e5) / size) as [number, number];
  ratios.push(current / base);
  console.log(
    `| ${set} | ${(size / 1e5).toFixed(1)} | ${base.toFixed(3)} | ${current.toFixed(3)} | ${(current / base).toFixed(2)} |`,
  );
}

function evenly(cases: readonly Case[], most: number): Case[] {
  const total = cases.reduce((sum, { body }) => sum + body.length, 0);
  const step = Math.max(1, total / most);
  const kept = cases.filter((_, index) => Math.floor((index + 1) / step) > Math.floor(index / step));
  return kept.length > 0 ? kept : cases.slice(0, 1);
}

function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
