import { describe, expect, it } from 'vitest';
import type { Attributes, Span } from '../../core/span.ts';
import { EVENT_SCOPE, HOOK_SCOPE } from '../hooks/session-span.ts';
import { joinSession } from './join-session.ts';

let count = 0;
function step(
  scope: string,
  kind: string,
  second: number,
  attributes: Attributes = {},
  more: Partial<Span> = {},
): Span {
  const at = BigInt(1_800_000_000_000 + second * 1000) * 1_000_000n;
  return {
    traceId: 't',
    spanId: String(count++),
    parentSpanId: 'root',
    name: String(attributes['gen_ai.tool.name'] ?? kind),
    kind: 1,
    startNs: at,
    endNs: at,
    status: { code: 0, message: '' },
    attributes: { 'misstep.step.kind': kind, 'misstep.framework': 'gemini-cli', ...attributes },
    events: [],
    links: [],
    resource: {},
    scope: { name: scope, version: '' },
    ...more,
  };
}
const SPANS = 'gemini-cli';
const run = { 'gen_ai.tool.name': 'run', 'gen_ai.tool.call.arguments': '{"command":"npm test"}' };
const outline = (spans: readonly Span[]) =>
  joinSession(spans).map(
    ({ scope, attributes, status }) =>
      `${scope.name} ${attributes['misstep.step.kind']} ${attributes['misstep.tool.exit_code'] ?? attributes['gen_ai.usage.input_tokens'] ?? '-'} ${status.code}`,
  );

describe('a tool call of two sources', () => {
  it.each<[string, Span[], string[]]>([
    [
      'is one step with the facts of both',
      [
        step(HOOK_SCOPE, 'tool', 1, { ...run, 'gen_ai.tool.call.result': '1 failed' }),
        step(
          EVENT_SCOPE,
          'tool',
          1.2,
          { ...run, 'misstep.tool.exit_code': 1 },
          { status: { code: 2, message: 'exit code 1' } },
        ),
      ],
      [`${EVENT_SCOPE} tool 1 2`],
    ],
    [
      'is matched by name and time if one has no arguments',
      [
        step(HOOK_SCOPE, 'tool', 1, run),
        step(SPANS, 'tool', 1.5, { 'gen_ai.tool.name': 'run' }, { status: { code: 1, message: '' } }),
      ],
      [`${SPANS} tool - 1`],
    ],
    [
      'is joined in order if it is repeated',
      [
        step(HOOK_SCOPE, 'tool', 1, run),
        step(HOOK_SCOPE, 'tool', 1.4, run),
        step(EVENT_SCOPE, 'tool', 1.1, { ...run, 'misstep.tool.exit_code': 1 }),
        step(EVENT_SCOPE, 'tool', 1.5, { ...run, 'misstep.tool.exit_code': 2 }),
      ],
      [`${EVENT_SCOPE} tool 1 0`, `${EVENT_SCOPE} tool 2 0`],
    ],
    [
      'of different requests is two steps',
      [
        step(HOOK_SCOPE, 'tool', 1, run),
        step(EVENT_SCOPE, 'tool', 1, { ...run, 'gen_ai.tool.call.arguments': '{"command":"ls"}' }),
      ],
      [`${HOOK_SCOPE} tool - 0`, `${EVENT_SCOPE} tool - 0`],
    ],
    [
      'with different ids is two steps',
      [
        step(HOOK_SCOPE, 'tool', 1, { ...run, 'gen_ai.tool.call.id': 'a' }),
        step(EVENT_SCOPE, 'tool', 1, { ...run, 'gen_ai.tool.call.id': 'b' }),
      ],
      [`${HOOK_SCOPE} tool - 0`, `${EVENT_SCOPE} tool - 0`],
    ],
    [
      'of different times is two steps',
      [step(HOOK_SCOPE, 'tool', 1, run), step(EVENT_SCOPE, 'tool', 9, run)],
      [`${HOOK_SCOPE} tool - 0`, `${EVENT_SCOPE} tool - 0`],
    ],
    [
      'of one source is two steps',
      [step(HOOK_SCOPE, 'tool', 1, run), step(HOOK_SCOPE, 'tool', 1, run)],
      [`${HOOK_SCOPE} tool - 0`, `${HOOK_SCOPE} tool - 0`],
    ],
    [
      'of an agent that has ids for all steps is not joined',
      [
        step(HOOK_SCOPE, 'tool', 1, { ...run, 'misstep.framework': 'claude-code' }),
        step(EVENT_SCOPE, 'tool', 1, { ...run, 'misstep.framework': 'claude-code' }),
      ],
      [`${HOOK_SCOPE} tool - 0`, `${EVENT_SCOPE} tool - 0`],
    ],
  ])('%s', (_title, spans, expected) => {
    expect(outline(spans)).toEqual(expected);
    expect(outline([...spans].reverse()).toReversed()).toEqual(expected);
  });
});

