import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../core/json.ts';
import { nsToMs, type Span } from '../../core/span.ts';
import { decodeTrail } from './decode-trail.ts';

const folder = new URL('../../../../shared/datasets/dev/native/trail/', import.meta.url);

/** Expected values were computed without this decoder: tree, token sums of model calls, agents, errors, duration. */
describe.skipIf(!existsSync(folder))('published TRAIL traces (skipped without the data sets)', () => {
  test.each([
    [
      'GAIA/0035f455b3ff2295167a844f04d85d34',
      { spans: 11, depth: 4, llm: 4, input: 6609, output: 6613, errors: 0, ms: 108_755.33 },
      ['CodeAgent.run'],
      ['final_answer'],
    ],
    [
      'GAIA/0140b3f657eddf76ca82f72c49ac8e58',
      { spans: 60, depth: 6, llm: 26, input: 168_152, output: 11_367, errors: 10, ms: 183_698.696 },
      ['CodeAgent.run', 'ToolCallingAgent.run'],
      ['final_answer', 'find_on_page_ctrl_f', 'page_down', 'visit_page', 'web_search'],
    ],
    [
      'SWE_Bench/0f7f322da4c91fef845b1aee25eac003',
      { spans: 52, depth: 3, llm: 24, input: 464_117, output: 5862, errors: 0, ms: 163_561.397 },
      ['CodeAgent.run'],
      ['final_answer'],
    ],
  ])('%s', (name, expected, agents, tools) => {
    const text = gunzipSync(readFileSync(new URL(`${name}.trace.json.gz`, folder))).toString();
    const { spans, rejections } = decodeTrail(parseJson(text)!);
    expect(rejections).toEqual([]);
    expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([name.split('/')[1]]));
    const calls = ofKind(spans, 'LLM');
    const [root] = spans;
    expect({
      spans: spans.length,
      depth: Math.max(...spans.map((span) => depthOf(span, spans))),
      llm: calls.length,
      input: sum(calls, 'llm.token_count.prompt'),
      output: sum(calls, 'llm.token_count.completion'),
      errors: spans.filter((span) => span.status.code === 2).length,
      ms: nsToMs(root!.endNs! - root!.startNs),
    }).toEqual(expected);
    expect(ofKind(spans, 'AGENT').map((span) => span.name)).toEqual(agents);
    expect([...new Set(ofKind(spans, 'TOOL').map((span) => span.attributes['tool.name']))].sort()).toEqual(tools);
  });
});

function ofKind(spans: readonly Span[], kind: string): Span[] {
  return spans.filter((span) => span.attributes['openinference.span.kind'] === kind);
}

function sum(spans: readonly Span[], key: string): number {
  return spans.reduce((total, span) => total + Number(span.attributes[key] ?? 0), 0);
}

function depthOf(span: Span, spans: readonly Span[]): number {
  const parent = spans.find((other) => other.spanId === span.parentSpanId);
  return parent === undefined ? 0 : 1 + depthOf(parent, spans);
}
