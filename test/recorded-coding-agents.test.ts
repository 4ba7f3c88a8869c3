import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mergeSpans } from '../src/core/merge-spans.ts';
import type { Decoded, Span } from '../src/core/span.ts';
import { analyzeSpans } from '../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../src/features/analysis/tenant-detection.ts';
import { agentLogs } from '../src/features/coding-agents/agent-logs.decoder.ts';
import { otlpTraces } from '../src/features/ingest/otlp-decoder.ts';
import { decodeAny } from '../src/formats/detect/detect-format.ts';
import type { HookFramework } from '../src/formats/hooks/hook-framework.ts';
import { MISSTEP } from '../src/formats/misstep/attributes.ts';
import { createModelCatalog } from '../src/formats/model-catalog/catalog.ts';
import { CLAIM, CORRECT, POINTS, type Point, type Verdict, verdictOf } from './support/scripted-verdict.ts';

/** Sessions of one scripted task that real coding agents recorded; they are not part of this repository. */
const CAPTURES = join(
  process.env.MISSTEP_CAPTURES ?? join(import.meta.dirname, '../../shared/clients/captures'),
  'coding-agents-2026-11',
);
const models = createModelCatalog();
/** Number of calls by the agents; more calls mean that a call of several sources was counted twice. */
const COMMAND = 'node test.js';
const TEST_RUNS = 4;

type Source = 'hooks' | 'logs' | 'traces' | 'transcript';

interface Recorded {
  /** Framework of the hooks; null if a program has none. */
  agent: HookFramework | null;
  sources: readonly Source[];
}

const ALL_SOURCES: readonly Source[] = ['hooks', 'logs', 'traces', 'transcript'];

const RECORDED: Readonly<Record<string, Recorded>> = {
  'claude-code': { agent: 'claude-code', sources: ALL_SOURCES },
  codex: { agent: null, sources: ['logs', 'traces', 'transcript'] },
  'codex-trusted': { agent: 'codex', sources: ALL_SOURCES },
  'codex-gpt-6': { agent: 'codex', sources: ALL_SOURCES },
  gemini: { agent: 'gemini-cli', sources: ALL_SOURCES },
  qwen: { agent: 'qwen-code', sources: ALL_SOURCES },
  copilot: { agent: 'copilot-cli', sources: ['hooks', 'traces', 'transcript'] },
  'copilot-pascal': { agent: 'copilot-cli', sources: ['hooks', 'traces', 'transcript'] },
  opencode: { agent: null, sources: ['traces', 'transcript'] },
  pi: { agent: null, sources: ['transcript'] },
  cline: { agent: null, sources: ['transcript'] },
};

/** What a source cannot show, because its bodies never contain a text that a verdict needs. */
interface Limit {
  lacks: readonly Point[];
  because: string;
  without: string;
}

const NO_ANSWERS: Limit = { lacks: ['false claim'], because: 'it contains no answers of the model', without: CLAIM };
const NO_COMMANDS: Limit = { lacks: POINTS, because: 'it contains no arguments of tools', without: COMMAND };

const LIMITS: Readonly<Record<string, Limit>> = {
  'claude-code traces': NO_ANSWERS,
  'codex logs': NO_ANSWERS,
  'codex traces': NO_COMMANDS,
  'codex-trusted logs': NO_ANSWERS,
  'codex-trusted traces': NO_COMMANDS,
  'codex-gpt-6 logs': NO_ANSWERS,
  'codex-gpt-6 traces': NO_COMMANDS,
  'qwen traces': NO_COMMANDS,
  'copilot hooks': NO_ANSWERS,
  'copilot-pascal hooks': NO_ANSWERS,
  'opencode traces': {
    lacks: ['false claim', 'failing tests'],
    because: 'the program ends before it exports its last spans, so that the submission of the work is not visible',
    without: CLAIM,
  },
};

const rows = Object.entries(RECORDED).flatMap(([folder, { sources }]) =>
  sources.map((source) => [folder, source] as const),
);

describe.skipIf(!existsSync(CAPTURES))('recorded coding agents (needs the captures)', () => {
  test.each(rows)('%s from %s: one trace, the correct verdict', (folder, source) => {
    const limit: Limit | undefined = LIMITS[`${folder} ${source}`];
    const verdict = { ...CORRECT, named: POINTS.filter((point) => !limit?.lacks.includes(point)) };
    const testRuns = limit === NO_COMMANDS ? 0 : TEST_RUNS;
    expect(runsOf(spansOf(folder, source))).toEqual([{ verdict, testRuns }]);
    if (limit !== undefined) expect(bodiesOf(folder, source)).not.toContain(limit.without);
  });

  test.each(Object.keys(RECORDED))('%s from all its sources: one trace, the correct verdict', (folder) => {
    const { sources } = RECORDED[folder]!;
    const spans = sources.flatMap((source) => spansOf(folder, source));
    expect(runsOf(spans)).toEqual([{ verdict: CORRECT, testRuns: TEST_RUNS }]);
  });

  test('every recorded program is in the table', () => {
    const folders = readdirSync(CAPTURES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).sort()).toEqual(Object.keys(RECORDED).sort());
  });
});

/** The runs among these spans, without a coding agent's own bookkeeping. */
function runsOf(spans: readonly Span[]): { verdict: Verdict; testRuns: number }[] {
  const runs = [...Map.groupBy(mergeSpans(spans), ({ traceId }) => traceId).values()].filter(isRun);
  return runs.map((run) => {
    const { trace, result } = analyzeSpans(run, { isSettled: true, models, tenant: DEFAULT_DETECTION });
    expect(result.crashed).toEqual([]);
    const testRuns = trace.steps.filter(({ tool }) => JSON.stringify(tool?.arguments ?? null).includes(COMMAND)).length;
    return { verdict: verdictOf(result.detections), testRuns };
  });
}

function isRun(spans: readonly Span[]): boolean {
  return !spans.every(({ attributes }) => attributes[MISSTEP.isBookkeeping] === true);
}

function spansOf(folder: string, source: Source): Span[] {
  return filesOf(folder, source).flatMap((file) => {
    const { spans, rejections } = decode(file, source, RECORDED[folder]!.agent);
    expect(rejections).toEqual([]);
    return spans;
  });
}

function decode(file: string, source: Source, agent: HookFramework | null): Decoded {
  const body = readFileSync(file);
  const receivedAtMs = receivedAt(file);
  if (source === 'logs') return agentLogs.decode(body, { encoding: 'json', receivedAtMs });
  if (source === 'traces') return otlpTraces.decode(body, { encoding: 'json' });
  return decodeAny(body, { receivedAtMs, agent });
}

/** A hook's file is named after the nanosecond of its receipt. */
function receivedAt(file: string): number {
  const ns = /(\d{19})-\d+\.json$/.exec(file)?.[1];
  return ns === undefined ? 0 : Number(BigInt(ns) / 1_000_000n);
}

function bodiesOf(folder: string, source: Source): string {
  return filesOf(folder, source)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

function filesOf(folder: string, source: Source): string[] {
  const below = join(CAPTURES, folder, source === 'logs' || source === 'traces' ? 'otlp' : source);
  const ending = source === 'logs' || source === 'traces' ? `-${source}.json` : '';
  return readdirSync(below)
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => join(below, name));
}
