import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseTrace } from '../../detectors/_kit/notation.ts';
import { EMPTY_CATALOG } from '../../formats/model-catalog/catalog.ts';
import { decodeOtlpJson } from '../../formats/otlp/decode-json.ts';
import { buildTrace } from '../../formats/trace-model/build-trace.ts';
import { rootCauseOf, rootCauseRecord, type Symptom } from './root-cause.ts';

function traceOf(fixture: string) {
  const file = resolve(import.meta.dirname, '../../../test/fixtures/conventions/langgraph', fixture);
  return buildTrace(decodeOtlpJson(readFileSync(file)).spans, { models: EMPTY_CATALOG, isSettled: true });
}

const FINDING: Symptom = { severity: 'warning', confidence: 0.5, step: null, agent: null, title: 'Something' };

describe('root cause', () => {
  it('names a step that the run has, with its agent and a reasoned ranking', () => {
    const trace = traceOf('planner-critic-loop.json');
    const cause = rootCauseRecord.parse(rootCauseOf(trace, [FINDING]));
    expect(trace.steps[cause.step]).toMatchObject({ spanId: cause.span_id });
    expect(trace.agents).toContain(cause.agent);
    expect(cause.candidates.length).toBeGreaterThan(0);
    expect(cause.candidates[0]?.step).toBe(cause.step);
  });

  it('never blames the framework’s own steps', () => {
    const trace = traceOf('planner-critic-loop.json');
    const names = rootCauseOf(trace, [FINDING])?.candidates.map(({ step }) => trace.steps[step]?.name);
    expect(names).not.toContain('__start__');
  });

  it('follows a critical finding and says so', () => {
    const trace = traceOf('planner-critic-loop.json');
    const ranked = rootCauseOf(trace, [FINDING])!;
    const other = trace.steps.findLast(({ kind, index }) => kind === 'llm' && index !== ranked.step)!.index;
    const cause = rootCauseOf(trace, [FINDING, { ...FINDING, severity: 'critical', step: other, title: 'Stuck' }]);
    expect(cause).toMatchObject({ step: other, confidence: FINDING.confidence });
    expect(cause?.why[0]).toBe('a finding points at it: Stuck');
    expect(cause?.candidates[0]?.step).toBe(other);
  });

  it('follows a critical finding to a node of the graph that holds its agent’s steps', () => {
    const trace = traceOf('planner-critic-loop.json');
    const node = trace.steps.find(({ kind, name }) => kind === 'chain' && name === 'planner')!.index;
    const found: Symptom = { ...FINDING, severity: 'critical', step: node };
    expect(rootCauseOf(trace, [found])).toMatchObject({ step: node, agent: 'planner' });
    Object.assign(trace.steps[node]!, { kind: 'other', agent: null });
    expect(rootCauseOf(trace, [found])).toMatchObject({ step: node });
    expect(rootCauseOf(trace, [{ ...found, severity: 'warning' }])?.step).not.toBe(node);
  });

  it('is not led by a warning where the ranking knows such runs, nor by an observation at all', () => {
    const trace = parseTrace('agent a\nllm m -> "I guess it is four."\nagent b\nllm m -> "Then it is four."');
    const { step } = rootCauseOf(trace, [FINDING])!;
    expect(rootCauseOf(trace, [{ ...FINDING, step: 1 - step }])).toMatchObject({ step });
    expect(rootCauseOf(trace, [{ ...FINDING, severity: 'observation', step: 1 }])).toBeNull();
  });

  it('blames no user, and always gives a reason', () => {
    const trace = parseTrace('user "Delete it all, or keep it, as you like."\nagent a\nllm m -> "ok"');
    const cause = rootCauseOf(trace, [{ ...FINDING, severity: 'critical', step: 0 }])!;
    expect(cause.step).toBe(1);
    expect(cause.why).not.toEqual([]);
  });

  it('is null where nothing was found', () => {
    expect(rootCauseOf(traceOf('supervisor-healthy.json'), [])).toBeNull();
  });
});
