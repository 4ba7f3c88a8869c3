import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type GaugeRun, readGauge } from './support/gauge.ts';

const FOLDER = new URL('gauge/', import.meta.url);
const RECORDED = new URL('recorded/', FOLDER);
const programs = readGauge(RECORDED);
const withoutTools = readGauge(RECORDED, 'no_tool_spans').flatMap(({ runs: of }) => of);
const separateCalls = readGauge(RECORDED, 'separate_model_calls').flatMap(({ runs: of }) => of);

/** `framework/program run` with a text; the lists may only become shorter. */
function listed(file: string): Map<string, string> {
  const lines = readFileSync(new URL(file, FOLDER), 'utf8').split('\n').slice(1).filter(Boolean);
  return new Map(lines.map((line) => line.split('\t').slice(0, 2) as [string, string]));
}

const runs = programs.flatMap(({ framework, name, runs: of }) =>
  of.map((run) => ({ ...run, title: `${framework}/${name} ${run.run}` })),
);
const healthy = runs.filter(({ failure }) => failure === null);
const failing = runs.filter(({ failure }) => failure !== null);

/**
 * Runs with other warnings if only model calls are recorded. A message does not show whether the call failed: if its text
 * says so, this is an observation. No message marks a call that a person rejected.
 */
const MODEL_CALLS_ONLY: Readonly<Record<string, string>> = {
  'langchain/session-radio failing-2':
    'tool_failure/exhaustion, grounding/value_without_result, grounding/value_without_result → grounding/value_without_result, grounding/value_without_result',
  'langchain/subagents-aquarium failing-2': 'completion/empty_answer → ',
  'langgraph/approval-transfer failing-2': 'tool_failure/other → ',
  'llamaindex/paging-quakes failing-1': 'completion/pages_unread → ',
  'mastra/supervisor-theatre failing-2':
    'critical loop/cyclic, loop/restated, resource_misallocation/spawn_fan_out → critical loop/cyclic, loop/restated',
  'openai-agents/approval-beekeeper failing-1': 'reasoning_action_mismatch/rejected_call_claimed → ',
  'openai-sdk/pipeline-patents failing-2': 'tool_failure/service → ',
  'openai-sdk/polling-render failing-2': 'tool_failure/not_found → ',
  'vercel-ai/person-lostproperty failing-2': 'tool_failure/other → ',
  'vercel-ai/session-tutor failing-2': 'tool_failure/service, tool_failure/service → ',
};

describe('the gauge of healthy programs and their failing twins', () => {
  it('has at least 12 patterns on two frameworks, 24 programs, 200 healthy runs and six frameworks', () => {
    const patterns = Map.groupBy(programs, ({ pattern }) => pattern);
    const onTwo = [...patterns.values()].filter((same) => new Set(same.map(({ framework }) => framework)).size > 1);
    expect(onTwo.length).toBeGreaterThanOrEqual(12);
    expect(programs.length).toBeGreaterThanOrEqual(24);
    expect(healthy.length).toBeGreaterThanOrEqual(200);
    expect(new Set(programs.map(({ framework }) => framework)).size).toBeGreaterThanOrEqual(6);
    expect(programs.filter((program) => program.runs.every(({ failure }) => failure === null))).toEqual([]);
  });

  it('every recorded body is decoded completely and no detector fails', () => {
    for (const { title, steps, rejected, crashed } of runs) {
      expect(rejected, title).toEqual([]);
      expect(crashed, title).toEqual([]);
      expect(steps, title).toBeGreaterThan(0);
    }
  });

  it('no healthy run has a warning, except those that are listed with it', () => {
    const flagged = healthy.flatMap(({ title, warnings }) =>
      warnings.length > 0 ? [[title, warnings.map(({ label }) => label).join(', ')] as const] : [],
    );
    expect(Object.fromEntries(flagged)).toEqual(Object.fromEntries(listed('false-alarms.tsv')));
  });

  it('the failure of each failing twin is found, except those that are listed as missed', () => {
    const missed = failing.flatMap(({ title, warnings, failure }) =>
      warnings.some(({ type }) => failure?.expect.includes(type)) ? [] : [title],
    );
    expect(missed).toEqual([...listed('missed-failures.tsv').keys()]);
  });

  it('the same warnings if only model calls are recorded, except those that depend on the spans of the tools', () => {
    const labels = ({ warnings }: GaugeRun) => warnings.map(({ label }) => label).join(', ');
    const differing = runs.flatMap((run, at) =>
      labels(run) === labels(withoutTools[at]!) ? [] : [[run.title, `${labels(run)} → ${labels(withoutTools[at]!)}`]],
    );
    expect(Object.fromEntries(differing)).toEqual(MODEL_CALLS_ONLY);
  });

  it('if each model call is a trace of its own, no healthy run has a warning, and loops are found in the messages', () => {
    const flagged = runs.filter((_, at) => separateCalls[at]!.warnings.length > 0);
    expect(flagged.filter(({ failure }) => failure === null).map(({ title }) => title)).toEqual([]);
    const loops = flagged.filter((run) =>
      separateCalls[runs.indexOf(run)]!.warnings.some(({ type }) => type === 'loop'),
    );
    expect(loops.length).toBeGreaterThanOrEqual(11);
  });
});
