import { describe, expect, it } from 'vitest';
import { makeSpan } from '../../../test/support/make-span.ts';
import type { Trace } from '../../core/trace.ts';
import { parseTrace } from '../../detectors/_testing/notation.ts';
import { createModelCatalog } from '../../formats/model-catalog/catalog.ts';
import { analyzeSpans } from '../analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../analysis/tenant-detection.ts';
import { leadRecord, leadsOf } from './run-leads.ts';

/** A run that ended with an error. */
const failedRun = (text: string): Trace => ({ ...parseTrace(text), status: 'error' });

const FAILED = [
  'agent planner',
  'llm m -> "I look up order 17 and pay 250 for it."',
  'agent clerk',
  'tool find {"id":17} -> "order 17, 250 to pay"',
  'tool pay {"amount":250} !! The account is closed',
  'llm m -> "I could not pay."',
].join('\n');
const failed = () => failedRun(FAILED);

describe('the leads of a failed run', () => {
  it('are three steps, first the one that failed last, with its error', () => {
    const leads = leadsOf(failed(), []);
    expect(leads).toHaveLength(3);
    expect(leadRecord.parse(leads[0])).toMatchObject({
      step: 2,
      span_id: failed().steps[2]!.spanId,
      agent: 'clerk',
      why: ['it failed: The account is closed'],
    });
    expect(new Set(leads.map(({ step }) => step)).size).toBe(3);
  });

  it('each have a reason', () => {
    const trace = failedRun(
      'agent bob\nllm m -> "I look." calls find {"id":1}\ntool find {"id":1} -> "[]"\nllm m -> "Nothing there."',
    );
    for (const run of [failed(), trace]) for (const { why } of leadsOf(run, [])) expect(why).not.toEqual([]);
    expect(leadsOf(trace, []).length).toBeGreaterThan(1);
  });

  it('are kept beside observations, and give way to what was found', () => {
    expect(leadsOf(failed(), [{ severity: 'observation' }])).toHaveLength(3);
    expect(leadsOf(failed(), [{ severity: 'info' }])).toEqual([]);
  });

  it('are kept beside a detection about the failed root alone, which names no step', () => {
    const trace = failedRun(
      'agent clerk\nspan run !! limit exceeded by 40\n  llm m -> "I pay."\n  tool pay {} -> "paid"',
    );
    const spanId = (step: number) => trace.steps[step]!.spanId;
    expect(leadsOf(trace, [{ severity: 'warning', spanIds: [spanId(0)] }])).not.toEqual([]);
    expect(leadsOf(trace, [{ severity: 'warning', spanIds: [spanId(0), spanId(1)] }])).toEqual([]);
    const inside = failedRun('agent clerk\nspan run !! no money\n  llm m -> "I pay."\n  tool pay {} !! no money');
    expect(leadsOf(inside, [{ severity: 'warning', spanIds: [inside.steps[0]!.spanId] }])).toEqual([]);
  });

  it('are not there for a run that ended well', () => {
    expect(leadsOf({ ...failed(), status: 'ok' }, [])).toEqual([]);
    expect(leadsOf({ ...failed(), status: 'ok' }, [], 0.89)).toEqual([]);
  });

  it('are there for a run that ended well and shows more trouble than most', () => {
    expect(leadsOf({ ...failed(), status: 'ok' }, [], 0.9)).toHaveLength(3);
    expect(leadsOf({ ...failed(), status: 'ok' }, [{ severity: 'info' }], 1)).toEqual([]);
  });

  it('never name the user, and name no step twice', () => {
    const trace = failedRun('user "Pay 30."\nagent a\ntool pay {} !! No\ntool pay {} !! No');
    const steps = leadsOf(trace, []).map(({ step }) => step);
    expect(steps).not.toContain(0);
    expect(new Set(steps).size).toBe(steps.length);
  });

  it('cut a long error at a word', () => {
    const trace = failedRun(`agent a\ntool pay {} !! ${'The account is closed. '.repeat(20)}`);
    const [error] = leadsOf(trace, [])[0]!.why;
    expect(error!.length).toBeLessThan(180);
    expect(error).toMatch(/(closed\.|account|is|The)…$/);
  });

  it.each([
    ['no error text, the leads of the run', '', 1],
    ['an error text, the detection that quotes it and no lead to the root itself', 'the crane is stuck', 0],
  ])('a run whose root failed with %s', (_, message, least) => {
    const place = { traceId: '0af7651916cd43dd8448eb211c80319c' };
    const rootId = '00000000000000ff';
    const at = (second: number) => 1_790_000_000_000_000_000n + BigInt(second) * 1_000_000_000n;
    const root = { name: 'graph', startNs: at(0), endNs: at(9), status: { code: 2, message } } as const;
    const nodes = ['planner', 'loader', 'writer'].map((node, n) =>
      makeSpan({
        ...place,
        spanId: (n + 1).toString(16).padStart(16, '0'),
        parentSpanId: rootId,
        name: node,
        startNs: at(n + 1),
        endNs: at(n + 2),
        attributes: {
          'gen_ai.agent.name': node,
          'graphruntime.node.name': node,
          'graphruntime.state': JSON.stringify({ plan: `load crate ${'abc'[n]}` }),
        },
      }),
    );
    const options = { isSettled: true, models: createModelCatalog(), tenant: DEFAULT_DETECTION };
    const { trace, result } = analyzeSpans([makeSpan({ ...place, spanId: rootId, ...root }), ...nodes], options);
    const { detections } = result;
    expect(trace.status).toBe('error');
    expect(leadsOf(trace, detections).length).toBeGreaterThanOrEqual(least);
    const reported = detections.filter(({ severity }) => severity !== 'observation');
    expect(reported.map(({ type, subtype }) => `${type}/${subtype}`)).toEqual(
      least === 1 ? [] : ['tool_failure/other'],
    );
    if (least === 0) expect(leadsOf(trace, detections)).toEqual([]);
  });
});
