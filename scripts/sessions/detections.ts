// Writes down the detections of recorded sessions, a page each, for a reader who judges them:
//   node scripts/sessions/detections.ts --out FOLDER [--info N --seed S] [FILE or FOLDER...]
// Every warning and critical detection, and with --info a draw of N info detections.
// Without files: the sessions in ../shared/clients/sessions and ../shared/clients/captures/coding-agents-2026-11. Hook calls and
// telemetry of a capture are the same sessions as its session files, which are read here. FOLDER must be outside of this repository.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { mergeSpans } from '../../src/core/merge-spans.ts';
import { isAtLeast } from '../../src/core/severity.ts';
import type { Span } from '../../src/core/span.ts';
import { analyzeSpans } from '../../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../../src/features/analysis/tenant-detection.ts';
import { decodeAny } from '../../src/formats/detect/detect-format.ts';
import { createModelCatalog } from '../../src/formats/model-catalog/catalog.ts';
import { randomInteger, seededRandom } from '../../test/support/random.ts';
import { detectionPage, type FoundDetection } from './detection-page.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SHARED = resolve(ROOT, '../shared/clients');
const models = createModelCatalog();

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, info: { type: 'string', default: '0' }, seed: { type: 'string', default: '1' } },
});
const [drawn, seed] = [Number(values.info), Number(values.seed)];

if (values.out === undefined) fail('--out FOLDER is needed');
else if (!relative(ROOT, resolve(values.out)).startsWith(`..${sep}`)) fail('--out must be outside of this repository');
else if (![drawn, seed].every((number) => Number.isSafeInteger(number) && number >= 0))
  fail('--info and --seed take a whole number');
else writeDown(values.out, positionals.length > 0 ? positionals.flatMap(filesBelow) : recordedSessions());

function fail(message: string): void {
  console.error(message);
  process.exitCode = 2;
}

/** Session files; of a capture, what its program itself wrote down of the session. */
function recordedSessions(): string[] {
  const captures = join(SHARED, 'captures/coding-agents-2026-11');
  const own = existsSync(captures) ? readdirSync(captures).map((name) => join(captures, name, 'transcript')) : [];
  return [join(SHARED, 'sessions'), ...own].filter(existsSync).flatMap(filesBelow);
}

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).sort();
  return names.filter((name) => name !== 'README.md').flatMap((name) => filesBelow(join(path, name)));
}

function writeDown(out: string, files: readonly string[]): void {
  const { found, unread, traces } = detectionsIn(files);
  const severe = found.filter(({ detection }) => isAtLeast(detection.severity, 'warning'));
  const info = draw(found.filter(({ detection }) => detection.severity === 'info'));
  mkdirSync(out, { recursive: true });
  const pages = [...severe, ...info];
  const lines = pages.map((one, at) => {
    const name = `${String(at + 1).padStart(3, '0')}.md`;
    writeFileSync(join(out, name), detectionPage(at + 1, one));
    const { severity, type, subtype } = one.detection;
    return `| [${at + 1}](${name}) | ${severity} | ${type}/${subtype} | ${one.file} |`;
  });
  const summary = `${files.length} files, ${unread.length} not read; ${traces} traces; ${severe.length} warning or critical, ${info.length} info drawn with seed ${seed}.`;
  const index = [summary, '', '| page | severity | detection | file |', '|---|---|---|---|', ...lines, ...unread, ''];
  writeFileSync(join(out, 'index.md'), index.join('\n'));
  console.log(`${summary} ${join(out, 'index.md')}`);
}

interface Found {
  found: FoundDetection[];
  traces: number;
  unread: string[];
}

/** Files of one session, such as those of its subagents, become one trace. */
function detectionsIn(files: readonly string[]): Found {
  const unread: string[] = [];
  const traces = new Map<string, { files: Set<string>; spans: Span[] }>();
  for (const path of files) {
    const file = relative(SHARED, path);
    const spans = spansIn(path);
    if (spans === null) unread.push(`Not read: ${file}`);
    for (const span of spans ?? []) {
      const trace = traces.get(span.traceId) ?? { files: new Set(), spans: [] };
      traces.set(span.traceId, trace);
      trace.files.add(file);
      trace.spans.push(span);
    }
  }
  const found = [...traces.values()].flatMap(({ files: named, spans }) => {
    const { trace, result } = analyzeSpans(mergeSpans(spans), { isSettled: true, models, tenant: DEFAULT_DETECTION });
    return result.detections.map((detection) => ({ file: [...named].join(', '), trace, detection }));
  });
  return { found, traces: traces.size, unread };
}

function spansIn(path: string): Span[] | null {
  const bytes = readFileSync(path);
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  try {
    return decodeAny(isGzip ? gunzipSync(bytes) : bytes, { receivedAtMs: 0 }).spans;
  } catch {
    return null;
  }
}

/** A random choice without repetition. */
function draw(from: readonly FoundDetection[]): FoundDetection[] {
  const random = seededRandom(seed);
  const left = [...from];
  return Array.from({ length: Math.min(drawn, left.length) }, () =>
    left.splice(randomInteger(random, left.length), 1),
  ).flat();
}
