import { expect, test } from 'vitest';
import type { Attributes, Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { joinHookParts } from './join-hook-parts.ts';
import { HOOK_SCOPE } from './session-span.ts';

const span = (spanId: string, at: number, scope: string, attributes: Attributes): Span => ({
  traceId: 't',
  spanId,
  parentSpanId: 'root',
  name: spanId,
  kind: 1,
  startNs: BigInt(at),
  endNs: BigInt(at),
  status: { code: 0, message: '' },
  attributes,
  events: [],
  links: [],
  resource: {},
  scope: { name: scope, version: '' },
});
const tool = (args: string) => ({ 'gen_ai.tool.name': 'bash', 'gen_ai.tool.call.arguments': args });
const hookPart = (kind: string, attributes: Attributes) => ({ ...attributes, [MISSTEP.hookPart]: kind });

test('spans of other senders are the same list', () => {
  const spans = [span('a', 1, 'other', tool('{}'))];
  expect(joinHookParts(spans)).toBe(spans);
});

test('an end gets the start of the oldest call with the same arguments in any member order', () => {
  const joined = joinHookParts([
    span('other', 5, 'other', tool('{}')),
    span('end', 9, HOOK_SCOPE, hookPart('end', tool('{"b":1,"a":2}'))),
    span('start', 4, HOOK_SCOPE, hookPart('start', tool('{"a":2,"b":1}'))),
    span('late', 6, HOOK_SCOPE, hookPart('start', tool('{"a":2,"b":1}'))),
  ]);
  expect(joined.map(({ spanId, startNs }) => [spanId, Number(startNs)])).toEqual([
    ['other', 5],
    ['end', 4],
    ['late', 6],
  ]);
});

test('twenty thousand calls are joined in linear time', () => {
  const spans = Array.from({ length: 20_000 }, (_, at) => [
    span(`s${at}`, at * 2, HOOK_SCOPE, hookPart('start', tool('{}'))),
    span(`e${at}`, at * 2 + 1, HOOK_SCOPE, hookPart('end', tool('{}'))),
  ]).flat();
  const joined = joinHookParts(spans);
  expect(joined).toHaveLength(20_000);
  expect(joined.every(({ startNs, endNs }) => endNs! - startNs === 1n)).toBe(true);
});
