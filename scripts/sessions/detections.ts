// Writes a page for each detection of recorded sessions, for a reader who judges them:
//   node scripts/sessions/detections.ts --out FOLDER [--info N --seed S] [FILE or FOLDER...]
// Every warning and critical detection, and with --info a draw of N info detections.
// Without files: the sessions in ../shared/clients/sessions and ../shared/clients/captures/coding-agents-2026-11. Hook calls and
// telemetry of a capture are the same sessions as its session files, which are read here. FOLDER must be outside of this repository.
import { existsSync, readdirSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { mergeSpans } from '../../src/core/merge-spans.ts';
import { isAtLeast } from '../../src/core/severity.ts';
import type { Span } from '../../src/core/span.ts';
import { analyzeSpans } from '../../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../../src/features/analysis/tenant-detection.ts';
import { createModelCatalog } from '../../src/formats/model-catalog/catalog.ts';
import { seededRandom, shuffled } from '../../test/support/random.ts';
import type { FoundDetection } from './detection-page.ts';
import { filesBelow, spansIn } from './recorded-files.ts';
import { writeDetectionPages } from './write-detection-pages.ts';

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
else writePages(values.out, positionals.length > 0 ? positionals.flatMap(filesBelow) : recordedSessions());

function fail(message: string): void {
  console.error(message);
  process.exitCode = 2;
}

/** Session files; for a capture, the session files of its program. */
function recordedSessions(): string[] {
  const captures = join(SHARED, 'captures/coding-agents-2026-11');
  const own = existsSync(captures) ? readdirSync(captures).map((name) => join(captures, name, 'transcript')) : [];
  return [join(SHARED, 'sessions'), ...own].filter(existsSync).flatMap(filesBelow);
}

function writePages(out: string, files: readonly string[]): void {
  const { found, unread, traces } = detectionsIn(files);
  const severe = found.filter(({ detection }) => isAtLeast(detection.severity, 'warning'));
  const others = found.filter(({ detection }) => detection.severity === 'info');
  const info = shuffled(seededRandom(seed), others).slice(0, drawn);
  const summary = `${files.length} files, ${unread.length} not read; ${traces} traces; ${severe.length} warning or critical, ${info.length} info drawn with seed ${seed}.`;
  console.log(`${summary} ${writeDetectionPages(out, [...severe, ...info], summary, unread)}`);
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
