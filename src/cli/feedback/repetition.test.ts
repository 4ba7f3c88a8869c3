import { describe, expect, it } from 'vitest';
import { type RecordedCall, repetitionAtEnd } from './repetition.ts';

const call = (overrides: Partial<RecordedCall> = {}): RecordedCall => ({
  agent: '',
  prompt: 'p1',
  tool: 'Bash',
  call: 'ls',
  result: 'nothing',
  hasFailed: false,
  hasChanged: false,
  ...overrides,
});
const times = (count: number, fields: Partial<RecordedCall> = {}) => Array.from({ length: count }, () => call(fields));
const failed = (call_: string): RecordedCall =>
  call({ call: call_, result: 'no such file', hasFailed: true, hasChanged: true });
const edit = call({ tool: 'Edit', call: 'edit', result: 'ok', hasChanged: true });
const look = call({ tool: 'Read', call: 'read' });

describe('a repetition at the end', () => {
  it.each<[string, RecordedCall[], number | null]>([
    ['nothing', [], null],
    ['twice the same', times(2), null],
    ['three times the same', times(3), 3],
    ['the fourth time, which was already reported', times(4), null],
    ['six times', times(6), 6],
    ['twelve times', times(12), 12],
    ['with looks elsewhere in between', [call(), look, call(), look, call()], 3],
    ['with a change in between', [call(), call(), edit, call()], null],
    ['with a change that failed in between', [call(), call(), { ...edit, hasFailed: true }, call()], 3],
    ['with another result in between', [call(), call(), call({ result: 'queued' }), call()], null],
    ['of another prompt', [...times(2, { prompt: 'p0' }), call()], null],
    ['of another agent', [...times(2, { agent: 'a1' }), call()], null],
    ['three failures asked for in other ways', ['a', 'b', 'c'].map(failed), null],
    ['four failures asked for in other ways', ['a', 'b', 'c', 'd'].map(failed), 4],
    ['failures with a change in between', [...['a', 'b', 'c'].map(failed), edit, failed('d')], null],
  ])('%s', (_title, calls, count) => {
    expect(repetitionAtEnd(calls)?.count ?? null).toBe(count);
  });
});
