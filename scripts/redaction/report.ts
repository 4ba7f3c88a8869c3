import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Json } from '../../src/core/json.ts';
import { parseJson } from '../../src/core/json.ts';
import { createRedactor } from '../../src/formats/redaction/redactor.ts';

/**
 * Counts what redaction replaces in data sets and captures, by kind and source. With `--sample N` it also prints N places of
 * each kind, chosen by a fixed seed, for a manual check. Print it to the terminal only and never commit it.
 */
const [folders, sample] = argumentsOf(process.argv.slice(2));
const MARKER = /\[redacted:([a-z_]+):[0-9a-f]{4}\]/g;
const { redactJson, redactText } = createRedactor({ secrets: true, personalData: false, salt: 'report' });

interface Replacement {
  kind: string;
  marker: string;
  source: string;
  before: string;
  after: string;
}

const places: Replacement[] = [];
const counts = new Map<string, Map<string, number>>();
let characters = 0;
let spentMs = 0;

for (const folder of folders) for (const file of filesOf(folder)) readDocument(file, folder);
printCounts();
if (sample > 0) printSample();

function argumentsOf(words: string[]): [string[], number] {
  const at = words.indexOf('--sample');
  const size = at === -1 ? 0 : Number(words[at + 1]);
  return [words.filter((_, index) => at === -1 || (index !== at && index !== at + 1)), size];
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function readDocument(file: string, folder: string): void {
  const bytes = readFileSync(file);
  const content = extname(file) === '.gz' ? gunzipSync(bytes).toString() : bytes.toString();
  if (content.includes('\u0000')) return;
  characters += content.length;
  const source = resolve(file).slice(resolve(folder).length + 1);
  const whole = parseJson(content);
  if (whole !== undefined) take(whole, source);
  else for (const line of content.split('\n')) take(parseJson(line) ?? line, source);
}

function take(value: Json, source: string): void {
  const started = performance.now();
  const redacted = typeof value === 'string' ? redactText(value) : redactJson(value);
  spentMs += performance.now() - started;
  compare(value, redacted, source, '');
}

function compare(before: Json | undefined, after: Json, source: string, key: string): void {
  if (before === after) return;
  if (typeof after === 'string') record(before, after, source, key);
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null) return;
  const originals = Object.values(before);
  for (const [index, [name, value]] of Object.entries(after).entries()) compare(originals[index], value, source, name);
}

function record(before: Json | undefined, after: string, source: string, key: string): void {
  const shown = typeof before === 'string' ? before : JSON.stringify(before);
  for (const match of after.matchAll(MARKER)) {
    const kind = match[1]!;
    const byKind = counts.get(kind) ?? new Map<string, number>();
    byKind.set(source, (byKind.get(source) ?? 0) + 1);
    counts.set(kind, byKind);
    const lead = after.slice(Math.max(0, match.index - 60), match.index);
    const anchor = lead.replace(MARKER, '').slice(-25);
    const at = anchor === '' ? 0 : shown.indexOf(anchor);
    const around = shown.slice(Math.max(0, at - 40), at + 130);
    places.push({
      kind,
      marker: match[0],
      source,
      before: `${key}: ${around}`,
      after: after.slice(Math.max(0, match.index - 60), match.index + 70),
    });
  }
}

function printCounts(): void {
  console.log(
    `${(characters / 1e6).toFixed(1)} million characters, ${((spentMs * 1e5) / characters).toFixed(2)} ms for 100 kB`,
  );
  console.log('| kind | matches | different | sources |\n| --- | ---: | ---: | --- |');
  for (const [kind, sources] of [...counts].sort(([a], [b]) => a.localeCompare(b))) {
    const total = [...sources.values()].reduce((sum, count) => sum + count, 0);
    const most = [...sources].sort((a, b) => b[1] - a[1]).slice(0, 6);
    const different = distinct(places.filter((place) => place.kind === kind)).length;
    console.log(
      `| ${kind} | ${total} | ${different} | ${most.map(([source, count]) => `${source} ${count}`).join(', ')} |`,
    );
  }
}

function printSample(): void {
  const random = seeded(20_261_122);
  for (const kind of counts.keys()) {
    const all = distinct(places.filter((place) => place.kind === kind));
    for (let left = Math.min(sample, all.length); left > 0; left -= 1) {
      const [{ source, before, after }] = all.splice(Math.floor(random() * all.length), 1) as [Replacement];
      console.log(`\n${kind} ${source}\n  - ${before.replaceAll('\n', '⏎')}\n  + ${after.replaceAll('\n', '⏎')}`);
    }
  }
}

/** One place of each secret, so that one that is repeated does not fill the sample. */
function distinct(all: readonly Replacement[]): Replacement[] {
  return [...new Map(all.map((place) => [place.marker, place])).values()];
}

/** Mulberry32. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
