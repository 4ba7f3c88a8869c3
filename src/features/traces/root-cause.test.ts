import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EMPTY_CATALOG } from '../../formats/model-catalog/catalog.ts';
import { decodeOtlpJson } from '../../formats/otlp/decode-json.ts';
import { buildTrace } from '../../formats/trace-model/build-trace.ts';
import { rootCauseOf, rootCauseRecord } from './root-cause.ts';

function traceOf(fixture: string) {
  const file = resolve(import.meta.dirname, '../../../test/fixtures/conventions/langgraph', fixture);
  return buildTrace(decodeOtlpJson(readFileSync(file)).spans, { models: EMPTY_CATALOG, isSettled: true });
}

describe('root cause', () => {
  it('names a step that the run has, with its agent and a reasoned ranking', () => {
    const trace = traceOf('planner-critic-loop.json');
    const cause = rootCauseRecord.parse(rootCauseOf(trace, true));
    expect(trace.steps[cause.step]).toMatchObject({ spanId: cause.span_id });
    expect(trace.agents).toContain(cause.agent);
    expect(cause.candidates.length).toBeGreaterThan(0);
    expect(cause.candidates[0]?.step).toBe(cause.step);
  });

  it('never blames the framework’s own steps', () => {
    const trace = traceOf('planner-critic-loop.json');
    const names = rootCauseOf(trace, true)?.candidates.map(({ step }) => trace.steps[step]?.name);
    expect(names).not.toContain('__start__');
  });

  it('is null where nothing was found', () => {
    expect(rootCauseOf(traceOf('supervisor-healthy.json'), false)).toBeNull();
  });
});