it('a prompt of two sources is one step, also with a time of receipt, and a repeated prompt is two steps', () => {
  const words = { 'gen_ai.output.messages': '[{"role":"user","parts":[{"type":"text","content":"Go on."}]}]' };
  const prompts = (scope: string) => [step(scope, 'message', 1, words), step(scope, 'message', 60, words)];
  expect(outline([...prompts(HOOK_SCOPE), ...prompts(EVENT_SCOPE)])).toHaveLength(2);
  expect(outline([step(HOOK_SCOPE, 'message', 5000, words), ...prompts(EVENT_SCOPE)])).toHaveLength(2);
});

describe('model calls of two sources', () => {
  const call = (scope: string, second: number, more: Attributes = {}) =>
    step(scope, 'llm', second, { 'gen_ai.usage.input_tokens': second, ...more });
  const cached = { 'gen_ai.usage.cache_read.input_tokens': 7 };
  const words = { 'gen_ai.output.messages': '[]' };

  it('are joined one by one if both sources have the same number', () => {
    const spans = joinSession([
      call(SPANS, 1, words),
      call(SPANS, 2, words),
      call(EVENT_SCOPE, 1, cached),
      call(EVENT_SCOPE, 2, cached),
    ]);
    expect(spans.map(({ attributes }) => attributes)).toMatchObject([
      { ...words, ...cached },
      { ...words, ...cached },
    ]);
  });

  it('are those of the longer list if the numbers differ', () => {
    expect(outline([call(SPANS, 1), call(EVENT_SCOPE, 1), call(EVENT_SCOPE, 2)])).toEqual([
      `${EVENT_SCOPE} llm 1 0`,
      `${EVENT_SCOPE} llm 2 0`,
    ]);
  });

  it('replace the answer of a hook if they have text', () => {
    const answer = step(HOOK_SCOPE, 'llm', 3, words);
    expect(outline([call(SPANS, 3, words), answer])).toEqual([`${SPANS} llm 3 0`]);
  });

  it('without text get the text of the next hook answer, which only the last call before it gets', () => {
    const joined = joinSession([
      call(SPANS, 1),
      call(SPANS, 3),
      step(HOOK_SCOPE, 'llm', 4, words),
      call(SPANS, 20),
      step(HOOK_SCOPE, 'llm', 35, words),
    ]);
    expect(joined.map(({ scope, attributes }) => [scope.name, 'gen_ai.output.messages' in attributes])).toEqual([
      [SPANS, false],
      [SPANS, true],
      [SPANS, false],
      [HOOK_SCOPE, true],
    ]);
  });

  it('with ids are all kept for any order of sources', () => {
    const ids = ['a', 'b', 'c'].map((id) => ({ 'gen_ai.response.id': id }));
    const calls = [call(SPANS, 1, ids[0]), call(EVENT_SCOPE, 2, ids[1]), call(EVENT_SCOPE, 3, ids[2])];
    expect(outline(calls)).toHaveLength(3);
  });

  it('keep errors of the other source', () => {
    const failed = step(HOOK_SCOPE, 'llm', 3, {}, { status: { code: 2, message: '429' } });
    expect(outline([call(SPANS, 3, words), failed])).toHaveLength(2);
  });
});

it('joins in linear time', () => {
  const many = Array.from({ length: 30_000 }, (_, at) =>
    step(at % 2 === 0 ? HOOK_SCOPE : EVENT_SCOPE, 'tool', 1, { ...run, 'gen_ai.tool.call.arguments': String(at) }),
  );
  expect(joinSession(many)).toHaveLength(30_000);
});
