import { describe, expect, it } from 'vitest';
import { makeSpan } from '../../../test/support/make-span.ts';
import { TraceBuilder } from '../../../test/support/trace-builder.ts';
import type { Attributes } from '../../core/span.ts';
import { findInTrace, type Search, traceFindRecord } from './trace-find.ts';

function find(builder: TraceBuilder, search: Partial<Search> & { text: string }, attributes: Attributes = {}) {
  const trace = builder.build();
  const spans = trace.steps.map(({ spanId }) => makeSpan({ spanId, attributes }));
  return traceFindRecord.parse(findInTrace('t', trace, spans, { from: 0, count: 50, ...search }));
}
const placesOf = (...asked: Parameters<typeof find>) =>
  find(...asked).items.map(({ step, field }) => `${step} ${field}`);

const message = (content: string) => ({ role: 'user', name: null, content, toolCalls: [], toolCallId: null });
const STORY = () =>
  new TraceBuilder()
    .agent('Clerk')
    .llm('I look up order 17.', { model: 'gpt-4o', inputMessages: [message('Where is ORDER 17?'), message('Now')] })
    .tool('find_order', { order: 17 }, 'not found')
    .tool('pay', {}, null, { error: { type: 'Timeout', message: 'The bank (eu-1) is away' } });

describe('a text in a trace', () => {
  it.each<[string, string[]]>([
    ['order 17', ['0 output', '0 messages/0']],
    ['clerk', ['0 agent', '1 agent', '2 agent']],
    ['gpt-4o', ['0 name', '0 model']],
    ['find_order', ['1 name', '1 tool']],
    ['"order":17', ['1 arguments']],
    ['NOT FOUND', ['1 result']],
    ['(eu-1)', ['2 error']],
    ['eu.1', []],
    ['.*', []],
    ['nowhere', []],
  ])('%s', (text, expected) => {
    expect(placesOf(STORY(), { text })).toEqual(expected);
  });

  it('is shown with its context and only whole characters', () => {
    const builder = new TraceBuilder().llm(`${'a'.repeat(500)}${'😀'.repeat(40)}Needle${'b'.repeat(500)}`);
    const { snippet } = find(builder, { text: 'needle' }).items[0]!;
    expect(snippet.match).toBe('Needle');
    expect(snippet.before).toBe('😀'.repeat(30));
    expect(snippet.after).toBe('b'.repeat(120));
    const odd = find(new TraceBuilder().llm(`${'😀'.repeat(40)}!Needle`), { text: 'needle' }).items[0]!;
    expect(odd.snippet.before.isWellFormed()).toBe(true);
  });

  it('is searched in the attributes if no field contains it', () => {
    const attributes = { 'my.key': 'a Needle', other: 17, list: ['needle'] };
    expect(placesOf(new TraceBuilder().llm('hay'), { text: 'needle' }, attributes)).toEqual(['0 attributes/my.key']);
    expect(placesOf(new TraceBuilder().llm('needle'), { text: 'needle' }, attributes)).toEqual(['0 output']);
    expect(placesOf(new TraceBuilder().llm('hay'), { text: '17' }, attributes)).toEqual(['0 attributes/other']);
  });

  it('is found part by part, each place once', () => {
    const builder = () => new TraceBuilder().repeat(10, (each, round) => each.llm(`needle ${round}`));
    const seen: number[] = [];
    let from: number | null = 0;
    for (let parts = 0; from !== null && parts < 10; parts += 1) {
      const part: ReturnType<typeof find> = find(builder(), { text: 'NEEDLE', from, count: 3 });
      seen.push(...part.items.map(({ step }) => step));
      expect(part).toMatchObject({ total_steps: 10, searched_steps: (part.next_step ?? 10) - from });
      from = part.next_step;
    }
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(find(builder(), { text: 'needle', from: 10 })).toMatchObject({ items: [], next_step: null });
    expect(find(builder(), { text: 'needle', from: 1_000 })).toMatchObject({ searched_steps: 0, next_step: null });
  });

  it('ends a part after 64 million characters', () => {
    const long = 'x'.repeat(25_000_000);
    const builder = new TraceBuilder().repeat(5, (each) => each.llm(long)).llm('needle');
    expect(find(builder, { text: 'needle' })).toMatchObject({ items: [], next_step: 3, searched_steps: 3 });
    expect(placesOf(builder, { text: 'needle', from: 3 })).toEqual(['5 output']);
  });
});
